// One spelling of a path for policy, route and service; what has none that is safe is refused.
#include "gateway/client_request.hpp"
#include "http/request_target.hpp"
#include "support/catch.hpp"

#include <string>
#include <utility>

namespace target_test {
using namespace recruiting::gateway;
using namespace recruiting::http;

namespace {

std::string normal(std::string_view received) {
    target out;
    auto const fault = parse_target(received, out);
    if (fault == target_fault::malformed) return "malformed";
    return fault == target_fault::unsafe_path ? "unsafe" : std::string(out.path) + std::string(out.query);
}

} // namespace

TEST_CASE("paths are normalised", "[gateway][target]") {
    for (auto const& [received, expected] : std::initializer_list<std::pair<std::string, std::string>>{
             {"/api/v1/me", "/api/v1/me"},
             {"/", "/"},
             {"/api//v1///me", "/api/v1/me/"},
             {"//api/v1", "/api/v1/"},
             {"/api/v1//x/../me?y", "/api/v1/me/?y"},
             {"/api/./v1/me", "/api/v1/me"},
             {"/x/../api/v1/me", "/api/v1/me"},
             {"/api/v1/me/..", "/api/v1/"},
             {"/api/v1/me/.", "/api/v1/me/"},
             {"/api/v1/", "/api/v1/"},
             {"/api/%761/me", "/api/v1/me"},
             {"/%61pi/v1", "/api/v1"},
             {"/api/v1/%2e%2E/v1", "/api/v1"},
             {"/a/%2e", "/a/"},
             {"/api/v1/a%3ab%c3%a9", "/api/v1/a%3Ab%C3%A9"},
             {"/api/v1/%252f", "/api/v1/%252f"},
             {"/api/v1/%252e%252e/x", "/api/v1/%252e%252e/x"},
             {"/api/v1/%25%36%31", "/api/v1/%2561"},
             {"/api/v1/a;b=1/;c", "/api/v1/a;b=1/;c"},
             {"/api/v1/...;a", "/api/v1/...;a"},
             {"/api/v1/.hidden", "/api/v1/.hidden"},
             {"/api/v1/a...b", "/api/v1/a...b"},
             {"/api/v1/~a_b-c", "/api/v1/~a_b-c"},
             {"/a?x=/../%2f//y", "/a?x=/../%2f//y"},
             {"/a?", "/a?"},
             {"http://host/api?x", "/api?x"},
             {"HTTPS://host:8443", "/"},
             {"http://host?x", "/?x"},
         }) {
        INFO(received);
        CHECK(normal(received) == expected);
    }
}

TEST_CASE("paths that can't be normalised safely are refused", "[gateway][target]") {
    for (std::string const path :
         {"/..",    "/../api/v1", "/a/../../b",  "/api%2fv1", "/api%2Fv1", "/api/v1%5cme", "/api\\v1",
          "/a%00",  "/a%0d%0aX",  "/a%7f",       "/a%",       "/a%2",      "/a%zz",        "/a|b",
          "/a{b}",  "/a\"b",      "/a<b>",       "/a^b",      "/a`b",      "/[a]",         "/%2e%2e/x",
          "/..%2f", "/a/..;",     "/a/..;x=1/b", "/a/.;b",    "/a/%2e.;",  "/a/..%3b",     "/;/..;/x"}) {
        INFO(path);
        CHECK(normal(path) == "unsafe");
    }
}

TEST_CASE("targets of no known form", "[gateway][target]") {
    for (std::string const text :
         {"api/v1", "ftp://host/x", "host:80", "http:///x", "http://us er/x", "http://a@b/x", "?x", "http://ho|st/"}) {
        INFO(text);
        CHECK(normal(text) == "malformed");
    }
    target out;
    CHECK(parse_target("*", out) == target_fault::none);
    CHECK(out.type == target::form::asterisk);
}

TEST_CASE("Host", "[gateway][target]") {
    for (std::string const host : {"example.com", "example.com:8080", "127.0.0.1", "[::1]", "[2001:db8::1]:80", "a_b",
                                   "localhost:1", "a.", "[::ffff:1.2.3.4]"}) {
        INFO(host);
        CHECK(is_authority(host));
    }
    for (std::string const host :
         {"",        "a b",  "a,b",   "a/b",    "a@b",   "a:b",   "a:",        "a:99999",
          "a:80:80", "[::1", "[]",    "[::1]x", "[::g]", "a\tb",  "::1",       "a?b",
          "a#b",     "a:0",  "a:080", "a..b",   ".a",    "[1:2]", "[1.2.3.4]", "[fe80::1%25eth0]"}) {
        INFO(host);
        CHECK_FALSE(is_authority(host));
    }
}

TEST_CASE("a NUL ends no address", "[gateway][target]") { CHECK_FALSE(is_authority(std::string("[::1\0 x]:80", 11))); }

TEST_CASE("pages are the public service's, with its counts and without CORS", "[gateway][route]") {
    for (std::string const path : {"/careers", "/careers/acme", "/interviews/tok3n/cancel", "/widget/v1.js"}) {
        INFO(path);
        auto const* const found = find_route(path);
        REQUIRE(found != nullptr);
        CHECK(found->to == service::public_api);
        CHECK(found->to == find_route("/api/public/v1")->to); // by which requests are counted
        CHECK_FALSE(found->open_to_browsers);
        CHECK(found->for_people);
        CHECK_FALSE(found->takes_credentials());
    }
    for (std::string const path : {"/career", "/careersx", "/Careers", "/widgets/v1.js"})
        CHECK(find_route(path) == nullptr);
}

TEST_CASE("the console is auth-api's, with credentials, for people", "[gateway][route]") {
    for (std::string const path : {"/console", "/console/sign-in", "/console/api/session"}) {
        INFO(path);
        auto const* const found = find_route(path);
        REQUIRE(found != nullptr);
        CHECK(found->to == service::auth_api);
        CHECK(found->takes_credentials());
        CHECK(found->for_people);
        CHECK_FALSE(found->open_to_browsers);
        CHECK_FALSE(found->is_documents);
        CHECK(found->policy() == rate_policy::console);
    }
    for (std::string const path : {"/consoles", "/Console", "/consol"}) CHECK(find_route(path) == nullptr);
}

TEST_CASE("the two APIs' prefixes, the pages, and nothing else", "[gateway][route]") {
    REQUIRE(find_route("/api/v1") != nullptr);
    CHECK(find_route("/api/v1")->to == service::auth_api);
    CHECK(find_route("/api/v1/")->to == service::auth_api);
    CHECK(find_route("/api/v1/me")->to == service::auth_api);
    CHECK(find_route("/api/v1/me")->policy() == rate_policy::api);
    CHECK(find_route("/api/public/v1/jobs")->policy() == rate_policy::public_api);
    CHECK(find_route("/careers/acme")->policy() == rate_policy::public_api);
    CHECK(find_route("/api/public/v1/jobs")->to == service::public_api);
    for (std::string const path : {"/", "/api", "/api/", "/api/v10", "/api/v1x/me", "/api/v2/me", "/API/V1/me",
                                   "/api/public", "/api/public/v1x", "/healthz", "/metrics", "*"}) {
        INFO(path);
        CHECK(find_route(path) == nullptr);
    }
    auto nested = default_routes;
    nested[0].prefix = "/api";
    CHECK(find_route("/api/public/v1/jobs", nested)->to == service::public_api);
    CHECK(find_route("/api/public", nested)->to == service::auth_api);
}

} // namespace target_test
