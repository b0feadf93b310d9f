// What an ID Token must say, rule by rule (OpenID Connect Core 1.0 section 3.1.3.7).
#include "auth_api/console/oidc/id_token.hpp"
#include "core/text.hpp"
#include "support/catch.hpp"
#include "support/jose_signer.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace id_token_test {
using namespace recruiting;
using namespace recruiting::auth_api::oidc;
using test::jose_signer;
namespace json = boost::json;

constexpr std::int64_t noon = 1'800'000'000; // the sign-in begins; it is a minute later

timestamp at(std::int64_t seconds) { return timestamp(std::chrono::seconds(seconds)); }

jose_signer const& signer() {
    static jose_signer const one(jose_signer::kind::p256, "k");
    return one;
}

flow begun() { return {"https://id.example", "console", "S", "N", "V", at(noon), "/console"}; }

json::object claims(std::string const& changes = "{}") {
    json::object out{{"iss", "https://id.example"}, {"aud", "console"},      {"sub", "7"},
                     {"exp", noon + 360},           {"iat", noon + 60},      {"nonce", "N"},
                     {"email", "ann@a.example"},    {"email_verified", true}};
    auto const changed = json::parse(changes);
    for (auto const& [name, value] : changed.get_object()) {
        if (value.is_null()) out.erase(name);
        else out[name] = value;
    }
    return out;
}

std::variant<token_fault, person_claims> read(std::string const& token, std::string_view access_token = {},
                                              bool trusts_email = false) {
    static auto const keys = *jose::key_set::parse(signer().jwk_set());
    auto const sign_in = begun();
    return read_id_token(token, keys, {sign_in, access_token, at(noon + 60), trusts_email});
}

// "" when the token is accepted.
std::string fault(std::string const& changes, std::string_view access_token = {}) {
    auto const found = read(signer().sign("ES256", json::serialize(claims(changes))), access_token);
    auto const* const why = std::get_if<token_fault>(&found);
    return why == nullptr ? "" : std::string(why->why);
}

person_claims person(std::string const& changes, bool trusts_email = false) {
    return std::get<person_claims>(read(signer().sign("ES256", json::serialize(claims(changes))), {}, trusts_email));
}

bool signs_in(std::string const& changes, bool trusts_email = false) {
    return may_sign_in(person(changes, trusts_email), trusts_email);
}

TEST_CASE("a token of this sign-in names the person", "[oidc]") {
    auto const found = person("{}");
    CHECK(found.subject == "7");
    CHECK(found.email == "ann@a.example");
    CHECK(may_sign_in(found, false));
}

TEST_CASE("another issuer's, another client's, another sign-in's token is refused", "[oidc]") {
    for (auto const* const issuer : {R"("https://evil.example")", R"("https://id.example/")", "null", "5"})
        CHECK(fault(R"({"iss":)" + std::string(issuer) + "}") == "issuer");
    for (auto const* const audience :
         {R"("other")", R"(["other"])", R"(["console","other"])", R"(["console",5])", "[]", "null", "5", "{}"})
        CHECK(fault(R"({"aud":)" + std::string(audience) + "}") == "audience");
    CHECK(fault(R"({"aud":["console"]})").empty());
    CHECK(fault(R"({"aud":["console","console"]})").empty());
    CHECK(fault(R"({"azp":"console"})").empty());
    CHECK(fault(R"({"azp":"other"})") == "audience");
    CHECK(fault(R"({"azp":5})") == "audience");
    for (auto const* const nonce : {R"("M")", R"("")", "null", "5"})
        CHECK(fault(R"({"nonce":)" + std::string(nonce) + "}") == "nonce");
}

TEST_CASE("a token for several audiences is this client's when it is named among them and in azp", "[oidc]") {
    for (auto const* const audiences : {R"(["console","other"])", R"(["other","console"])"}) {
        auto const with = [&](std::string const& party) {
            return fault(R"({"aud":)" + std::string(audiences) + R"(,"azp":)" + party + "}");
        };
        CHECK(with(R"("console")").empty());
        for (auto const* const party : {"null", R"("other")", R"("")", "5", R"(["console"])"})
            CHECK(with(party) == "audience");
    }
    CHECK(fault(R"({"aud":["other","third"],"azp":"console"})") == "audience");
    CHECK(fault(R"({"aud":[],"azp":"console"})") == "audience");
    CHECK(fault(R"({"aud":["console",5],"azp":"console"})") == "audience");
}

TEST_CASE("a token is valid from its issue to its end, with a minute for clocks that differ", "[oidc]") {
    auto const with = [](std::string const& name, std::int64_t seconds) {
        return fault("{\"" + name + "\":" + std::to_string(seconds) + "}");
    };
    CHECK(with("exp", noon + 1).empty());
    CHECK(with("exp", noon) == "time");
    CHECK(with("iat", noon - 600).empty()); // backdated by the provider
    CHECK(with("iat", noon - 601) == "time");
    CHECK(with("iat", noon + 120).empty());
    CHECK(with("iat", noon + 121) == "time");
    CHECK(with("nbf", noon + 120).empty());
    CHECK(with("nbf", noon + 121) == "time");
    CHECK(with("exp", -1) == "time");
    CHECK(fault(R"({"exp":1800000360.5})").empty());
    for (auto const* const value : {"null", R"("1800000360")", "1e300"})
        for (auto const* const name : {"exp", "iat"})
            CHECK(fault(R"({")" + std::string(name) + R"(":)" + value + "}") == "time");
}

TEST_CASE("a token belongs to the access token that came with it", "[oidc]") {
    auto const hash = to_base64url(bytes_of(sha256("token")).substr(0, 16));
    auto const changes = R"({"at_hash":")" + hash + R"("})";
    CHECK(fault(changes, "token").empty());
    CHECK(fault(changes, "other") == "access_token");
    CHECK(fault(R"({"at_hash":5})", "token") == "access_token");
}

TEST_CASE("an address counts when the provider has verified it, as a boolean or as the text true", "[oidc]") {
    for (auto const* const verified : {"true", R"("true")"})
        CHECK(signs_in(R"({"email_verified":)" + std::string(verified) + "}"));
    for (auto const* const verified : {"null", "false", R"("false")", R"("True")", R"("TRUE")", R"("true ")", R"("1")",
                                       R"("yes")", R"("")", "1", "[true]", R"({"value":true})"})
        CHECK_FALSE(signs_in(R"({"email_verified":)" + std::string(verified) + "}"));
    CHECK_FALSE(signs_in(R"({"email":null})"));
}

TEST_CASE("a trusted issuer's address counts without email_verified, unless the issuer calls it unverified", "[oidc]") {
    constexpr bool trusts = true;
    auto const with = [](std::string const& edov, bool trusts_email) {
        return signs_in(R"({"email_verified":null,"xms_edov":)" + edov + "}", trusts_email);
    };
    for (auto const* const edov : {"null", "true", R"("true")", R"("1")", "1"}) {
        CHECK(with(edov, trusts));
        CHECK_FALSE(with(edov, false));
    }
    for (auto const* const edov : {"false", R"("false")", R"("0")", "0", R"("")", "[]"})
        CHECK_FALSE(with(edov, trusts));
    for (auto const* const verified : {"false", R"("false")", "0", R"("")"})
        CHECK_FALSE(signs_in(R"({"xms_edov":true,"email_verified":)" + std::string(verified) + "}", trusts));
    CHECK(signs_in(R"({"xms_edov":false})", trusts)); // email_verified is the standard's own claim
    CHECK_FALSE(signs_in(R"({"email_verified":null,"email":null})", trusts));
}

TEST_CASE("a token needs a subject, and an address that is one", "[oidc]") {
    for (auto const* const subject : {"null", R"("")", "5"})
        CHECK(fault(R"({"sub":)" + std::string(subject) + "}") == "subject");
    CHECK(fault(R"({"sub":")" + std::string(256, 'a') + R"("})") == "subject");
    for (auto const* const email : {"null", R"("ann")", R"("a@b.example\u0000")", "5"})
        CHECK(person(R"({"email":)" + std::string(email) + "}").email.empty());
}

TEST_CASE("a token without a signature of the provider's is refused", "[oidc]") {
    auto const text = json::serialize(claims());
    auto const why = [](std::string const& token) { return std::get<token_fault>(read(token)).why; };
    CHECK(why(test::unsigned_token(text)) == "algorithm");
    CHECK(why(test::mac_token(signer().public_pem(), text, "k")) == "algorithm");
    CHECK(why(jose_signer(jose_signer::kind::p256, "k").sign("ES256", text)) == "signature");
    CHECK(why(jose_signer(jose_signer::kind::p256, "other").sign("ES256", text)) == "unknown_key");
    CHECK(why(signer().sign("ES256", "[]")) == "malformed");
    CHECK(why("a.b.c.d.e") == "malformed");
}

TEST_CASE("UserInfo counts when it is about the same person", "[oidc]") {
    person_claims const known{"7", {}, {}};
    auto const found = read_userinfo(R"({"sub":"7","email":"ann@a.example","email_verified":true})", known, false);
    REQUIRE(found);
    CHECK(found->email == "ann@a.example");
    CHECK(may_sign_in(*found, false));
    CHECK_FALSE(read_userinfo(R"({"sub":"8","email":"ann@a.example","email_verified":true})", known, false));
    CHECK_FALSE(read_userinfo(R"({"email":"ann@a.example","email_verified":true})", known, false));
    CHECK_FALSE(read_userinfo("eyJ.e30.AA", known, false));
}

TEST_CASE("UserInfo says of itself whether its address is verified, and makes no unverified one verified", "[oidc]") {
    auto const says = [](std::string const& more, std::optional<bool> in_token, bool trusts_email) {
        auto const body = R"({"sub":"7","email":"ann@a.example")" + more + "}";
        return may_sign_in(*read_userinfo(body, {"7", {}, in_token}, trusts_email), trusts_email);
    };
    CHECK(says(R"(,"email_verified":"true")", {}, false));
    CHECK_FALSE(says("", {}, false));
    CHECK_FALSE(says("", true, false)); // the token's word is about the token's address
    CHECK(says("", {}, true));
    CHECK_FALSE(says("", false, true)); // xms_edov in the token, the address in UserInfo
    CHECK_FALSE(says(R"(,"email_verified":true)", false, false));
}

} // namespace id_token_test
