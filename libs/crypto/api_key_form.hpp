// The form of an API key's secret (proto-docs/keys.md):
//   sp_live_ or sp_test_ + 34 random base62 characters + base62(CRC-32 of those 34), 6 characters, zero-padded.
// The checksum lets a mistyped or made-up secret be refused, and a leaked one be found in texts, without a database.
#pragma once
#include <array>
#include <cstddef>
#include <string_view>

namespace recruiting {

inline constexpr std::string_view base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
inline constexpr std::string_view live_key_prefix = "sp_live_";
inline constexpr std::string_view test_key_prefix = "sp_test_";
inline constexpr std::size_t key_prefix_size = 8;
inline constexpr std::size_t key_random_size = 34; // 202 bits
inline constexpr std::size_t key_checksum_size = 6;
inline constexpr std::size_t key_size = key_prefix_size + key_random_size + key_checksum_size;

[[nodiscard]] std::array<char, key_checksum_size> key_checksum(std::string_view random) noexcept;

/// Is the whole text an API key by its prefix, length, characters and checksum?
[[nodiscard]] bool has_key_form(std::string_view text) noexcept;

} // namespace recruiting
