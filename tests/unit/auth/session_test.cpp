// The cookie of the console's sessions, and what is made of it.
#include "auth/api_key.hpp"
#include "auth/session.hpp"
#include "support/catch.hpp"

namespace session_test {
using namespace recruiting;
using namespace recruiting::auth;

namespace {

std::string const secret(43, 'a');

error_code code_of(result<std::string_view> const& read) { return read.error().code; }

} // namespace

TEST_CASE("a session's secret is 32 random bytes, and each is another", "[auth][session]") {
    auto const made = new_session_secret();
    CHECK(has_session_secret_form(made));
    CHECK(made != new_session_secret());
    for (std::string const text : {"", "a", "sp_test_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"})
        CHECK_FALSE(has_session_secret_form(text));
    CHECK_FALSE(has_session_secret_form(std::string(42, 'a') + "="));
}

TEST_CASE("the cookie is read by its name alone", "[auth][session]") {
    CHECK(read_session_cookie("sp_session=" + secret, false).value() == secret);
    CHECK(read_session_cookie("a=b; sp_session=" + secret + "; c=d", false).value() == secret);
    CHECK(read_session_cookie("__Host-sp_session=" + secret, true).value() == secret);
    CHECK(code_of(read_session_cookie("", false)) == error_code::missing_credential);
    CHECK(code_of(read_session_cookie("xsp_session=" + secret, false)) == error_code::missing_credential);
    CHECK(code_of(read_session_cookie("SP_SESSION=" + secret, false)) == error_code::missing_credential);
}

TEST_CASE("under https only the cookie that other hosts can't set counts", "[auth][session]") {
    CHECK(code_of(read_session_cookie("sp_session=" + secret, true)) == error_code::missing_credential);
    CHECK(code_of(read_session_cookie("__Host-sp_session=" + secret, false)) == error_code::missing_credential);
}

TEST_CASE("a cookie that is there twice, or holds no secret, opens nothing", "[auth][session]") {
    auto const twice = "sp_session=" + secret + "; sp_session=" + std::string(43, 'b');
    CHECK(code_of(read_session_cookie(twice, false)) == error_code::invalid_credential);
    CHECK(code_of(read_session_cookie("sp_session=", false)) == error_code::invalid_credential);
    CHECK(code_of(read_session_cookie("sp_session", false)) == error_code::invalid_credential);
    CHECK(code_of(read_session_cookie("sp_session=x", false)) == error_code::invalid_credential);
}

TEST_CASE("the cookie is out of reach of scripts and of other sites", "[auth][session]") {
    CHECK(set_session_cookie("s", false) == "sp_session=s; Path=/; HttpOnly; SameSite=Lax");
    CHECK(set_session_cookie("s", true) == "__Host-sp_session=s; Path=/; HttpOnly; SameSite=Lax; Secure");
    CHECK(clear_session_cookie(true) == "__Host-sp_session=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0");
}

TEST_CASE("what is stored, and the CSRF token, differ from each other and from keys' hashes", "[auth][session]") {
    std::string const pepper(32, 'p');
    CHECK(hash_session(pepper, secret) != hash_session(std::string(32, 'q'), secret));
    CHECK(hash_session(pepper, secret) != hash_secret(pepper, secret));
    CHECK(hash_sign_in_token(secret) != sha256(secret));
    CHECK(csrf_token(secret) == csrf_token(secret));
    CHECK(csrf_token(secret) != csrf_token(std::string(43, 'b')));
    CHECK(csrf_token(secret).find(secret) == std::string::npos);
}

TEST_CASE("a bearer token beside a session's cookie of either name is refused", "[auth][session]") {
    auto const key = generate_secret(environment::test);
    auto const authorization = "Bearer " + key;
    for (std::string const name : {"sp_session", "__Host-sp_session"}) {
        auto const cookies = "a=b; " + name + "=" + secret;
        auto const read = read_credential({authorization, 1, cookies}, environment::test);
        REQUIRE_FALSE(read.has_value());
        CHECK(read.error().code == error_code::invalid_request);
        CHECK(read.error().details.at(0).reason == "multiple_credentials");
    }
    CHECK(read_credential({authorization, 1, "sp_sessions=x"}, environment::test).value() == key);
}

} // namespace session_test
