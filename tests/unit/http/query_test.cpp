// Typed reading of query strings.
#include "core/time.hpp"
#include "http/problem.hpp"
#include "http/query.hpp"
#include "support/catch.hpp"

namespace query_test {
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
    query_reader query("n=9&n2=x&n3=99999999999999999999&b=yes&i=0199C1A1C3D8&w=today&c=z&t=&l=12345&u=1&u=2");
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
    REQUIRE(reasons(query) == list{"u:repeated", "n:out_of_range", "n2:wrong_type", "n3:out_of_range",
                                   "b:unknown_value", "i:invalid", "w:invalid", "c:unknown_value", "t:empty",
                                   "l:too_long", "u:unknown"});
}

TEST_CASE("text that PostgreSQL could not take is refused here", "[http]") {
    query_reader query("a=%00&b=%FF&c=%ED%A0%80&d=%zz&%FF=1");
    REQUIRE(reasons(query) ==
            list{"a:bad_encoding", "b:bad_encoding", "c:bad_encoding", "d:bad_encoding", ":bad_encoding"});
}

TEST_CASE("a text is as long as it has characters, of any script", "[http]") {
    for (std::string_view const character : {"x", "ä", "日", "😀"}) {
        std::string longest;
        for (int i = 0; i < 500; ++i) longest += character;
        query_reader query("a=" + longest + "&b=" + longest + "x");
        CHECK(query.text("a") == longest);
        CHECK_FALSE(query.text("b"));
        CHECK(reasons(query) == list{"b:too_long"});
    }
}

TEST_CASE("empty pairs are nothing", "[http]") {
    query_reader query("&&a=1&");
    REQUIRE(query.text("a") == "1");
    query.refuse_unknown();
    REQUIRE(query.ok());
}

TEST_CASE("at most 64 query parameters are read, the 65th is a problem", "[http]") {
    std::string text = "&&";
    for (int i = 0; i < 64; ++i) text += "p" + std::to_string(i) + "=1&&";
    query_reader all(text);
    REQUIRE(all.ok());
    REQUIRE(all.text("p63") == "1");
    query_reader one_more(text + "p64=1&" + std::string(100'000, '&') + "p65=%FF");
    REQUIRE(reasons(one_more) == list{":too_many"});
    REQUIRE_FALSE(one_more.has("p64"));
}

TEST_CASE("an unencoded + in a time is named, with what to write instead", "[http]") {
    auto const message_for = [](std::string const& value) {
        query_reader query("w=" + value);
        static_cast<void>(query.time("w"));
        auto const problems = query.take_problems();
        REQUIRE(problems.size() == 1);
        REQUIRE(problems[0].reason == "invalid");
        return problems[0].message;
    };
    for (auto const* text : {"2026-11-23T13:00:00+00:00", "2026-11-23T13:00+0000", "2026-11-23T13:00:00.5+00"}) {
        INFO(text);
        REQUIRE(message_for(text).find("%2B") != std::string::npos);
    }
    REQUIRE(message_for("2026-11-23T13:00:00+02:00") == advice_on(time_fault::not_utc));
    REQUIRE(message_for("2026-11-23T13:00:00%2B02:00") == advice_on(time_fault::not_utc));
    REQUIRE(message_for("2026-11-23T13:00:00") == advice_on(time_fault::no_offset));
    REQUIRE(message_for("to+day") == advice_on(time_fault::malformed));
    query_reader encoded("w=2026-11-23T13:00:00%2B00:00");
    REQUIRE(encoded.time("w") == parse_time("2026-11-23T13:00:00Z"));
}

TEST_CASE("an unknown parameter suggests the nearest known one", "[http]") {
    query_reader query("creatdAfter=1&Limit=2&zzzzzz=3");
    static_cast<void>(query.time("createdAfter"));
    static_cast<void>(query.time("createdBefore"));
    static_cast<void>(query.integer("limit", 1, 5));
    query.refuse_unknown();
    auto const problems = query.take_problems();
    REQUIRE(problems.size() == 3);
    CHECK(problems[0].message == "Unknown parameter. Did you mean \"createdAfter\"?");
    CHECK(problems[1].message == "Unknown parameter. Did you mean \"limit\"?");
    CHECK(problems[2].message == "Unknown parameter.");
}

TEST_CASE("only what is a few letters away is suggested", "[http]") {
    constexpr std::array<std::string_view, 5> known = {"status", "stageId", "q", "source", "createdAfter"};
    CHECK(http::nearest("staus", known) == "status");
    CHECK(http::nearest("sttaus", known) == "status");
    CHECK(http::nearest("stage_id", known) == "stageId");
    CHECK(http::nearest("CREATEDAFTER", known) == "createdAfter");
    CHECK(http::nearest("created_afterr", known) == "createdAfter");
    CHECK(http::nearest("Q", known) == "q");
    for (auto const* far : {"", "z", "qq", "zz", "sour", "after", "offset", "page"})
        CHECK(http::nearest(far, known).empty());
    CHECK(http::nearest(std::string(100'000, 's'), known).empty());
    CHECK(http::nearest("status", {}).empty());
}

} // namespace query_test
