// Signatures of other servers' tokens.
#include "core/text.hpp"
#include "crypto/digest.hpp"
#include "jose/jws.hpp"
#include "support/catch.hpp"
#include "support/jose_signer.hpp"

#include <map>

namespace jws_test {
using namespace recruiting;
using jose::jws_fault;
using jose::key_set;
using test::jose_signer;
using kind = jose_signer::kind;

constexpr auto payload = R"({"sub":"1"})";

// Keys are slow to make: one of each kind and id for all cases.
jose_signer const& signer(kind what, char const* id) {
    static std::map<std::pair<kind, std::string>, jose_signer> made;
    auto const found = made.find({what, id});
    if (found != made.end()) return found->second;
    return made.emplace(std::pair(what, id), jose_signer(what, id)).first->second;
}

key_set keys_of(std::string const& text) {
    auto read = key_set::parse(text);
    REQUIRE(read);
    return std::move(*read);
}

std::string outcome(key_set const& keys, std::string const& token) {
    auto const read = keys.verify(token);
    if (auto const* const why = std::get_if<jws_fault>(&read)) return std::string(to_string(*why));
    return std::get<std::string>(read);
}

std::string set_of(std::initializer_list<std::string> keys) {
    std::string out = R"({"keys":[)";
    for (auto const& one : keys) out.append(out.ends_with('[') ? "" : ",").append(one);
    return out + "]}";
}

TEST_CASE("a token signed with RS256, PS256 or ES256 by a key of the set gives its payload", "[jose]") {
    auto const& rsa = signer(kind::rsa, "r");
    auto const& curve = signer(kind::p256, "e");
    auto const keys = keys_of(set_of({rsa.jwk(), curve.jwk()}));
    CHECK(keys.size() == 2);
    CHECK(outcome(keys, rsa.sign("RS256", payload)) == payload);
    CHECK(outcome(keys, rsa.sign("PS256", payload)) == payload);
    for (int i = 0; i < 50; ++i) CHECK(outcome(keys, curve.sign("ES256", payload)) == payload); // r and s of any length
}

TEST_CASE("a signature by another key, or over another text, is refused", "[jose]") {
    auto const& rsa = signer(kind::rsa, "r");
    auto const& impostor = signer(kind::rsa, "other");
    auto const keys = keys_of(set_of({rsa.jwk(), signer(kind::p256, "e").jwk()}));
    auto foreign = impostor.sign("RS256", payload);
    foreign.replace(0, foreign.find('.'), to_base64url(R"({"alg":"RS256","kid":"r"})"));
    CHECK(outcome(keys, foreign) == "signature");
    auto const token = rsa.sign("RS256", payload);
    auto const end = token.rfind('.');
    auto const begin = token.find('.') + 1;
    auto changed = token;
    changed.replace(begin, end - begin, to_base64url(R"({"sub":"2"})"));
    CHECK(outcome(keys, changed) == "signature");
    CHECK(outcome(keys, token.substr(0, end + 1)) != payload);
    CHECK(outcome(keys, token.substr(0, end + 1) + to_base64url(std::string(256, '\0'))) == "signature");
    CHECK(outcome(keys, signer(kind::p256, "e").sign("ES256", payload).substr(0, 90)) != payload);
}

TEST_CASE("no signature, and one with a secret that everybody knows, verify nothing", "[jose]") {
    auto const& rsa = signer(kind::rsa, "r");
    auto const keys = keys_of(rsa.jwk_set());
    CHECK(outcome(keys, test::unsigned_token(payload)) == "algorithm");
    CHECK(outcome(keys, test::mac_token(rsa.public_pem(), payload, "r")) == "algorithm");
    CHECK(outcome(keys, test::mac_token(rsa.jwk(), payload, "r")) == "algorithm");
    for (auto const* const name : {"None", "NONE", "HS512", "rs256", "RS1", ""}) {
        auto const header = to_base64url(std::string(R"({"alg":")") + name + R"("})");
        CHECK(outcome(keys, header + "." + to_base64url(payload) + ".") == "algorithm");
    }
}

TEST_CASE("a key serves for its own type, use, algorithm and id alone", "[jose]") {
    auto const& rsa = signer(kind::rsa, "r");
    auto const& curve = signer(kind::p256, "e");
    CHECK(outcome(keys_of(set_of({rsa.jwk(R"(,"alg":"PS256")")})), rsa.sign("RS256", payload)) == "unknown_key");
    CHECK(outcome(keys_of(set_of({rsa.jwk(R"(,"use":"sig","alg":"RS256")")})), rsa.sign("RS256", payload)) == payload);
    CHECK(outcome(keys_of(curve.jwk_set()), rsa.sign("RS256", payload)) == "unknown_key");
    CHECK(keys_of(set_of({rsa.jwk(R"(,"use":"enc")")})).size() == 0);
    CHECK(keys_of(set_of({rsa.jwk(R"(,"key_ops":["sign"])")})).size() == 0);
    CHECK(keys_of(set_of({rsa.jwk(R"(,"key_ops":["verify"])")})).size() == 1);
    auto const& second = signer(kind::rsa, "other");
    CHECK(outcome(keys_of(second.jwk_set()), rsa.sign("RS256", payload)) == "unknown_key");
}

TEST_CASE("a token without a key id needs a set with one key that fits", "[jose]") {
    auto const& plain = signer(kind::rsa, "");
    auto const token = plain.sign("RS256", payload);
    CHECK(outcome(keys_of(set_of({plain.jwk(), signer(kind::p256, "e").jwk()})), token) == payload);
    CHECK(outcome(keys_of(set_of({plain.jwk(), signer(kind::rsa, "r").jwk()})), token) == "unknown_key");
}

TEST_CASE("keys that are short, secret, of another curve or broken are left out", "[jose]") {
    CHECK(keys_of(signer(kind::short_rsa, "s").jwk_set()).size() == 0);
    CHECK(keys_of(signer(kind::p384, "t").jwk_set()).size() == 0);
    CHECK(keys_of(R"({"keys":[{"kty":"oct","k":"c2VjcmV0"},{"kty":"OKP","crv":"Ed25519","x":"AA"},{}]})").size() == 0);
    CHECK(keys_of(R"({"keys":[{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}]})").size() == 0);
    CHECK(keys_of(R"({"keys":[{"kty":"RSA","n":5,"e":"AQAB"},{"kty":"RSA","e":"AQAB"}]})").size() == 0);
    CHECK(keys_of(R"({"keys":[]})").size() == 0);
    for (auto const* const text : {"", "[]", "{}", R"({"keys":{}})", R"({"keys":[1]})", "{"})
        CHECK_FALSE(key_set::parse(text));
}

TEST_CASE("what is no compact JWS, or one with extensions, is malformed", "[jose]") {
    auto const& rsa = signer(kind::rsa, "r");
    auto const keys = keys_of(rsa.jwk_set());
    for (auto const* const text : {"", ".", "..", "a.b.c", "a.b.c.d.e", "!!.e30.AA", "bnVsbA.e30.AA"})
        CHECK(outcome(keys, text) == "malformed");
    CHECK(outcome(keys, rsa.sign("RS256", payload, R"(,"crit":["b64"],"b64":false)")) == "malformed");
    CHECK(outcome(keys, std::string(100'000, 'a')) == "malformed");
}

} // namespace jws_test
