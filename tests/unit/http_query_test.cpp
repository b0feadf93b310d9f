// Typed reading of query strings.
#include "http/query.hpp"
#include "support/catch.hpp"

using namespace recruiting;
using http::query_reader;

namespace {

std::vector<std::string> reasons(query_reader& query) {
    std::vector<std::string> out;
    for (auto const& problem : query.take_problems()) out.push_back(problem.field + ":" + problem.reason);
    return out;
}

using list = std::vector<std::string>;

} // namespace

TEST_CASE("values of every type", "[http]") {
    query_reader query("t=a+b%2B&n=-3&b=true&i=0199c1a1c3d87f02b5a6e4d17c930f58&w=2026-01-31T09:30:00Z&c=x&empty=");
    REQUIRE(query.text("t") == "a b+");
    REQUIRE(query.integer("n", -5, 5) == -3);
    REQUIRE(query.boolean("b") == true);
    REQUIRE(query.id("i"));
    REQUIRE(query.time("w") == parse_time("2026-01-31T09:30:00Z"));
    REQUIRE(query.choice("c", {"x", "y"}) == "x");
    REQUIRE(query.has("empty"));
    REQUIRE_FALSE(query.has("absent"));
    REQUIRE_FALSE(query.text("absent"));
    query.refuse_unknown();
    REQUIRE(query.ok());
}

TEST_CASE("every problem is kept", "[http]") {
    query_reader query(
        "n=9&n2=x&n3=99999999999999999999&b=yes&i=0199C1A1C3D87F02B5A6E4D17C930F58&w=today&c=z&t=&l=12345&u=1&u=2");
    static_cast<void>(query.integer("n", 1, 5));
    static_cast<void>(query.integer("n2", 1, 5));
    static_cast<void>(query.integer("n3", 1, 5));
    static_cast<void>(query.boolean("b"));
    static_cast<void>(query.id("i"));
    static_cast<void>(query.time("w"));
    static_cast<void>(query.choice("c", {"x"}));
    static_cast<void>(query.text("t"));
    static_cast<void>(query.text("l", 4));
    query.refuse_unknown();
    REQUIRE(reasons(query) == list{"u:repeated", "n:out_of_range", "n2:not_a_number", "n3:not_a_number",
                                   "b:not_allowed", "i:not_an_id", "w:not_a_time", "c:not_allowed", "t:empty",
                                   "l:too_long", "u:unknown_parameter"});
}

TEST_CASE("a list of names: each once, in the order given; one that is not allowed refuses the parameter", "[http]") {
    query_reader query("a=y,x,y&one=x&bad=x,z,w&empty=&gap=x,,y&space=x,%20y");
    REQUIRE(query.choices("a", {"x", "y"}) == list{"y", "x"});
    REQUIRE(query.choices("one", {"x", "y"}) == list{"x"});
    REQUIRE(query.choices("absent", {"x"}).empty());
    for (auto const* name : {"bad", "empty", "gap", "space"}) REQUIRE(query.choices(name, {"x", "y"}).empty());
    query.refuse_unknown();
    REQUIRE(reasons(query) == list{"bad:not_allowed", "empty:not_allowed", "gap:not_allowed", "space:not_allowed"});
}

TEST_CASE("text that PostgreSQL could not take is refused here", "[http]") {
    query_reader query("a=%00&b=%FF&c=%ED%A0%80&d=%zz&%FF=1");
    REQUIRE(reasons(query) ==
            list{"a:bad_encoding", "b:bad_encoding", "c:bad_encoding", "d:bad_encoding", ":bad_encoding"});
}

TEST_CASE("empty pairs are nothing", "[http]") {
    query_reader query("&&a=1&");
    REQUIRE(query.text("a") == "1");
    query.refuse_unknown();
    REQUIRE(query.ok());
}
