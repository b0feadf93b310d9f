// Which requests come from the console's own pages.
#include "auth/session.hpp"
#include "auth_api/console/cross_site.hpp"
#include "support/catch.hpp"

namespace cross_site_test {
using namespace recruiting;
using namespace recruiting::auth_api::console;

namespace {

using fields = std::vector<std::pair<std::string_view, std::string_view>>;

constexpr std::string_view url = "https://jobs.example.com";
std::string const secret(43, 's');

http::request request_of(std::string_view method, fields headers) {
    http::request out;
    out.method = method;
    out.headers = std::move(headers);
    return out;
}
bool is_taken(fields headers, std::string_view method = "POST") {
    auto const refused = refuse_cross_site(request_of(method, std::move(headers)), url);
    if (refused) CHECK(refused->code == error_code::cross_site_request);
    return !refused;
}

} // namespace

TEST_CASE("GET and HEAD are not checked, every other method is", "[console][csrf]") {
    CHECK(is_taken({}, "GET"));
    CHECK(is_taken({{"Sec-Fetch-Site", "cross-site"}}, "HEAD"));
    for (std::string_view const method : {"POST", "PUT", "PATCH", "DELETE", "OPTIONS", "get"}) {
        INFO(method);
        CHECK_FALSE(is_taken({}, method));
    }
}

TEST_CASE("the browser's word decides before Origin", "[console][csrf]") {
    CHECK(is_taken({{"Sec-Fetch-Site", "same-origin"}}));
    CHECK(is_taken({{"sec-fetch-site", "same-origin"}, {"Origin", "null"}}));
    for (std::string_view const site :
         {"same-site", "cross-site", "none", "", "same-origin, same-origin", "Same-Origin"})
        CHECK_FALSE(is_taken({{"Sec-Fetch-Site", site}, {"Origin", url}}));
    CHECK_FALSE(is_taken({{"Sec-Fetch-Site", "same-origin"}, {"Sec-Fetch-Site", "cross-site"}}));
}

TEST_CASE("without the browser's word, Origin must be the public URL's", "[console][csrf]") {
    CHECK(is_taken({{"Origin", url}}));
    for (std::string_view const origin :
         {"", "null", "http://jobs.example.com", "https://jobs.example.com.evil.example", "https://evil.example",
          "https://jobs.example.com:8443"})
        CHECK_FALSE(is_taken({{"Origin", origin}}));
    CHECK_FALSE(is_taken({{"Origin", url}, {"Origin", "https://evil.example"}}));
    CHECK_FALSE(is_taken({{"Referer", "https://jobs.example.com/console"}}));
}

TEST_CASE("a session's request has the session's own token", "[console][csrf]") {
    auto const right = auth::csrf_token(secret);
    auto const other = auth::csrf_token(std::string(43, 'o'));
    CHECK_FALSE(refuse_without_token(request_of("POST", {{"X-CSRF-Token", right}}), secret));
    CHECK_FALSE(refuse_without_token(request_of("GET", {}), secret));
    for (auto const& headers :
         {fields{}, fields{{"X-CSRF-Token", ""}}, fields{{"X-CSRF-Token", other}}, fields{{"X-CSRF-Token", secret}},
          fields{{"X-CSRF-Token", right}, {"X-CSRF-Token", right}}}) {
        auto const refused = refuse_without_token(request_of("POST", headers), secret);
        REQUIRE(refused);
        CHECK(refused->code == error_code::cross_site_request);
    }
}

} // namespace cross_site_test
