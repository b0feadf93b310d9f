// ID Tokens and UserInfo in the form in which each provider of proto-docs/openid_connect.md sends them.
#include "auth_api/console/oidc/id_token.hpp"
#include "core/text.hpp"
#include "support/catch.hpp"
#include "support/jose_signer.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace provider_tokens_test {
using namespace recruiting;
using namespace recruiting::auth_api::oidc;
using test::jose_signer;
namespace json = boost::json;

constexpr std::int64_t sent = 1'800'000'000;
constexpr std::string_view access_token = "access-token";

// What differs between two providers.
struct provider_form {
    std::string issuer;
    std::string client_id;
    std::string claims; // without exp, iat, nonce and at_hash
    std::int64_t issued{sent};
    std::int64_t lifetime{300};
    bool has_access_token_hash{true};
    bool trusts_email{false};
};

timestamp at(std::int64_t seconds) { return timestamp(std::chrono::seconds(seconds)); }

std::variant<token_fault, person_claims> read(provider_form const& form, std::string const& changes = "{}") {
    static jose_signer const signer(jose_signer::kind::rsa, "k");
    static auto const keys = *jose::key_set::parse(signer.jwk_set());
    auto claims = json::parse(form.claims).as_object();
    claims["exp"] = form.issued + form.lifetime;
    claims["iat"] = form.issued;
    claims["nonce"] = "N";
    if (form.has_access_token_hash) claims["at_hash"] = to_base64url(bytes_of(sha256(access_token)).substr(0, 16));
    auto const changed = json::parse(changes);
    for (auto const& [name, value] : changed.get_object()) {
        if (value.is_null()) claims.erase(name);
        else claims[name] = value;
    }
    flow const begun{form.issuer, form.client_id, "S", "N", "V", at(sent - 20), "/console"};
    return read_id_token(signer.sign("RS256", json::serialize(claims)), keys,
                         {begun, access_token, at(sent + 1), form.trusts_email});
}

person_claims person(provider_form const& form, std::string const& changes = "{}") {
    auto const found = read(form, changes);
    if (auto const* const why = std::get_if<token_fault>(&found)) FAIL("refused: " << why->why);
    return std::get<person_claims>(found);
}

bool signs_in(provider_form const& form, std::string const& changes = "{}") {
    auto const found = person(form, changes);
    return found.email == "ann@a.example" && may_sign_in(found, form.trusts_email);
}

// What the person is once UserInfo was asked, as the ID Token has no address.
bool signs_in_by_userinfo(provider_form const& form, std::string const& userinfo) {
    auto const known = person(form);
    CHECK(known.email.empty());
    auto const claimed = read_userinfo(userinfo, known, form.trusts_email);
    REQUIRE(claimed);
    CHECK(claimed->email == "ann@a.example");
    return may_sign_in(*claimed, form.trusts_email);
}

TEST_CASE("Keycloak: an audience mapper adds other clients, and azp names this one", "[oidc][providers]") {
    provider_form const keycloak{
        "https://id.example/realms/staff", "recruiting",
        R"({"auth_time":1799999990,"jti":"onrtac:4f5c","iss":"https://id.example/realms/staff","aud":["account","recruiting"],
            "sub":"c2d2b8b1-6f0c-4c11-9a55-0b9c5d0d2f3a","typ":"ID","azp":"recruiting","sid":"Zc1","acr":"1",
            "email_verified":true,"name":"Ann Lee","preferred_username":"ann","given_name":"Ann","family_name":"Lee",
            "email":"ann@a.example"})"};
    CHECK(signs_in(keycloak));
    CHECK(signs_in(keycloak, R"({"aud":"recruiting"})"));
    CHECK_FALSE(signs_in(keycloak, R"({"email_verified":false})")); // "Email verified" is off
    CHECK(std::holds_alternative<token_fault>(read(keycloak, R"({"azp":"account"})")));
}

TEST_CASE("Authentik: its own mapping calls every address unverified, another one verified", "[oidc][providers]") {
    provider_form const authentik{
        "https://id.example/application/o/recruiting/", "Kx0sTq",
        R"({"iss":"https://id.example/application/o/recruiting/","sub":"b7a1f0","aud":"Kx0sTq","auth_time":1799999990,
            "acr":"goauthentik.io/providers/oauth2/default","amr":["pwd","mfa"],"sid":"91ab","jti":"7Zx","azp":"Kx0sTq",
            "uid":"p3k","email":"ann@a.example","email_verified":true,"name":"Ann Lee","preferred_username":"ann",
            "nickname":"ann","groups":["staff"]})"};
    CHECK(signs_in(authentik));
    CHECK_FALSE(signs_in(authentik, R"({"email_verified":false})"));
}

TEST_CASE("Entra ID: dated five minutes back, without email_verified, with xms_edov where it is asked for",
          "[oidc][providers]") {
    std::string const issuer = "https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0";
    provider_form entra{issuer,
                        "6731de76-14a6-49ae-97bc-6eba6914391e",
                        R"({"aud":"6731de76-14a6-49ae-97bc-6eba6914391e","iss":")" + issuer +
                            R"(","nbf":1799999700,"email":"ann@a.example","name":"Ann Lee",
            "oid":"00000000-0000-0000-66f3-3332eca7ea81","preferred_username":"ann.lee@a.example","rh":"1.AXEA","sid":"002f",
            "sub":"AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ","tid":"72f988bf-86f1-41af-91ab-2d7cd011db47",
            "uti":"fqiBqXLPj0eQa82S","ver":"2.0"})",
                        sent - 300,
                        3900,
                        false};
    CHECK_FALSE(signs_in(entra));
    CHECK_FALSE(signs_in(entra, R"({"xms_edov":true})"));
    entra.trusts_email = true;
    CHECK(signs_in(entra));
    CHECK(signs_in(entra, R"({"xms_edov":true})"));
    CHECK(signs_in(entra, R"({"xms_edov":"1"})"));
    CHECK_FALSE(signs_in(entra, R"({"xms_edov":false})"));
    CHECK_FALSE(signs_in(entra, R"({"xms_edov":"0"})"));
    auto const without = person(entra, R"({"email":null})"); // the account has no mail: no other claim stands for it
    CHECK_FALSE(may_sign_in(without, true));
    auto const other =
        read(entra, R"({"iss":"https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0"})");
    CHECK(std::get<token_fault>(other).why == "issuer"); // another tenant's
}

TEST_CASE("Google: the client is the audience and the authorized party", "[oidc][providers]") {
    std::string const client = "407408718192-abc.apps.googleusercontent.com";
    provider_form const google{
        "https://accounts.google.com", client,
        R"({"iss":"https://accounts.google.com","azp":")" + client + R"(","aud":")" + client +
            R"(","sub":"110169484474386276334","hd":"a.example","email":"ann@a.example","email_verified":true})",
        sent, 3600};
    CHECK(signs_in(google));
    CHECK(std::holds_alternative<token_fault>(
        read(google, R"({"iss":"accounts.google.com"})"))); // the form of before 2016
}

TEST_CASE("Cognito: email_verified is a boolean in the ID Token and a text in UserInfo", "[oidc][providers]") {
    std::string const issuer = "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Ab129faBb";
    provider_form const cognito{
        issuer, "7lhlkkfbfb4q5kpp90urffao",
        R"({"sub":"aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee","cognito:groups":["staff"],"email_verified":true,"iss":")" +
            issuer +
            R"(","cognito:username":"ann","origin_jti":"b1c2","aud":"7lhlkkfbfb4q5kpp90urffao","event_id":"64f5",
            "token_use":"id","auth_time":1799999990,"jti":"c3d4","email":"ann@a.example"})",
        sent, 3600};
    CHECK(signs_in(cognito));
    CHECK(signs_in(cognito, R"({"email_verified":"true"})")); // an attribute that an identity provider is mapped to
    CHECK_FALSE(signs_in(cognito, R"({"email_verified":"false"})"));
    provider_form without = cognito;
    without.claims = R"({"sub":"aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee","iss":")" + issuer +
                     R"(","aud":"7lhlkkfbfb4q5kpp90urffao","token_use":"id"})";
    auto const userinfo = [](std::string const& verified) {
        return R"({"sub":"aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee","email_verified":")" + verified +
               R"(","email":"ann@a.example","username":"ann"})";
    };
    CHECK(signs_in_by_userinfo(without, userinfo("true")));
    CHECK_FALSE(signs_in_by_userinfo(without, userinfo("false")));
}

TEST_CASE("Zitadel: the audiences are all clients of the project and the project", "[oidc][providers]") {
    provider_form const zitadel{
        "https://id.example", "229585634862342145",
        R"({"iss":"https://id.example","aud":["229585634862342145","229585634870730753","229585621923246081"],
            "azp":"229585634862342145","client_id":"229585634862342145","sub":"229585472329384961","auth_time":1799999990,
            "amr":["pwd","mfa"],"sid":"V1_2295","jti":"V2_2295-at_2295"})",
        sent, 43'200};
    auto const userinfo = [](std::string const& verified) {
        return R"({"sub":"229585472329384961","email":"ann@a.example","email_verified":)" + verified + "}";
    };
    CHECK(signs_in_by_userinfo(zitadel, userinfo("true")));
    CHECK_FALSE(signs_in_by_userinfo(zitadel, userinfo("false")));
    CHECK(signs_in(zitadel, R"({"email":"ann@a.example","email_verified":true})")); // "User Info inside ID Token"
    CHECK(std::holds_alternative<token_fault>(read(zitadel, R"({"azp":null})")));
    CHECK(std::holds_alternative<token_fault>(read(zitadel, R"({"azp":"229585634870730753"})")));
}

} // namespace provider_tokens_test
