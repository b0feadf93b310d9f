// What a browser carries to the provider and back.
#include "auth_api/console/oidc/flow.hpp"
#include "core/text.hpp"
#include "support/catch.hpp"

namespace flow_test {
using namespace recruiting;
using namespace recruiting::auth_api::oidc;
using namespace std::chrono_literals;

constexpr timestamp noon{std::chrono::seconds{1'800'000'000}};
std::string const pepper(32, 'p');
pepper_pair const peppers{pepper, {}};

oidc_settings settings() {
    oidc_settings out;
    out.issuer = "https://id.example";
    out.client_id = "console";
    return out;
}

// The value in a Set-Cookie field.
std::string value_of(std::string const& cookie) {
    auto const begin = cookie.find('=') + 1;
    return cookie.substr(begin, cookie.find(';') - begin);
}

TEST_CASE("a sign-in is read back from its cookie, and from nothing else", "[oidc]") {
    auto const config = settings();
    auto const begun = begin_flow(config, "/console/members?role=admin", noon);
    auto const sealed = value_of(set_flow_cookie(begun, pepper, false));
    auto const read = open_flow(sealed, peppers, config, noon + 5min);
    REQUIRE(read);
    CHECK(read->state == begun.state);
    CHECK(read->nonce == begun.nonce);
    CHECK(read->verifier == begun.verifier);
    CHECK(read->started == noon);
    CHECK(read->return_to == "/console/members?role=admin");
    for (auto const& secret : {begun.state, begun.nonce, begun.verifier})
        CHECK(from_base64url(sealed)->find(secret) == std::string::npos);

    CHECK_FALSE(open_flow(sealed, pepper_pair{std::string(32, 'q'), {}}, config, noon));
    CHECK_FALSE(open_flow(sealed.substr(4), peppers, config, noon));
    for (auto const* const text : {"", "a", "!", "AAAA"}) CHECK_FALSE(open_flow(text, peppers, config, noon));
}

TEST_CASE("a sign-in ends after ten minutes, and with its provider or client", "[oidc]") {
    auto const config = settings();
    auto const sealed = value_of(set_flow_cookie(begin_flow(config, "/console", noon), pepper, false));
    CHECK(open_flow(sealed, peppers, config, noon + 10min));
    CHECK_FALSE(open_flow(sealed, peppers, config, noon + 10min + 1s));
    CHECK(open_flow(sealed, peppers, config, noon - 30s)); // clocks of two instances
    CHECK_FALSE(open_flow(sealed, peppers, config, noon - 2min));
    auto other = config;
    other.issuer = "https://id.example/";
    CHECK_FALSE(open_flow(sealed, peppers, other, noon));
    other = config;
    other.client_id = "other";
    CHECK_FALSE(open_flow(sealed, peppers, other, noon));
}

TEST_CASE("state, nonce and verifier are new each time", "[oidc]") {
    auto const one = begin_flow(settings(), "/console", noon);
    auto const two = begin_flow(settings(), "/console", noon);
    CHECK(one.state.size() == 43);
    CHECK(one.verifier.size() == 43); // RFC 7636 section 4.1
    CHECK(one.state != two.state);
    CHECK(one.nonce != two.nonce);
    CHECK(one.verifier != two.verifier);
    CHECK(one.state != one.nonce);
    CHECK(one.nonce != one.verifier);
    CHECK(hash_flow(pepper, one) != hash_flow(pepper, two));
}

TEST_CASE("the cookie is out of reach of scripts and, under https, of other hosts", "[oidc]") {
    auto const begun = begin_flow(settings(), "/console", noon);
    auto const plain = set_flow_cookie(begun, pepper, false);
    CHECK(plain.starts_with("sp_oidc="));
    CHECK(plain.ends_with("; Path=/; HttpOnly; SameSite=Lax; Max-Age=600"));
    auto const secure = set_flow_cookie(begun, pepper, true);
    CHECK(secure.starts_with("__Host-sp_oidc="));
    CHECK(secure.ends_with("; Path=/; HttpOnly; SameSite=Lax; Max-Age=600; Secure"));
    CHECK(clear_flow_cookie(false) == "sp_oidc=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
}

TEST_CASE("the request to the provider holds what OpenID Connect and PKCE ask for", "[oidc]") {
    auto begun = begin_flow(settings(), "/console", noon);
    begun.state = "S";
    begun.nonce = "N";
    begun.verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"; // RFC 7636 appendix B
    std::string const parameters =
        "response_type=code&client_id=console&redirect_uri=https%3A%2F%2Fjobs.example%2Fconsole%2Fapi%2Foidc%2Fcallback"
        "&scope=openid%20email&state=S&nonce=N&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        "&code_challenge_method=S256";
    CHECK(authorization_url("https://id.example/auth", settings(), begun, "https://jobs.example") ==
          "https://id.example/auth?" + parameters);
    CHECK(authorization_url("https://id.example/auth?realm=a", settings(), begun, "https://jobs.example") ==
          "https://id.example/auth?realm=a&" + parameters);
}

TEST_CASE("the browser returns to a page of the console, never elsewhere", "[oidc]") {
    for (auto const* const path :
         {"/console", "/console/", "/console/members", "/console/audit?from=2026-01-01&q=a%20b",
          "/console?x=//evil.example", "/console/apixy", "/console/api-access"})
        CHECK(is_return_path(path));
    for (auto const* const path : {"",
                                   "/",
                                   "console",
                                   "/consolex",
                                   "//evil.example/console",
                                   "https://evil.example/console",
                                   "/\\evil.example",
                                   "/console\\..\\..",
                                   "/console/../api/v1",
                                   "/console/./x",
                                   "/console/%2e%2e/x",
                                   "/console/.%2E/x",
                                   "/console//evil.example",
                                   "/console/api",
                                   "/console/api/session",
                                   "/console/api?x",
                                   "/console/\tx",
                                   "/console/x\r\nSet-Cookie: a=b",
                                   "/console/%zz",
                                   "/console/x#y",
                                   "/console/é",
                                   "/console/a b"}) {
        INFO(path);
        CHECK_FALSE(is_return_path(path));
    }
    CHECK_FALSE(is_return_path("/console/" + std::string(500, 'a')));
}

TEST_CASE("a sign-in that began under the previous pepper is finished under the new one", "[oidc]") {
    auto const config = settings();
    auto const begun = begin_flow(config, "/console", noon);
    auto const sealed = value_of(set_flow_cookie(begun, pepper, false));
    auto const read = open_flow(sealed, pepper_pair{std::string(32, 'q'), pepper}, config, noon);
    REQUIRE(read);
    CHECK(read->state == begun.state);
    CHECK_FALSE(open_flow(sealed, pepper_pair{std::string(32, 'q'), std::string(32, 'r')}, config, noon));
}

} // namespace flow_test
