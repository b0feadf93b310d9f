// Finding what is shaped like an API key's secret.
#include "auth/api_key.hpp"
#include "core/ids.hpp"
#include "core/seen_lately.hpp"
#include "core/text.hpp"
#include "http/key_scan.hpp"
#include "support/catch.hpp"

using namespace recruiting;
using namespace recruiting::http;

namespace {

std::string const body(40, 'a');
std::string const key = "sp_test_" + body;

std::string encoded(std::string text) {
    std::string out;
    for (char const c : text) out += "%" + to_hex(std::string(1, c));
    return out;
}

} // namespace

TEST_CASE("every generated secret is found, wherever it stands in a text", "[http][key]") {
    for (int i = 0; i < 50; ++i) {
        auto const made = generate_secret(i % 2 == 0 ? environment::test : environment::live).secret;
        for (auto const& text : {made, "Bearer " + made, "x" + made + "y", "sp_test_ sp_" + made, "a=1; k=" + made}) {
            INFO(text);
            CHECK(find_key(text) == made);
            CHECK(find_encoded_key(text) == made);
            CHECK(find_key_in_field(text) == made);
        }
        CHECK(find_encoded_key("?k=" + encoded(made) + "&x=1") == made);
        CHECK(find_key_in_field("Basic " + to_base64url("user:" + made)) == made);
        CHECK(find_key_in_field("bAsIc\t" + to_base64url(made + ":")) == made);
    }
}

TEST_CASE("what is not shaped like one is not found", "[http][key]") {
    for (std::string const text :
         {"", "sp_", "sp_test_", "sp_live_short", "sp_demo_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
          "SP_TEST_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "Basic", "Basic ", "Basic !!!", "Basic YTpi", "%", "%zz",
          "100%"}) {
        INFO(text);
        CHECK(find_key_in_field(text).empty());
    }
    CHECK(find_key("sp_test_" + std::string(39, 'a')).empty());
    CHECK(find_key("sp_test_" + std::string(39, 'a') + "-").empty());
    CHECK(find_encoded_key("%zz" + encoded(key)).empty()); // no URI at all
    CHECK(basic_credentials("Bearer YTpi").empty());
    CHECK(basic_credentials("Basic YTpi==") == "a:b");
    CHECK(basic_credentials("Basic +/+/") == basic_credentials("Basic -_-_")); // both alphabets of base64
}

TEST_CASE("a key is no request id: ids are written to logs", "[key][ids]") {
    CHECK_FALSE(is_request_id(key));
    CHECK_FALSE(is_request_id("x-sp_live_abc"));
    CHECK(is_request_id("sp_lively-1"));
    CHECK(request_id_for(key) != key);
}

TEST_CASE("something is new once in a while, in bounded memory", "[core]") {
    using std::chrono::seconds;
    seen_lately seen(3, seconds{10});
    seen_lately::clock::time_point const start{};
    CHECK(seen.is_new("a", start));
    CHECK_FALSE(seen.is_new("a", start + seconds{9}));
    CHECK(seen.is_new("a", start + seconds{10}));
    CHECK(seen.is_new("b", start + seconds{11}));
    CHECK(seen.is_new("c", start + seconds{11}));
    CHECK(seen.is_new("d", start + seconds{12})); // a is forgotten
    CHECK_FALSE(seen.is_new("b", start + seconds{12}));
    CHECK(seen.is_new("a", start + seconds{12}));
}
