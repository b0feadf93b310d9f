// What the edge tells of a key that was sent to the public API.
#include "core/text.hpp"
#include "gateway/answers/credential_exposure.hpp"
#include "gateway/forwarded_head.hpp"
#include "gateway/phases.hpp"
#include "support/catch.hpp"

namespace exposure_test {
using namespace recruiting;
using namespace recruiting::gateway;

namespace {

request_context x;
std::string const key = "sp_test_" + std::string(34, 'k') + "3hPBeM"; // with its checksum
std::string const escaped = "%73p%5Ftest%5f" + std::string(34, 'k') + "3hPBeM";

void read(std::string const& line, std::string const& fields) {
    x.reset();
    x.head_text = line + " HTTP/1.1\r\nHost: api.example\r\n" + fields + "\r\n";
    REQUIRE_FALSE(read_request(x));
    x.client = *parse_ip("203.0.113.7");
    x.request_id = "request-1";
}

std::string report(exposed_key const& found) {
    std::string out;
    append_exposure_report(out, x, found, "127.0.0.1:8082");
    return out;
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
        CHECK(found->secret == key);
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

TEST_CASE("the report is a safe request without credentials and body", "[gateway][exposure]") {
    read("POST /api/public/v1/scheduling/a/b/bookings?x=1",
         "Authorization: Bearer " + key + "\r\nCookie: c=1\r\nUser-Agent: browser/1\r\nContent-Length: 5\r\n");
    CHECK(report(*find_exposure(x.head)) ==
          "HEAD /api/public/v1/scheduling/a/b/bookings HTTP/1.1\r\nHost: api.example\r\n"
          "X-Exposed-Credential: POST Authorization " +
              key +
              "\r\nX-Forwarded-For: 203.0.113.7\r\n"
              "X-Request-Id: request-1\r\nUser-Agent: browser/1\r\nConnection: close\r\n\r\n");
    read("GET /careers/" + escaped, "User-Agent: " + key + "\r\n");
    auto const text = report(*find_exposure(x.head));
    CHECK(text.starts_with("HEAD /careers HTTP/1.1\r\n"));
    CHECK(text.find("User-Agent: ") == std::string::npos);
    x.reset();
    x.head_text = text; // what it sends, it would refuse from a client
    REQUIRE_FALSE(read_request(x));
    CHECK(find_exposure(x.head)->location == exposure_field);
}

TEST_CASE("a client can't send the edge's own field", "[gateway][exposure][rewrite]") {
    for (auto const& line : {std::string("GET /api/v1/me"), "GET " + page}) {
        read(line, "X-Exposed-Credential: GET Authorization x\r\nx-exposed-credential: y\r\nX-Own: 1\r\n");
        std::string out;
        append_request_head(out, x, "127.0.0.1:8082");
        CHECK(out.find("xposed") == std::string::npos);
        CHECK(out.find("X-Own: 1") != std::string::npos);
    }
    x.reset();
    x.head_text = "GET /api/v1/me HTTP/1.1\r\nHost: a\r\nX_Exposed_Credential: x\r\n\r\n";
    CHECK(read_request(x));
}

TEST_CASE("reports that wait are bounded, a client with several gives its last for the first of another",
          "[gateway][exposure]") {
    auto const client = [](int number) { return *parse_ip("203.0.113." + std::to_string(number)); };
    waiting_reports waiting;
    for (std::size_t i = 0; i < waiting_reports::most; ++i) waiting.add(client(1))->text = std::to_string(i);
    CHECK(waiting.add(client(1)) == nullptr);
    for (int other = 2; other < 5; ++other) waiting.add(client(other))->text = "other";
    CHECK(waiting.add(client(2)) == nullptr);
    std::vector<std::string> texts;
    for (auto const& one : waiting.list) texts.push_back(one.text);
    REQUIRE(texts.size() == waiting_reports::most);
    CHECK(texts.front() == "0");
    CHECK(texts[60] == "60");
    CHECK(texts[61] == "other");
}

TEST_CASE("when each client has one report waiting there is no room", "[gateway][exposure]") {
    waiting_reports waiting;
    for (std::size_t i = 0; i < waiting_reports::most; ++i)
        CHECK(waiting.add(*parse_ip("203.0.113." + std::to_string(i))) != nullptr);
    CHECK(waiting.is_full());
    CHECK(waiting.add(*parse_ip("192.0.2.1")) == nullptr);
}

} // namespace exposure_test
