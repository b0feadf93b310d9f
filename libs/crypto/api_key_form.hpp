// The form of an API key's secret (proto-docs/keys.md):
//   sp_live_ or sp_test_ + 34 random base62 characters + base62(CRC-32 of those 34), 6 characters, zero-padded.
// The checksum lets a mistyped or made-up secret be refused, and a leaked one be found in texts, without a database.
// Keep what is found out of every log. Pure.
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting {

inline constexpr std::string_view base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
inline constexpr std::string_view live_key_prefix = "sp_live_";
inline constexpr std::string_view test_key_prefix = "sp_test_";
inline constexpr std::size_t key_prefix_size = 8;
inline constexpr std::size_t key_random_size = 34; // 202 bits
inline constexpr std::size_t key_checksum_size = 6;
inline constexpr std::size_t key_shown_size = 4; // of the random characters
inline constexpr std::size_t key_size = key_prefix_size + key_random_size + key_checksum_size;

[[nodiscard]] std::array<char, key_checksum_size> key_checksum(std::string_view random) noexcept;

/// What identifies a key to people: the prefix and the first random characters.
[[nodiscard]] constexpr std::string_view displayed_prefix(std::string_view secret) noexcept {
    return secret.substr(0, key_prefix_size + key_shown_size);
}

/// Is the whole text an API key by its prefix, length, characters and checksum?
[[nodiscard]] bool has_key_form(std::string_view text) noexcept;

/// The first key in text, percent-encoded or not; empty: none. Other credentials and text that merely contains sp_test_
/// are none. Allocates nothing where no key is.
[[nodiscard]] std::string find_key(std::string_view text);

struct exposed_key {
    std::string displayed_prefix; // for the log: never answered
    std::string location;         // a field's name, "header" for a name that is the key, "path", "query" or "body"
};

/// A field's name or value, also within Basic credentials (RFC 7617).
[[nodiscard]] std::optional<exposed_key> find_key_in_field(std::string_view name, std::string_view value);
/// A request target: its path, then its query.
[[nodiscard]] std::optional<exposed_key> find_key_in_target(std::string_view target);
[[nodiscard]] std::optional<exposed_key> find_key_in_body(std::string_view body);

} // namespace recruiting
