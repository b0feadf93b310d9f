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

TEST_CASE("at most 64 members are read, what comes after them is not looked at", "[http]") {
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

TEST_CASE("numbers and flags are optional, and of their type and span", "[http]") {
    json_fields fields(R"({"a":5,"b":481,"c":1.5,"d":"5","e":null,"f":true,"g":1,"h":18446744073709551615})");
    CHECK(fields.integer("a", 5, 480) == 5);
    for (auto const* name : {"b", "c", "d", "e", "absent", "h"}) CHECK_FALSE(fields.integer(name, 1, 480).has_value());
    CHECK(fields.boolean("f") == true);
    for (auto const* name : {"e", "g", "absent"}) CHECK_FALSE(fields.boolean(name).has_value());
    CHECK(problems(fields) ==
          list{"b:out_of_range", "c:out_of_range", "d:wrong_type", "h:out_of_range", "g:wrong_type"});
}

TEST_CASE("an array of strings is read, one of anything else is of the wrong type", "[http]") {
    json_fields fields(
        R"({"a":["x","y"],"b":[],"c":["x",1],"d":["x",["y"],"z"],"e":["x",{"y":"z"}],"f":"x","g":[null],"h":null})");
    constexpr auto wanted = json_fields::presence::required;
    CHECK(fields.texts("a", wanted, 2) == list{"x", "y"});
    CHECK_FALSE(fields.texts("a", wanted, 1));
    CHECK(fields.texts("b", wanted, 1) == list{});
    for (auto const* name : {"c", "d", "e", "f", "g", "h"}) CHECK_FALSE(fields.texts(name, wanted, 9));
    CHECK_FALSE(fields.texts("h", json_fields::presence::optional, 9));
    CHECK_FALSE(fields.text("a"));
    CHECK(problems(fields) == list{"a:too_many", "c:wrong_type", "d:wrong_type", "e:wrong_type", "f:wrong_type",
                                   "g:wrong_type", "h:wrong_type", "a:wrong_type"});
    json_fields array(R"([["a"],"b"])");
    CHECK(problems(array) == list{":wrong_type"});
}

TEST_CASE("an id is read in either of its forms, a time in UTC", "[http]") {
    json_fields fields(
        R"({"a":"0199c1a1c3d87f02b5a6e4d17c930f58","b":"0199c1a1-c3d8-7f02-b5a6-e4d17c930f58","c":"x","d":7,)"
        R"("t":"2026-11-23T09:00:00Z","u":"2026-11-23T09:00:00","v":"soon"})");
    CHECK(fields.id("a").has_value());
    CHECK(fields.id("b") == fields.id("a"));
    for (auto const* name : {"c", "d", "absent"}) CHECK_FALSE(fields.id(name).has_value());
    CHECK_FALSE(fields.id("absent", json_fields::presence::optional).has_value());
    CHECK(fields.time("t") == parse_time("2026-11-23T09:00:00Z"));
    for (auto const* name : {"u", "v", "absent"}) CHECK_FALSE(fields.time(name).has_value());
    CHECK(problems(fields) ==
          list{"c:invalid", "d:wrong_type", "absent:missing", "u:invalid", "v:invalid", "absent:missing"});
}

} // namespace json_fields_test
