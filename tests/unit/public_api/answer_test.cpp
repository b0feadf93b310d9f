// What surrounds every answer of the public API: validators, CORS.
#include "public_api/http/answer.hpp"
#include "support/catch.hpp"

namespace answer_test {
using namespace recruiting;
using namespace recruiting::public_api;

namespace {

std::string value_of(http::response const& answer, std::string_view name) {
    std::string all;
    for (auto const& [field, value] : answer.headers)
        if (field == name) all += (all.empty() ? "" : " and ") + value;
    return all;
}

http::request asking(std::string_view method, std::string_view if_none_match = {}, std::string_view encoding = {}) {
    http::request request;
    request.method = method;
    if (!if_none_match.empty()) request.headers.emplace_back("If-None-Match", if_none_match);
    if (!encoding.empty()) request.headers.emplace_back("Accept-Encoding", encoding);
    return request;
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

TEST_CASE("200 to GET may be kept and becomes 304, all else may not be kept", "[public_api]") {
    body_cache cache(1000);
    http::response answer;
    answer.body = "{}";
    make_cacheable(answer, asking("GET"), cache);
    REQUIRE(answer.status == 200);
    REQUIRE(value_of(answer, "Cache-Control") == "public, max-age=60, stale-while-revalidate=300");
    REQUIRE(value_of(answer, "ETag") == etag_of("{}"));

    http::response again;
    again.shared_body = std::make_shared<std::string const>("{}");
    make_cacheable(again, asking("HEAD", etag_of("{}")), cache);
    REQUIRE(again.status == 304);
    REQUIRE(again.content().empty());
    REQUIRE(value_of(again, "ETag") == etag_of("{}"));

    http::response missing;
    missing.status = 404;
    make_cacheable(missing, asking("GET", "*"), cache);
    REQUIRE(missing.status == 404);
    REQUIRE(value_of(missing, "Cache-Control") == "no-store");
    REQUIRE(value_of(missing, "ETag").empty());

    http::response posted;
    make_cacheable(posted, asking("POST", "*"), cache);
    REQUIRE(posted.status == 200);
    REQUIRE(value_of(posted, "Cache-Control") == "no-store");
}

TEST_CASE("an answer's own Cache-Control and ETag stay", "[public_api]") {
    body_cache cache(1000);
    http::response own;
    own.body = "x";
    own.add("Cache-Control", "public, max-age=3600");
    own.add("ETag", R"("mine")");
    make_cacheable(own, asking("GET"), cache);
    REQUIRE(value_of(own, "Cache-Control") == "public, max-age=3600");
    REQUIRE(value_of(own, "ETag") == R"("mine")");

    http::response secret;
    secret.body = std::string(10'000, 'x');
    secret.add("Cache-Control", "private, no-store");
    make_cacheable(secret, asking("GET", "*", "gzip"), cache);
    REQUIRE(secret.status == 200);
    REQUIRE(secret.headers.size() == 1); // neither a validator nor compressed
}

TEST_CASE("a larger text is compressed where that is wanted, and is another representation then", "[public_api]") {
    body_cache cache(100'000);
    std::string const text = R"({"data":")" + std::string(5000, 'x') + "\"}";
    auto const ask = [&](std::string_view accept_encoding, std::string_view if_none_match = {}) {
        http::response answer;
        answer.body = text;
        make_cacheable(answer, asking("GET", if_none_match, accept_encoding), cache);
        REQUIRE(value_of(answer, "Vary") == "Accept-Encoding");
        return answer;
    };
    auto const plain = ask("br");
    auto const small = ask("br, gzip");
    REQUIRE(plain.content() == text);
    REQUIRE(value_of(plain, "Content-Encoding").empty());
    REQUIRE(value_of(small, "Content-Encoding") == "gzip");
    REQUIRE(small.content().size() < 200);
    REQUIRE(small.content().starts_with("\x1f\x8b"));
    REQUIRE(ask("gzip").shared_body == small.shared_body); // compressed once
    auto const plain_tag = value_of(plain, "ETag");
    auto const small_tag = value_of(small, "ETag");
    REQUIRE(plain_tag != small_tag);
    REQUIRE(ask("gzip", small_tag).status == 304);
    REQUIRE(ask("", plain_tag).status == 304);
    REQUIRE(ask("gzip", plain_tag).status == 200);
    REQUIRE(ask("", small_tag).status == 200);
}

TEST_CASE("neither short bodies nor images are compressed", "[public_api]") {
    body_cache cache(100'000);
    http::response little;
    little.body = "{}";
    make_cacheable(little, asking("GET", "", "gzip"), cache);
    REQUIRE(value_of(little, "Content-Encoding").empty());
    REQUIRE(value_of(little, "Vary").empty());
    http::response image;
    image.content_type = "image/png";
    image.body = std::string(5000, 'x');
    make_cacheable(image, asking("GET", "", "gzip"), cache);
    REQUIRE(value_of(image, "Content-Encoding").empty());
}

TEST_CASE("bodies are kept up to a size, the least recently used go first", "[public_api]") {
    auto const make = [] { return std::string(1000, 'x'); };
    body_cache cache(2000);
    auto const a = cache.get("a", make);
    auto const b = cache.get("b", make);
    REQUIRE(cache.get("a", make) == a);
    auto const c = cache.get("c", make); // b goes
    REQUIRE(cache.size() == 2);
    REQUIRE(cache.get("a", make) == a);
    REQUIRE(cache.get("b", make) != b);
    body_cache none(0);
    REQUIRE(none.get("a", make)->size() == a->size());
    REQUIRE(none.size() == 0);
}

TEST_CASE("CORS: everyone may read, no one with credentials", "[public_api]") {
    auto answer = preflight();
    allow_all_origins(answer);
    REQUIRE(answer.status == 204);
    REQUIRE(value_of(answer, "Access-Control-Allow-Origin") == "*");
    REQUIRE(value_of(answer, "Access-Control-Allow-Methods") == "GET, HEAD, POST, OPTIONS");
    REQUIRE(value_of(answer, "Access-Control-Allow-Headers") ==
            "Content-Type, Accept, If-None-Match, X-Request-Id, traceparent");
    REQUIRE(value_of(answer, "Access-Control-Max-Age") == "86400");
    REQUIRE(value_of(answer, "Access-Control-Expose-Headers") ==
            "Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, ETag, Link");
    REQUIRE(value_of(answer, "Access-Control-Allow-Credentials").empty());
}

} // namespace answer_test
