// Sealing to a public key (X25519, XSalsa20-Poly1305, a key pair of its own for each message): the sender can't
// open the box, and the box does not identify the sender. The only user of libsodium.
#pragma once
#include "crypto/digest.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace recruiting {

struct box_keys {
    std::string public_key; // 32 bytes each
    std::string secret_key;
};

/// The same pair for the same seed, for ever.
[[nodiscard]] box_keys derive_box_keys(digest const& seed);

/// 48 bytes longer than text. nullopt: public_key is none.
[[nodiscard]] std::optional<std::string> seal(std::string_view text, std::string_view public_key);

/// nullopt: sealed to another key, or changed on its way.
[[nodiscard]] std::optional<std::string> open_sealed(std::string_view sealed, box_keys const& keys);

// Encryption for oneself (XChaCha20-Poly1305, a random nonce for each message): who lacks the key can neither read nor
// make what decrypt takes.

/// 40 bytes longer than text. purpose: decrypt must be given the same.
[[nodiscard]] std::string encrypt(std::string_view text, digest const& key, std::string_view purpose);

/// nullopt: encrypted with another key or for another purpose, or changed on its way.
[[nodiscard]] std::optional<std::string> decrypt(std::string_view encrypted, digest const& key,
                                                 std::string_view purpose);

} // namespace recruiting
