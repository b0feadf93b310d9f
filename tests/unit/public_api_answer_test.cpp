// What surrounds every answer of the public API: validators, CORS, exposed keys.
#include "auth/api_key.hpp"
#include "public_api/answer.hpp"
#include "public_api/exposed_key.hpp"
#include "support/catch.hpp"

using namespace recruiting;
using namespace recruiting::public_api;

namespace {

std::string value_of(http::response const& answer, std::string_view name) {
    std::string all;
    for (auto const& [field, value] : answer.headers)
        if (field == name) all += (all.empty() ? "" : " and ") + value;
    return all;
}

http::request with_header(std::string_view name, std::string_view value) {
    http::request req;
    req.method = "GET";
    req.target = req.path = "/api/public/v1/jobs";
    req.headers.emplace_back(name, value);
    req.peer = "127.0.0.1";
    return req;
}

} // namespace

TEST_CASE("a tag is strong, depends on the body alone, and is quoted", "[public_api]") {
    auto const tag = etag_of("body");
    REQUIRE(tag.size() == 24);
    REQUIRE((tag.front() == '"' && tag.back() == '"'));
    REQUIRE(tag == etag_of("body"));
    REQUIRE(tag != etag_of("Body"));
    REQUIRE(tag.find(',') == std::string::npos);
}

TEST_CASE("If-None-Match: any, one of a list, weak ones too", "[public_api]") {
    REQUIRE(names_etag("*", "\"a\""));
    REQUIRE(names_etag("\"a\"", "\"a\""));
    REQUIRE(names_etag("W/\"a\"", "\"a\""));
    REQUIRE(names_etag("\"x,y\" , W/\"b\",\"a\"", "\"a\""));
    REQUIRE_FALSE(names_etag("\"b\"", "\"a\""));
    REQUIRE_FALSE(names_etag("a", "\"a\""));
    REQUIRE_FALSE(names_etag("", "\"a\""));
}

TEST_CASE("200 may be kept and becomes 304; errors may not be kept", "[public_api]") {
    http::response answer;
    answer.body = "{}";
    make_cacheable(answer, "");
    REQUIRE(answer.status == 200);
    REQUIRE(value_of(answer, "Cache-Control") == "public, max-age=60, stale-while-revalidate=300");
    REQUIRE(value_of(answer, "ETag") == etag_of("{}"));

    http::response again;
    again.body = "{}";
    make_cacheable(again, etag_of("{}"));
    REQUIRE(again.status == 304);
    REQUIRE(again.body.empty());
    REQUIRE(value_of(again, "ETag") == etag_of("{}"));

    http::response missing;
    missing.status = 404;
    make_cacheable(missing, "*");
    REQUIRE(missing.status == 404);
    REQUIRE(value_of(missing, "Cache-Control") == "no-store");
    REQUIRE(value_of(missing, "ETag").empty());
}

TEST_CASE("CORS: everyone may read, no one with credentials", "[public_api]") {
    auto answer = preflight();
    complete(answer, "request-1");
    REQUIRE(answer.status == 204);
    REQUIRE(value_of(answer, "Access-Control-Allow-Origin") == "*");
    REQUIRE(value_of(answer, "Access-Control-Allow-Methods") == "GET, HEAD, POST, OPTIONS");
    REQUIRE(value_of(answer, "Access-Control-Allow-Headers") == "Content-Type, Accept, If-None-Match");
    REQUIRE(value_of(answer, "Access-Control-Max-Age") == "86400");
    REQUIRE(value_of(answer, "Access-Control-Expose-Headers") ==
            "Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, ETag, Link");
    REQUIRE(value_of(answer, "Access-Control-Allow-Credentials").empty());
    REQUIRE(value_of(answer, "X-Request-Id") == "request-1");
}

TEST_CASE("an API key is recognised in any header and in the query, and never repeated", "[public_api]") {
    auto const key = generate_secret(environment::test).secret;
    auto const live = generate_secret(environment::live).secret;
    std::string encoded = key;
    encoded.replace(2, 1, "%5F").replace(0, 1, "%73");
    for (auto const& value : {"Bearer " + key, key, "x" + key + "y", "a=1; b=" + live, encoded}) {
        auto const refusal = refuse_api_key(with_header("X-Anything", value));
        INFO(value);
        REQUIRE(refusal);
        REQUIRE(refusal->code == error_code::credential_not_allowed);
        REQUIRE(refusal->details.at(0).field == "X-Anything");
        REQUIRE(refusal->message.find("sp_") == std::string::npos);
        REQUIRE(refusal->details.at(0).message.find("sp_") == std::string::npos);
    }
    for (auto const& target : {"/api/public/v1/jobs?key=" + key, "/api/public/v1/jobs?" + encoded + "=1"}) {
        auto req = with_header("Host", "x");
        req.target = target;
        auto const refusal = refuse_api_key(req);
        REQUIRE(refusal);
        REQUIRE(refusal->details.at(0).location == "query");
        REQUIRE(refusal->details.at(0).field.empty());
    }
    auto const as_name = refuse_api_key(with_header(key, "1"));
    REQUIRE(as_name);
    REQUIRE(as_name->details.at(0).field.empty());
    REQUIRE_FALSE(refuse_api_key(with_header("Authorization", "Bearer sp_test_short")));
    REQUIRE_FALSE(refuse_api_key(with_header("Authorization", "Basic YTpi")));
    REQUIRE_FALSE(refuse_api_key(with_header("X", "sp_demo_" + std::string(40, 'a'))));
}
