// The route table that the services share: which row a request means, and Allow.
#include "http/endpoint.hpp"
#include "support/catch.hpp"

#include <array>

using namespace recruiting;

namespace {

using action = int;

constexpr auto table = std::to_array<http::route<action>>({
    {"GET", "/v1/jobs", 1},
    {"POST", "/v1/jobs", 2, "jobs:write"},
    {"GET", "/v1/jobs/newest", 3},
    {"GET", "/v1/jobs/{id}", 4},
    {"DELETE", "/v1/jobs/{id}", 5},
    {"GET", "/v1/jobs/{id}/stages/{stage}", 6},
    {.method = "GET", .path = "/docs", .action = 7, .takes_all_below = true},
});

http::route_match<action> match(std::string_view method, std::string_view path) {
    return http::find_route(std::span<http::route<action> const>(table), method, path);
}

int action_of(std::string_view method, std::string_view path) {
    auto const found = match(method, path).found;
    return found == nullptr ? 0 : found->action;
}

} // namespace

TEST_CASE("a request means the first row of its path and method", "[http][routes]") {
    CHECK(action_of("GET", "/v1/jobs") == 1);
    CHECK(action_of("HEAD", "/v1/jobs") == 1);
    CHECK(action_of("POST", "/v1/jobs") == 2);
    CHECK(action_of("GET", "/v1/jobs/newest") == 3);
    CHECK(action_of("GET", "/v1/jobs/7") == 4);
    CHECK(action_of("DELETE", "/v1/jobs/newest") == 5);
    auto const two = match("GET", "/v1/jobs/a%2Fb/stages/c");
    REQUIRE(two.found != nullptr);
    CHECK(two.found->action == 6);
    CHECK(two.params[0] == "a/b");
    CHECK(two.params[1] == "c");
}

TEST_CASE("paths are matched as they stand: nothing is decoded, joined or completed", "[http][routes]") {
    for (std::string_view const path : {"", "/", "/v1", "/v1/jobs/", "/v1//jobs", "/v1/JOBS", "/v1/jobs%2F7",
                                        "/v1/jobs/7/", "/v1/jobs/%zz", "/v1/jobs/7/stages", "/v1jobs", "*"}) {
        INFO(path);
        CHECK(match("GET", path).known == nullptr);
    }
}

TEST_CASE("a known path with another method has the methods of all its rows, each once", "[http][routes]") {
    CHECK(match("PUT", "/v1/jobs").allow == "GET, HEAD, POST");
    CHECK(match("PUT", "/v1/jobs").known == &table[0]);
    CHECK(match("PUT", "/v1/jobs/newest").allow == "GET, HEAD, DELETE");
    CHECK(match("PUT", "/v1/jobs/newest").known == &table[2]);
    CHECK(match("get", "/v1/jobs/7").found == nullptr);
    CHECK(match("GET", "/v1/jobs/7").allow.empty());
    auto const refusal = http::no_such_route(match("PUT", "/v1/jobs").allow);
    CHECK(refusal.code == error_code::method_not_allowed);
    CHECK(refusal.allow == "GET, HEAD, POST");
    CHECK(http::no_such_route({}).code == error_code::not_found);
}

TEST_CASE("a row can take every path below its own", "[http][routes]") {
    for (std::string_view const path : {"/docs", "/docs/", "/docs/a/b.html", "/docs/%zz"})
        CHECK(action_of("GET", path) == 7);
    CHECK(match("GET", "/docsx").known == nullptr);
}

TEST_CASE("an unknown method stands in no log", "[http][routes]") {
    CHECK(http::loggable_method("DELETE") == "DELETE");
    CHECK(http::loggable_method("delete") == "other");
    CHECK(http::loggable_method("X\n") == "other");
}
