// Text helpers with no state: encodings, trimming, JSON strings. All are total: bad input is reported, never thrown.
#pragma once
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting {

/// The value of a hexadecimal digit of either case; -1: it is none.
[[nodiscard]] constexpr int hex_value(char c) noexcept {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

[[nodiscard]] constexpr bool is_alphanumeric(char c) noexcept { // ASCII only
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

[[nodiscard]] std::string_view trim(std::string_view text) noexcept;
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
/// One item of a list with weights, such as "gzip;q=0.5" (RFC 9110 section 12.4.2).
struct weighted_item {
    std::string_view name;
    int thousandths; // 1000 when no weight is given
};
/// Takes the first item off a list that is not empty.
[[nodiscard]] weighted_item take_weighted(std::string_view& list) noexcept;
[[nodiscard]] bool iequals(std::string_view a, std::string_view b) noexcept; // ASCII case only
[[nodiscard]] std::string to_lower(std::string_view text);                   // ASCII only
[[nodiscard]] std::string to_upper(std::string_view text);                   // ASCII only
/// "must be …" as "Must be …."
[[nodiscard]] std::string to_sentence(std::string_view words);
[[nodiscard]] bool is_utf8(std::string_view text) noexcept; // well-formed, RFC 3629
/// The character at the front of a text that is not empty. size: its bytes; 0: they are not well-formed UTF-8.
struct utf8_character {
    char32_t value{0xFFFD};
    std::size_t size{0};
};
[[nodiscard]] utf8_character first_character(std::string_view text) noexcept;
[[nodiscard]] std::size_t count_characters(std::string_view utf8) noexcept; // code points
/// The beginning of well-formed text: at most `longest` bytes, and no part of a character.
[[nodiscard]] std::string_view truncate_utf8(std::string_view utf8, std::size_t longest) noexcept;
[[nodiscard]] constexpr bool is_utf8_continuation(char c) noexcept {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}
[[nodiscard]] bool is_printable_ascii(std::string_view text) noexcept; // with blanks

[[nodiscard]] std::string to_hex(std::string_view bytes);
[[nodiscard]] std::optional<std::string> from_hex(std::string_view text);
[[nodiscard]] std::string to_base64url(std::string_view bytes); // RFC 4648 section 5, no padding
[[nodiscard]] std::optional<std::string> from_base64url(std::string_view text);
/// Percent-decoding (RFC 3986 section 2.1); plus_is_space as in application/x-www-form-urlencoded. nullopt: a bad
/// escape.
[[nodiscard]] std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space = false);
/// Leaves unreserved characters (RFC 3986 section 2.3) alone.
[[nodiscard]] std::string percent_encode(std::string_view text);

/// Makes out longer by size characters, to be written at what is returned: one check of its capacity for many pieces.
[[nodiscard]] inline char* extend(std::string& out, std::size_t size) {
    auto const at = out.size();
    out.resize(at + size);
    return out.data() + at;
}

/// Appends text as a JSON string with its quotes (RFC 8259 section 7). text must be UTF-8.
void append_json_string(std::string& out, std::string_view text);

/// The whole of text as a number, or nullopt.
template <class Number>
[[nodiscard]] std::optional<Number> parse_number(std::string_view text) noexcept {
    Number value{};
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
    return value;
}

template <class Number>
void append_number(std::string& out, Number value) {
    char digits[24];
    auto const end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    out.append(digits, static_cast<std::size_t>(end - digits));
}

} // namespace recruiting
