// Finding what is shaped like an API key's secret.
#include "auth/api_key.hpp"
#include "core/ids.hpp"
#include "core/text.hpp"
#include "crypto/api_key_form.hpp"
#include "http/problem.hpp"
#include "support/catch.hpp"

#include <algorithm>

namespace key_scan_test {
using namespace recruiting;
using namespace recruiting::http;

namespace {

std::string const key = generate_secret(environment::test);

std::string encoded(std::string text) {
    std::string out;
    for (char const c : text) out += "%" + to_hex(std::string(1, c));
    return out;
}

std::string found_in(std::string_view value) {
    auto const found = find_key_in_field("X-Field", value);
    return found ? found->displayed_prefix : std::string();
}

} // namespace

TEST_CASE("every generated secret is found, wherever it stands in a text", "[http][key]") {
    for (int i = 0; i < 50; ++i) {
        auto const made = generate_secret(i % 2 == 0 ? environment::test : environment::live);
        for (auto const& text : {made, "Bearer " + made, "x" + made + "y", "sp_test_ sp_" + made, "a=1; k=" + made,
                                 "?k=" + encoded(made) + "&x=1", "100% %zz s%7 " + encoded(made),
                                 made.substr(0, 20) + encoded(made.substr(20)), encoded("s") + made.substr(1)}) {
            INFO(text);
            CHECK(find_key(text) == made);
            CHECK(found_in(text) == displayed_prefix(made));
        }
        CHECK(found_in("Basic " + to_base64url("user:" + made)) == displayed_prefix(made));
        CHECK(found_in("bAsIc\t" + to_base64url(made + ":")) == displayed_prefix(made));
    }
}

TEST_CASE("what has not the form of a key is not found: prefix, 40 characters and the right checksum", "[http][key]") {
    auto mistyped = key;
    mistyped.back() = mistyped.back() == '0' ? '1' : '0';
    auto other_prefix = key;
    other_prefix.replace(3, 4, "demo");
    auto upper = key;
    upper.replace(0, 8, "SP_TEST_");
    for (auto const& text : {std::string(),
                             std::string("sp_"),
                             std::string("sp_test_"),
                             std::string("sp_live_short"),
                             "sp_test_" + std::string(40, 'a'),
                             mistyped,
                             other_prefix,
                             upper,
                             key.substr(0, 47),
                             key.substr(0, 47) + "-",
                             std::string("Bearer eyJhbGciOiJIUzI1NiJ9.e30.abc"),
                             std::string("Basic"),
                             std::string("Basic "),
                             std::string("Basic !!!"),
                             std::string("Basic YTpi"),
                             std::string("%"),
                             std::string("%zz"),
                             std::string("100%"),
                             std::string("%7"),
                             std::string("s%")}) {
        INFO(text);
        CHECK(found_in(text).empty());
    }
    CHECK(found_in("Bearer " + to_base64url("user:" + key)).empty());
}

TEST_CASE("both alphabets of base64 are read in Basic credentials", "[http][key]") {
    for (int i = 0; i < 64; ++i) {
        auto const text = to_base64url(std::string(1, static_cast<char>(i * 4)) + "\xFF\xFE:" + key);
        auto standard = text;
        std::replace(standard.begin(), standard.end(), '-', '+');
        std::replace(standard.begin(), standard.end(), '_', '/');
        CHECK(found_in("Basic " + text) == displayed_prefix(key));
        CHECK(found_in("Basic " + standard + "==") == displayed_prefix(key));
    }
}

TEST_CASE("the place of a key is named, never the key", "[http][key]") {
    CHECK(find_key_in_target("/a/" + key)->location == "path");
    CHECK(find_key_in_target("/a?b=" + key)->location == "query");
    CHECK(find_key_in_target("/" + encoded(key) + "?b=" + key)->location == "path");
    CHECK_FALSE(find_key_in_target("/a?b=sp_test_c"));
    CHECK(find_key_in_field(key, "x")->location == "header");
    CHECK(find_key_in_field("X-Api-Key", key)->displayed_prefix == key.substr(0, 12));
    for (auto const* place : {"query", "path", "body", "header", "X-Api-Key"}) {
        auto const error = key_not_allowed(place);
        REQUIRE(error.details.size() == 1);
        CHECK(error.details[0].reason == "api_key");
        CHECK((error.details[0].field == "X-Api-Key") == (std::string_view(place) == "X-Api-Key"));
    }
}

TEST_CASE("a key is no request id: ids are written to logs", "[key][ids]") {
    CHECK_FALSE(is_request_id(key));
    CHECK_FALSE(is_request_id("x-sp_live_abc"));
    CHECK(is_request_id("sp_lively-1"));
    CHECK(request_id_for(key) != key);
}

} // namespace key_scan_test
