// What a provider says: its discovery document, what it sends the browser back with, and its token answers.
#include "auth_api/console/oidc/provider_messages.hpp"
#include "support/catch.hpp"

#include <algorithm>

namespace provider_answers_test {
using namespace recruiting;
using namespace recruiting::auth_api::oidc;

oidc_settings settings(std::string secret = "s3cret") {
    oidc_settings out;
    out.issuer = "https://id.example";
    out.client_id = "console";
    out.client_secret = std::move(secret);
    return out;
}

std::string document(std::string const& more = {}, std::string const& issuer = "https://id.example") {
    return R"({"issuer":")" + issuer +
           R"(","authorization_endpoint":"https://id.example/auth","token_endpoint":"https://id.example/token",)"
           R"("jwks_uri":"https://id.example/keys","response_types_supported":["code"])" +
           more + "}";
}

std::optional<provider_document> read(std::string const& text, oidc_settings const& config = settings()) {
    auto found = read_provider_document(text, config);
    auto* const usable = std::get_if<provider_document>(&found);
    return usable == nullptr ? std::nullopt : std::optional(*usable);
}

TEST_CASE("a discovery document serves when it is the issuer's own and its endpoints are https", "[oidc]") {
    CHECK(document_url("https://id.example/realms/a/") ==
          "https://id.example/realms/a/.well-known/openid-configuration");
    auto const plain = read(document());
    REQUIRE(plain);
    CHECK(plain->token_endpoint == "https://id.example/token");
    CHECK(plain->keys_uri == "https://id.example/keys");
    CHECK(plain->userinfo_endpoint.empty());
    CHECK_FALSE(plain->announces_issuer);
    CHECK(plain->takes_secret_in_header);
    CHECK(read(document(R"(,"authorization_response_iss_parameter_supported":true)"))->announces_issuer);
    CHECK(read(document(R"(,"userinfo_endpoint":"https://id.example/me")"))->userinfo_endpoint ==
          "https://id.example/me");

    for (auto const* const issuer :
         {"https://id.example/", "https://ID.example", "http://id.example", "https://evil.example"})
        CHECK_FALSE(read(document({}, issuer)));
    for (auto const* const text : {"", "[]", "{}", "null", "<html>"}) CHECK_FALSE(read(text));
    CHECK_FALSE(read(document(R"(,"token_endpoint":"http://id.example/token")")));
    CHECK_FALSE(read(document(R"(,"jwks_uri":"file:///etc/passwd")")));
    CHECK_FALSE(read(document(R"(,"jwks_uri":"https://user:pass@id.example/keys")")));
    CHECK_FALSE(read(document(R"(,"authorization_endpoint":"https://id.example/auth#x")")));
    CHECK_FALSE(read(document(R"(,"userinfo_endpoint":"http://id.example/me")")));
    CHECK_FALSE(read(document(R"(,"response_types_supported":["id_token"])")));
    CHECK_FALSE(read(document(R"(,"code_challenge_methods_supported":["plain"])")));
    CHECK(read(document(R"(,"jwks_uri":"http://127.0.0.1:9/keys")")));
}

TEST_CASE("the client's secret travels as the provider takes it", "[oidc]") {
    auto const with = [](std::string const& methods, oidc_settings const& config) {
        return read(document(R"(,"token_endpoint_auth_methods_supported":)" + methods), config);
    };
    CHECK(with(R"(["client_secret_post","client_secret_basic"])", settings())->takes_secret_in_header);
    CHECK_FALSE(with(R"(["client_secret_post"])", settings())->takes_secret_in_header);
    CHECK_FALSE(with(R"(["private_key_jwt"])", settings()));
    CHECK(with(R"(["none"])", settings("")));

    auto const begun = begin_flow(settings(), "/console", timestamp{});
    auto const uri = redirect_uri("https://jobs.example");
    auto const request = [&](bool in_header, oidc_settings const& config) {
        auto found = *read(document());
        found.takes_secret_in_header = in_header;
        return token_request(found, config, begun, "a b", uri);
    };
    auto const has_header = [](transfer::http_request const& one, std::string const& line) {
        return std::ranges::count(one.headers, line) == 1;
    };
    auto const common = "grant_type=authorization_code&code=a%20b&redirect_uri=https%3A%2F%2Fjobs.example%2Fconsole%2F"
                        "api%2Foidc%2Fcallback&code_verifier=" +
                        begun.verifier;
    auto odd = settings("a:b%c");
    odd.client_id = "con sole";
    auto const basic = request(true, odd);
    CHECK(basic.body == common);
    CHECK(has_header(basic, "Authorization: Basic Y29uJTIwc29sZTphJTNBYiUyNWM=")); // RFC 6749 section 2.3.1
    auto const posted = request(false, settings());
    CHECK(posted.body == common + "&client_id=console&client_secret=s3cret");
    CHECK(std::ranges::none_of(posted.headers, [](auto const& line) { return line.starts_with("Authorization"); }));
    CHECK(request(true, settings("")).body == common + "&client_id=console");
}

TEST_CASE("a token answer holds an ID Token, or the sign-in ends", "[oidc]") {
    using problem = sign_in_problem;
    auto const answer = [](unsigned status, std::string body) {
        transfer::http_answer out;
        out.status = status;
        out.body = std::move(body);
        return read_token_answer(transfer::http_result(out));
    };
    auto const good = answer(200, R"({"id_token":"a.b.c","access_token":"x-1","token_type":"bearer"})");
    REQUIRE(std::holds_alternative<token_answer>(good));
    CHECK(std::get<token_answer>(good).id_token == "a.b.c");
    CHECK(std::get<token_answer>(good).access_token == "x-1");
    auto const odd = answer(200, R"({"id_token":"a.b.c","access_token":"x\r\nHost: y","token_type":"Bearer"})");
    CHECK(std::get<token_answer>(odd).access_token.empty());

    auto const code = [](auto const& read) { return std::get<problem>(read).code; };
    CHECK(code(answer(400, R"({"error":"invalid_grant"})")) == sign_in_outcome::provider_rejected);
    CHECK(std::get<problem>(answer(400, R"({"error":"invalid_grant"})")).detail == "token: status 400 invalid_grant");
    CHECK(std::get<problem>(answer(400, R"({"error":"\u001b[31m"})")).detail == "token: status 400");
    CHECK(code(answer(401, "")) == sign_in_outcome::provider_rejected);
    for (auto const status : {302U, 404U, 429U, 500U, 503U})
        CHECK(code(answer(status, "{}")) == sign_in_outcome::provider_unavailable);
    for (auto const* const body :
         {"", "{}", "[]", R"({"token_type":"Bearer"})", R"({"id_token":"a.b.c"})",
          R"({"id_token":"a.b.c","token_type":"DPoP"})", R"({"id_token":5,"token_type":"Bearer"})"})
        CHECK(code(answer(200, body)) == sign_in_outcome::response_invalid);
    transfer::http_failure const late{transfer::http_failure::kind::timed_out, ""};
    CHECK(code(read_token_answer(transfer::http_result(late))) == sign_in_outcome::provider_unavailable);
}

TEST_CASE("a callback is this browser's when it has its state", "[oidc]") {
    auto const begun = begin_flow(settings(), "/console", timestamp{});
    auto const mine = read_callback("state=" + begun.state + "&code=c&session_state=x&iss=https%3A%2F%2Fid.example");
    REQUIRE(mine);
    CHECK(mine->code == "c");
    CHECK(mine->issuer == "https://id.example");
    CHECK(answers(*mine, begun));
    CHECK_FALSE(answers(*read_callback("code=c"), begun));
    CHECK_FALSE(answers(*read_callback("state=&code=c"), begun));
    CHECK_FALSE(answers(*read_callback("state=" + begun.nonce), begun));
    CHECK_FALSE(read_callback("state=a&state=b"));
    CHECK_FALSE(read_callback("code=a&code=b"));
    CHECK_FALSE(read_callback("code=" + std::string(5000, 'a')));
}

TEST_CASE("a callback without a code of the issuer's ends the sign-in with a code of a closed list", "[oidc]") {
    using outcome = sign_in_outcome;
    auto const begun = begin_flow(settings(), "/console", timestamp{});
    auto const ending = [&](std::string const& query, bool announced = false) {
        return ending_of(*read_callback(query), begun, announced);
    };
    CHECK_FALSE(ending("code=c"));
    CHECK_FALSE(ending("code=c&iss=https%3A%2F%2Fid.example", true));
    CHECK(ending("code=c", true) == outcome::response_invalid); // RFC 9207 section 2.4
    CHECK(ending("code=c&iss=https%3A%2F%2Fevil.example") == outcome::response_invalid);
    CHECK(ending("error=access_denied&iss=https%3A%2F%2Fevil.example") == outcome::response_invalid);
    CHECK(ending("error=access_denied") == outcome::canceled);
    CHECK(ending("error=access_denied&code=c") == outcome::canceled);
    CHECK(ending("error=temporarily_unavailable") == outcome::provider_unavailable);
    CHECK(ending("error=server_error") == outcome::provider_unavailable);
    CHECK(ending("error=invalid_scope") == outcome::provider_rejected);
    CHECK(ending("error=%3Cscript%3E") == outcome::provider_rejected);
    CHECK(ending("") == outcome::response_invalid);
}

TEST_CASE("settings take an https issuer, http on this machine alone, and a client", "[oidc]") {
    auto const problems = [](std::map<std::string, std::string> values) {
        oidc_settings target;
        settings_reader reader("program", "what it does", "RECRUITING_AUTH_API_");
        declare(reader, target);
        std::map<std::string, std::string> named;
        for (auto const& [name, value] : values) named["RECRUITING_AUTH_API_CONSOLE_OIDC_" + name] = value;
        return reader.apply(named).size();
    };
    CHECK(problems({}) == 0);
    CHECK(problems({{"ISSUER", "https://id.example/realms/a"}, {"CLIENT_ID", "c"}}) == 0);
    CHECK(problems({{"ISSUER", "http://localhost:4000"}, {"CLIENT_ID", "c"}}) == 0);
    CHECK(problems({{"ISSUER", "https://id.example"}}) == 1);
    for (auto const* const issuer :
         {"http://id.example", "http://127.0.0.1.evil.example", "id.example", "https://", "https://id.example?x",
          "https://id.example#x", "https://a@id.example", "ftp://x"}) {
        INFO(issuer);
        CHECK(problems({{"ISSUER", issuer}, {"CLIENT_ID", "c"}}) == 1);
    }
    CHECK(problems({{"SCOPES", "email"}}) == 1);
    CHECK(problems({{"SCOPES", "openid  email"}}) == 1);
    CHECK(problems({{"SCOPES", "openid email groups"}}) == 0);
    CHECK(problems({{"NAME", ""}}) == 1);
    CHECK(problems({{"NAME", std::string(61, 'a')}}) == 1);
    CHECK(problems({{"TIMEOUT", "499ms"}}) == 1);
    CHECK(problems({{"REQUIRED", "true"}}) == 1); // nobody could sign in
    CHECK(problems({{"REQUIRED", "true"}, {"ISSUER", "https://id.example"}, {"CLIENT_ID", "c"}}) == 0);
    CHECK(problems({{"TRUST_EMAIL", "yes"}}) == 1);
}

} // namespace provider_answers_test
