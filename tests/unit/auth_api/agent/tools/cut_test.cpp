// A record too long for a model is cut and stays JSON.
#include "auth_api/agent/tools/read_tool.hpp"
#include "core/text.hpp"
#include "support/catch.hpp"

#include <boost/json.hpp>

namespace cut_test {
using namespace recruiting;
using namespace recruiting::auth_api::agent;
namespace json = boost::json;

namespace {

json::value cut_to(json::value const& record, std::size_t most) {
    auto const out = truncate_record(json::serialize(record), most);
    REQUIRE(out.size() <= most);
    REQUIRE(is_utf8(out));
    auto parsed = json::parse(out);
    REQUIRE(parsed.at("truncated") == true);
    return parsed;
}

} // namespace

TEST_CASE("long texts are cut between characters, short ones stay", "[agent][tools]") {
    std::string text;
    for (int i = 0; i < 20'000; ++i) text += "é\"";
    auto const out = cut_to({{"data", {{"id", "7"}, {"count", 9}, {"descriptionText", text}}}}, 4096);
    REQUIRE(out.at("data").at("id") == "7");
    REQUIRE(out.at("data").at("count") == 9);
    auto const shown = std::string(out.at("data").at("descriptionText").as_string().c_str());
    REQUIRE(shown.ends_with("…"));
    REQUIRE(text.starts_with(shown.substr(0, shown.size() - 3)));
    REQUIRE(shown.size() > 1000);
}

TEST_CASE("long lists are cut, and hasMore beside them says so", "[agent][tools]") {
    json::array people;
    for (int i = 0; i < 100; ++i) people.push_back({{"id", i}, {"name", std::string(100, 'n')}});
    json::array few{1, 2};
    json::value const record{{"data",
                              {{"stages", json::array{{{"applications", people}, {"hasMore", false}},
                                                      {{"applications", few}, {"hasMore", false}},
                                                      {{"applications", people}}}}}}};
    auto const out = cut_to(record, 8192);
    auto const& stages = out.at("data").at("stages").as_array();
    REQUIRE(stages.size() == 3);
    REQUIRE(stages[0].at("applications").as_array().size() >= 16);
    REQUIRE(stages[0].at("hasMore") == true);
    REQUIRE(stages[1].at("hasMore") == false);
    REQUIRE_FALSE(stages[2].as_object().contains("hasMore"));
}

TEST_CASE("what can't be cut small enough is left out", "[agent][tools]") {
    json::object wide;
    for (int i = 0; i < 1000; ++i) wide[std::to_string(i)] = i;
    REQUIRE(cut_to({{"data", wide}}, 1024).at("data").is_null());
    REQUIRE(truncate_record("[1", 1024) == R"({"truncated":true,"data":null})");
    REQUIRE(truncate_record("[1]", 1024) == R"({"truncated":true,"data":null})");
}

} // namespace cut_test
