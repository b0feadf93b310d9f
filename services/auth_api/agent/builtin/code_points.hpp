// UTF-8 read a code point at a time, for texts that may be ill-formed.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace recruiting::auth_api::agent::responder {

struct code_point {
    std::uint32_t value{0xFFFD}; // of a byte that is no part of well-formed UTF-8: the replacement character
    std::size_t size{1};
};

/// text must not be empty.
[[nodiscard]] code_point first_code_point(std::string_view text) noexcept;

/// Letters and digits of any script; symbols of scripts we don't know count as letters.
[[nodiscard]] bool is_word_character(std::uint32_t value) noexcept;

/// Controls, line separators, and what reorders or hides text (bidirectional controls, zero-width characters).
[[nodiscard]] bool is_invisible(std::uint32_t value) noexcept;

/// Appends the plain form of a word character: lower case, without accent; a combining accent is dropped.
void append_plain(std::string& out, std::string_view bytes, std::uint32_t value);

} // namespace recruiting::auth_api::agent::responder
