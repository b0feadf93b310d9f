// A key that was sent to the public API is found, and its request refused.
#include "core/text.hpp"
#include "gateway/answers/credential_exposure.hpp"
#include "gateway/forwarded_head.hpp"
#include "gateway/phases.hpp"
#include "support/catch.hpp"

namespace exposure_test {
using namespace recruiting;
using namespace recruiting::gateway;

namespace {

client_request x;
std::string const key = "sp_test_" + std::string(34, 'k') + "3hPBeM"; // with its checksum
std::string const escaped = "%73p%5Ftest%5f" + std::string(34, 'k') + "3hPBeM";

void read(std::string const& line, std::string const& fields) {
    x.reset();
    x.head_text = line + " HTTP/1.1\r\nHost: api.example\r\n" + fields + "\r\n";
    REQUIRE_FALSE(read_request(x));
    x.client = *parse_ip("203.0.113.7");
    x.request_id = "request-1";
}

std::string const page = "/api/public/v1/jobs";

} // namespace

TEST_CASE("a whole key is found wherever it stands, and its request refused", "[gateway][exposure]") {
    struct row {
        std::string line, fields, place;
    };
    for (auto const& [line, fields, place] : std::initializer_list<row>{
             {"GET " + page, "Authorization: Bearer " + key + "\r\n", "Authorization"},
             {"GET " + page, "Authorization: Basic " + to_base64url(key + ":") + "\r\n", "Authorization"},
             {"GET " + page, "X-Api-Key: " + key + "\r\n", "X-Api-Key"},
             {"GET " + page, "Cookie: a=1; k=" + key + "\r\n", "Cookie"},
             {"GET " + page, "Cookie: k=" + escaped + "\r\n", "Cookie"},
             {"GET " + page, "Referer: https://a.example/?" + escaped + "\r\n", "Referer"},
             {"GET " + page, "Proxy-Authorization: Basic " + to_base64url("u:" + key) + "\r\n", "Proxy-Authorization"},
             {"GET " + page, "X-Request-Id: " + key + "\r\n", "X-Request-Id"},
             {"GET " + page, key + ": 1\r\n", "header"},
             {"GET " + page + "?key=" + key, "", "query"},
             {"GET " + page + "?" + escaped, "", "query"},
             {"POST /careers/" + key, "", "path"},
             {"GET /widget/" + escaped, "", "path"}}) {
        INFO(line << " " << fields);
        read(line, fields);
        CHECK(x.request_id != key);
        auto const found = find_exposure(x.head);
        REQUIRE(found);
        CHECK(found->displayed_prefix == "sp_test_kkkk");
        CHECK(found->location == place);
        auto const refused = admit(x, {});
        REQUIRE(refused);
        CHECK(refused->error.code == error_code::credential_not_allowed);
        for (auto const& detail : refused->error.details) CHECK(detail.field.find("kkkk") == std::string::npos);
    }
}

TEST_CASE("the public API ignores other Authorization values and text that merely contains sp_test_",
          "[gateway][exposure]") {
    auto const mistyped = key.substr(0, 47) + "x";
    for (std::string const fields :
         {"Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.e30.abc\r\n", "Authorization: Basic YTpi\r\n",
          "X-Api-Key: sp_live_short\r\n", "Referer: https://a.example/sp_test_ideas\r\n", "Cookie: a=1\r\n"}) {
        read("GET " + page + "?q=sp_test_", fields);
        CHECK_FALSE(admit(x, {}));
        CHECK_FALSE(find_exposure(x.head));
    }
    read("GET " + page + "?q=" + mistyped, "Authorization: Bearer " + mistyped + "\r\n");
    CHECK_FALSE(admit(x, {}));
    std::string out;
    append_request_head(out, x, "127.0.0.1:8082");
    CHECK(out.find("Authorization") == std::string::npos);
}

} // namespace exposure_test
