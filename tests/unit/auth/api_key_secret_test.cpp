// The format of an API key's secret (proto-docs/keys.md).
#include "auth/api_key.hpp"
#include "support/catch.hpp"

#include <set>

namespace api_key_secret_test {
using namespace recruiting;

namespace {

constexpr std::string_view base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

} // namespace

TEST_CASE("a secret is its environment's prefix and 40 base62 characters", "[api_key]") {
    for (auto const where : {environment::live, environment::test}) {
        auto const secret = generate_secret(where);
        auto const prefix = where == environment::live ? std::string("sp_live_") : std::string("sp_test_");
        REQUIRE(secret.size() == 48);
        REQUIRE(secret.starts_with(prefix));
        REQUIRE(secret.find_first_not_of(base62, 8) == std::string::npos);
        REQUIRE(classify_secret(secret, where) == secret_shape::well_formed);
    }
}

TEST_CASE("a well-formed key of the other environment is told apart", "[api_key]") {
    REQUIRE(classify_secret(generate_secret(environment::test), environment::live) == secret_shape::wrong_environment);
    REQUIRE(classify_secret(generate_secret(environment::live), environment::test) == secret_shape::wrong_environment);
}

TEST_CASE("one changed character, and the secret is malformed", "[api_key]") {
    auto const secret = generate_secret(environment::test);
    for (std::size_t i = 0; i < secret.size(); ++i) {
        auto changed = secret;
        changed[i] = changed[i] == 'x' ? 'y' : 'x';
        CAPTURE(i);
        REQUIRE(classify_secret(changed, environment::test) == secret_shape::malformed);
    }
}

TEST_CASE("what is no secret is malformed", "[api_key]") {
    auto const secret = generate_secret(environment::test);
    std::vector<std::string> const others{"",
                                          "sp_test_",
                                          "sp_live_",
                                          "0123456789abcdef0123456789abcdef", // a key ID
                                          secret.substr(8),
                                          secret + "0",
                                          " " + secret,
                                          secret.substr(0, 47),
                                          "SP_TEST_" + secret.substr(8),
                                          "sp_prod_" + secret.substr(8),
                                          secret.substr(0, 47) + std::string(1, '\0'),
                                          "sp_live_" + std::string(40, '-')};
    for (auto const& other : others) {
        CAPTURE(other);
        REQUIRE(classify_secret(other, environment::test) == secret_shape::malformed);
    }
}

// The expected checksums were computed by another program (Python's zlib).
TEST_CASE("the checksum is base62 of CRC-32, padded with zeros", "[api_key]") {
    for (auto const* body : {"00000000000000000000000000000000000iqUEf", "AbCdEfGhIjKlMnOpQrStUvWxYz012345671UhD7k"}) {
        CAPTURE(body);
        REQUIRE(classify_secret("sp_live_" + std::string(body), environment::live) == secret_shape::well_formed);
    }
}

TEST_CASE("secrets do not repeat and use every character", "[api_key]") {
    std::set<std::string> seen;
    std::set<char> characters;
    for (int i = 0; i < 2000; ++i) {
        auto const secret = generate_secret(environment::live);
        seen.insert(secret);
        characters.insert(secret.begin() + 8, secret.begin() + 42);
    }
    REQUIRE(seen.size() == 2000);
    REQUIRE(characters.size() == 62);
}

TEST_CASE("the stored hash depends on pepper and secret", "[api_key]") {
    auto const hash = hash_secret("pepper", "secret");
    REQUIRE(hash == hmac_sha256("pepper", "secret"));
    REQUIRE(hash != hash_secret("other", "secret"));
    REQUIRE(hash != hash_secret("pepper", "other"));
}

} // namespace api_key_secret_test
