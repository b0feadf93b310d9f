// Encryption for oneself (XChaCha20-Poly1305, a random nonce for each message): without the key, nothing that decrypt
// takes can be read or made. The only user of libsodium.
#pragma once
#include "crypto/digest.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace recruiting {

/// 40 bytes longer than text. purpose: decrypt must be given the same.
[[nodiscard]] std::string encrypt(std::string_view text, digest const& key, std::string_view purpose);

/// nullopt: encrypted with another key or for another purpose, or changed on its way.
[[nodiscard]] std::optional<std::string> decrypt(std::string_view encrypted, digest const& key,
                                                 std::string_view purpose);

} // namespace recruiting
