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

std::variant<token_fault, person_claims> read(std::string const& token, std::string_view access_token = {}) {
    static auto const keys = *jose::key_set::parse(signer().jwk_set());
    auto const sign_in = begun();
    return read_id_token(token, keys, {sign_in, access_token, at(noon + 60)});
}

// "" when the token is accepted.
std::string fault(std::string const& changes, std::string_view access_token = {}) {
    auto const found = read(signer().sign("ES256", json::serialize(claims(changes))), access_token);
    auto const* const why = std::get_if<token_fault>(&found);
    return why == nullptr ? "" : std::string(to_string(*why));
}

person_claims person(std::string const& changes) {
    return std::get<person_claims>(read(signer().sign("ES256", json::serialize(claims(changes)))));
}

TEST_CASE("a token of this sign-in names the person", "[oidc]") {
    auto const found = person("{}");
    CHECK(found.subject == "7");
    CHECK(found.email == "ann@a.example");
    CHECK(found.email_verified);
}

TEST_CASE("another issuer's, another client's, another sign-in's token is refused", "[oidc]") {
    for (auto const* const issuer : {R"("https://evil.example")", R"("https://id.example/")", "null", "5"})
        CHECK(fault(R"({"iss":)" + std::string(issuer) + "}") == "issuer");
    for (auto const* const audience : {R"("other")", R"(["other"])", R"(["console","other"])", "[]", "null", "5", "{}"})
        CHECK(fault(R"({"aud":)" + std::string(audience) + "}") == "audience");
    CHECK(fault(R"({"aud":["console"]})").empty());
    CHECK(fault(R"({"azp":"console"})").empty());
    CHECK(fault(R"({"azp":"other"})") == "audience");
    CHECK(fault(R"({"azp":5})") == "audience");
    for (auto const* const nonce : {R"("M")", R"("")", "null", "5"})
        CHECK(fault(R"({"nonce":)" + std::string(nonce) + "}") == "nonce");
}

TEST_CASE("a token is valid from its issue to its end, with a minute for clocks that differ", "[oidc]") {
    auto const with = [](std::string const& name, std::int64_t seconds) {
        return fault("{\"" + name + "\":" + std::to_string(seconds) + "}");
    };
    CHECK(with("exp", noon + 1).empty());
    CHECK(with("exp", noon) == "time");
    CHECK(with("iat", noon - 60).empty());
    CHECK(with("iat", noon - 61) == "time"); // it is older than the sign-in
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

TEST_CASE("a token needs a subject, an address counts when it is one and verified", "[oidc]") {
    for (auto const* const subject : {"null", R"("")", "5"})
        CHECK(fault(R"({"sub":)" + std::string(subject) + "}") == "subject");
    CHECK(fault(R"({"sub":")" + std::string(256, 'a') + R"("})") == "subject");
    for (auto const* const verified : {"null", "false", R"("true")", "1"})
        CHECK_FALSE(person(R"({"email_verified":)" + std::string(verified) + "}").email_verified);
    for (auto const* const email : {"null", R"("ann")", R"("a@b.example\u0000")", "5"})
        CHECK(person(R"({"email":)" + std::string(email) + "}").email.empty());
}

TEST_CASE("a token without a signature of the provider's is refused", "[oidc]") {
    auto const text = json::serialize(claims());
    auto const why = [](std::string const& token) { return to_string(std::get<token_fault>(read(token))); };
    CHECK(why(test::unsigned_token(text)) == "algorithm");
    CHECK(why(test::mac_token(signer().public_pem(), text, "k")) == "algorithm");
    CHECK(why(jose_signer(jose_signer::kind::p256, "k").sign("ES256", text)) == "signature");
    CHECK(why(jose_signer(jose_signer::kind::p256, "other").sign("ES256", text)) == "unknown_key");
    CHECK(why(signer().sign("ES256", "[]")) == "malformed");
    CHECK(why("a.b.c.d.e") == "malformed");
}

TEST_CASE("UserInfo counts when it is about the same person", "[oidc]") {
    auto const found = read_userinfo(R"({"sub":"7","email":"ann@a.example","email_verified":true})", "7");
    REQUIRE(found);
    CHECK(found->email == "ann@a.example");
    CHECK(found->email_verified);
    CHECK_FALSE(read_userinfo(R"({"sub":"8","email":"ann@a.example","email_verified":true})", "7"));
    CHECK_FALSE(read_userinfo(R"({"email":"ann@a.example","email_verified":true})", "7"));
    CHECK_FALSE(read_userinfo("eyJ.e30.AA", "7"));
}

} // namespace id_token_test
