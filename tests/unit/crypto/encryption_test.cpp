// Encryption for oneself.
#include "crypto/encryption.hpp"
#include "support/catch.hpp"

namespace encryption_test {
using namespace recruiting;

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

} // namespace encryption_test
