// Route templates against paths.
#include "http/endpoint.hpp"
#include "support/catch.hpp"

using recruiting::http::match_path;

TEST_CASE("literal and named segments", "[http]") {
    REQUIRE(match_path("/jobs", "/jobs"));
    auto const one = match_path("/jobs/{id}", "/jobs/a%20b");
    REQUIRE(one);
    REQUIRE(one->count == 1);
    REQUIRE((*one)[0] == "a b");
    auto const two = match_path("/a/{x}/b/{y}", "/a/1/b/2");
    REQUIRE(two);
    REQUIRE((*two)[1] == "2");
}

TEST_CASE("an encoded slash is no slash, and nothing is normalised", "[http]") {
    REQUIRE((*match_path("/jobs/{id}", "/jobs/a%2Fb"))[0] == "a/b");
    for (auto const* path :
         {"/jobs%2Fa", "/jobs/a/", "/jobs//a", "/jobs/", "/jobs", "jobs/a", "/jobs/a/b", "/jobs/%", "/jobs/%g0", ""})
        REQUIRE_FALSE(match_path("/jobs/{id}", path));
}

TEST_CASE("a value is decoded once, and a semicolon is part of its segment", "[http]") {
    REQUIRE((*match_path("/jobs/{id}", "/jobs/%252e%252e"))[0] == "%2e%2e");
    REQUIRE((*match_path("/jobs/{id}", "/jobs/%2561"))[0] == "%61");
    REQUIRE((*match_path("/jobs/{id}", "/jobs/a;b=1"))[0] == "a;b=1");
    for (auto const* path : {"/jobs;x/a", "/%256Aobs/a", "/jobs/a/..;/b"})
        REQUIRE_FALSE(match_path("/jobs/{id}", path));
}
