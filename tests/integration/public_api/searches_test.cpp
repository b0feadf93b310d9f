// Published jobs are found whatever their letters.
#include "core/text.hpp"
#include "integration/public_api/harness.hpp"
#include "integration/public_api/organization.hpp"
#include "integration/support/http_client.hpp"
#include "integration/support/http_server_harness.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/search_samples.hpp"

#include <boost/json.hpp>

namespace searches_test {
using namespace recruiting;
using namespace recruiting::test;
using titles = std::vector<std::string>;

TEST_CASE("q and department find published jobs by the letters that people type", "[public_api][search]") {
    test_database database;
    own_organization own(database.owner());
    for (auto const& sample : search_samples) own.add_job(sample.text);
    own.change_job(own.add_job("Clerk"), "department = 'Größe & Maß'");
    public_api_harness const harness(database.public_url());
    http_client client(harness.port());
    auto const found = [&](std::string const& query) {
        titles out;
        auto const answer = client.get("/api/public/v1/organizations/" + own.slug() + "/jobs" + query);
        if (answer.status != 200) return out;
        auto const body = boost::json::parse(answer.body);
        for (auto const& one : body.at("data").as_array()) out.emplace_back(one.at("title").as_string());
        return out;
    };
    REQUIRE(eventually([&] { return found("?limit=100").size() == search_samples.size() + 1; }));
    for (auto const& [text, queries] : search_samples)
        for (auto const& query : queries) {
            CAPTURE(text, query);
            CHECK(found("?q=" + percent_encode(query)) == titles{text});
        }
    for (auto const& word : unfound_words) CHECK(found("?q=" + percent_encode(word)).empty());
    CHECK(found("?department=" + percent_encode("grösse & mass")) == titles{"Clerk"});
    CHECK(found("?department=" + percent_encode("grösse")).empty());
}

} // namespace searches_test
