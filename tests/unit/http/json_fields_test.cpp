// The reader of JSON bodies: each member once, at most 64 of them, in linear time.
#include "http/json_fields.hpp"
#include "support/catch.hpp"

namespace json_fields_test {
using namespace recruiting;
using http::json_fields;

namespace {

std::vector<std::string> problems(json_fields& fields) {
    std::vector<std::string> out;
    for (auto const& problem : fields.take_problems()) out.push_back(problem.field + ":" + problem.reason);
    return out;
}

std::string object_of(int members, std::string const& value) {
    std::string out = "{";
    for (int i = 0; i < members; ++i) out += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":" + value;
    return out + "}";
}

using list = std::vector<std::string>;

} // namespace

TEST_CASE("a JSON body with the same member twice is 400, whichever member it is", "[http]") {
    json_fields fields(R"({"b":"1","a":"x","b":"2","c":null,"\u0063":3,"b":"1"})");
    CHECK_FALSE(fields.text("b", json_fields::presence::required)); // told as repeated, not as missing too
    CHECK(fields.text("a") == "x");
    fields.refuse_others({"a"});
    CHECK(problems(fields) == list{"b:repeated", "c:repeated"});
    json_fields nested(
        R"({"a":{"x":1,"x":2},"b":[{"a":1},{"a":2}]})"); // others' business: no value of ours is an object
    CHECK(nested.ok());
}

TEST_CASE("members are typed, and there or not", "[http]") {
    json_fields fields(R"({"text":"t","null":null,"number":1,"list":["x"]})");
    CHECK(fields.text("text") == "t");
    CHECK_FALSE(fields.text("null"));
    CHECK_FALSE(fields.text("absent"));
    CHECK(fields.ok());
    CHECK_FALSE(fields.text("number"));
    CHECK_FALSE(fields.text("null", json_fields::presence::required));
    CHECK_FALSE(fields.text("absent", json_fields::presence::required));
    fields.refuse_others({"text", "null", "number"});
    CHECK(problems(fields) == list{"number:wrong_type", "null:wrong_type", "absent:missing", "list:unknown"});
}

TEST_CASE("at most 64 members are read; what comes after them is not looked at", "[http]") {
    json_fields all(object_of(64, "[1,{\"x\":2}]"));
    CHECK(all.ok());
    json_fields one_more(object_of(65, "\"x\""));
    CHECK_FALSE(one_more.text("0", json_fields::presence::required));
    one_more.refuse_others({});
    CHECK(problems(one_more) == list{":too_many"});
    json_fields broken_behind(object_of(64, "1").insert(object_of(64, "1").size() - 1, ",\"64\":nonsense"));
    CHECK(problems(broken_behind) == list{":too_many"});
    std::string same = R"({"a":1)";
    for (int i = 0; i < 50'000; ++i) same += R"(,"a":1)";
    json_fields repeated(same + "}");
    CHECK(problems(repeated) == list{":too_many"});
}

} // namespace json_fields_test
