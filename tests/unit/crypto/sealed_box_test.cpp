// Sealing to a public key.
#include "crypto/sealed_box.hpp"
#include "support/catch.hpp"

#include <set>

namespace sealed_box_test {
using namespace recruiting;

TEST_CASE("who has the secret key opens what was sealed, nobody else", "[crypto]") {
    auto const keys = derive_box_keys(sha256("one"));
    auto const others = derive_box_keys(sha256("two"));
    for (auto const& text : {std::string(), std::string("a"), std::string(4096, 'x'), std::string("\0y", 2)}) {
        auto const sealed = seal(text, keys.public_key);
        REQUIRE(sealed);
        CHECK(sealed->size() == text.size() + 48);
        CHECK(open_sealed(*sealed, keys) == text);
        CHECK_FALSE(open_sealed(*sealed, others));
    }
}

TEST_CASE("the same seed gives the same keys, the same text never the same seal", "[crypto]") {
    auto const keys = derive_box_keys(sha256("one"));
    CHECK(derive_box_keys(sha256("one")).public_key == keys.public_key);
    CHECK(derive_box_keys(sha256("two")).public_key != keys.public_key);
    CHECK(keys.public_key.size() == 32);
    std::set<std::string> made;
    for (int i = 0; i < 10; ++i) made.insert(*seal("text", keys.public_key));
    CHECK(made.size() == 10);
}

TEST_CASE("what was changed, cut or never sealed does not open", "[crypto]") {
    auto const keys = derive_box_keys(sha256("one"));
    auto const sealed = *seal("text", keys.public_key);
    for (std::size_t i = 0; i < sealed.size(); ++i) {
        auto changed = sealed;
        changed[i] = static_cast<char>(changed[i] ^ 1);
        INFO(i);
        CHECK_FALSE(open_sealed(changed, keys));
        CHECK_FALSE(open_sealed(sealed.substr(0, i), keys));
    }
    CHECK_FALSE(seal("text", "short"));
    CHECK_FALSE(seal("text", std::string(32, '\0'))); // a point everybody knows the secret of
}

TEST_CASE("what was encrypted is read with the same key for the same purpose alone, unchanged", "[crypto]") {
    auto const key = sha256("one");
    for (auto const& text : {std::string(), std::string("a"), std::string(4096, 'x'), std::string("\0y", 2)}) {
        auto const encrypted = encrypt(text, key, "here");
        CHECK(encrypted.size() == text.size() + 40);
        CHECK(encrypted != encrypt(text, key, "here"));
        CHECK(decrypt(encrypted, key, "here") == text);
        CHECK_FALSE(decrypt(encrypted, key, "there"));
        CHECK_FALSE(decrypt(encrypted, sha256("two"), "here"));
    }
    auto const encrypted = encrypt("text", key, "here");
    for (std::size_t i = 0; i < encrypted.size(); ++i) {
        auto changed = encrypted;
        changed[i] = static_cast<char>(changed[i] ^ 1);
        INFO(i);
        CHECK_FALSE(decrypt(changed, key, "here"));
        CHECK_FALSE(decrypt(encrypted.substr(0, i), key, "here"));
    }
}

} // namespace sealed_box_test
