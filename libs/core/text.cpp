#include "core/text.hpp"

#include <algorithm>
#include <cstring>

namespace recruiting {
namespace {

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

constexpr std::string_view hex_digits = "0123456789abcdef";
constexpr std::string_view base64url_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// How many continuation bytes a lead byte asks for, and the range of the first of them (RFC 3629 section 4).
struct utf8_lead {
    int continuations;
    unsigned char low;
    unsigned char high;
};

utf8_lead lead_of(unsigned char c) noexcept {
    if (c < 0x80) return {0, 0, 0};
    if (c >= 0xC2 && c <= 0xDF) return {1, 0x80, 0xBF};
    if (c == 0xE0) return {2, 0xA0, 0xBF};
    if (c == 0xED) return {2, 0x80, 0x9F};
    if (c >= 0xE1 && c <= 0xEF) return {2, 0x80, 0xBF};
    if (c == 0xF0) return {3, 0x90, 0xBF};
    if (c >= 0xF1 && c <= 0xF3) return {3, 0x80, 0xBF};
    if (c == 0xF4) return {3, 0x80, 0x8F};
    return {-1, 0, 0};
}

// The bytes of the character at the front of a text that is not empty; 0: they are not well-formed.
std::size_t sequence_size(std::string_view text) noexcept {
    auto const [continuations, low, high] = lead_of(static_cast<unsigned char>(text.front()));
    if (continuations < 0 || text.size() <= static_cast<std::size_t>(continuations)) return 0;
    auto const size = static_cast<std::size_t>(continuations) + 1;
    for (std::size_t k = 1; k < size; ++k) {
        auto const c = static_cast<unsigned char>(text[k]);
        if (c < (k == 1 ? low : 0x80) || c > (k == 1 ? high : 0xBF)) return 0;
    }
    return size;
}

// How many characters at the front are ASCII, in eights: most of every text.
std::size_t ascii_eights(std::string_view text) noexcept {
    constexpr std::uint64_t highs = ~std::uint64_t{0} / 255 * 128;
    std::size_t at = 0;
    for (std::uint64_t eight = 0; at + sizeof eight <= text.size(); at += sizeof eight) {
        std::memcpy(&eight, text.data() + at, sizeof eight);
        if ((eight & highs) != 0) break;
    }
    return at;
}

// "q=0.5" among an item's parameters, in thousandths; 1000 when not given or not readable.
int weight_of(std::string_view parameters) noexcept {
    while (!parameters.empty()) {
        auto const end = parameters.find(';');
        auto const parameter = trim(parameters.substr(0, end));
        parameters.remove_prefix(end == std::string_view::npos ? parameters.size() : end + 1);
        if (!parameter.starts_with("q=") && !parameter.starts_with("Q=")) continue;
        auto const value = parameter.substr(2, 5); // 0 to 1 with three decimals at most
        int thousandths = value.starts_with('1') ? 1000 : 0;
        int digit_weight = 100;
        for (char const c : value.substr(std::min<std::size_t>(value.size(), 2))) {
            if (c < '0' || c > '9') break;
            thousandths += (c - '0') * digit_weight;
            digit_weight /= 10;
        }
        return std::min(thousandths, 1000);
    }
    return 1000;
}

} // namespace

std::string_view trim(std::string_view text) noexcept {
    auto const first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        auto const end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

weighted_item take_weighted(std::string_view& list) noexcept {
    auto const end = list.find(',');
    auto const item = list.substr(0, end);
    list.remove_prefix(end == std::string_view::npos ? list.size() : end + 1);
    auto const semicolon = item.find(';');
    bool const has_parameters = semicolon != std::string_view::npos;
    return {trim(item.substr(0, semicolon)), has_parameters ? weight_of(item.substr(semicolon + 1)) : 1000};
}

bool iequals(std::string_view a, std::string_view b) noexcept {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (lower(a[i]) != lower(b[i])) return false;
    return true;
}

std::string to_lower(std::string_view text) {
    std::string out(text);
    for (auto& c : out) c = lower(c);
    return out;
}

std::string to_upper(std::string_view text) {
    std::string out(text);
    for (auto& c : out)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return out;
}

std::string to_sentence(std::string_view words) {
    std::string out(words);
    if (!out.empty() && out.front() >= 'a' && out.front() <= 'z')
        out.front() = static_cast<char>(out.front() - ('a' - 'A'));
    return out + '.';
}

bool is_printable_ascii(std::string_view text) noexcept {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

bool is_utf8(std::string_view text) noexcept {
    while (!text.empty()) {
        text.remove_prefix(ascii_eights(text));
        if (text.empty()) break;
        auto const size = sequence_size(text);
        if (size == 0) return false;
        text.remove_prefix(size);
    }
    return true;
}

utf8_character first_character(std::string_view text) noexcept {
    auto const size = sequence_size(text);
    if (size == 0) return {};
    auto const lead = static_cast<unsigned char>(text.front());
    char32_t value = size == 1 ? lead : lead & (0x7FU >> size);
    for (char const c : text.substr(1, size - 1)) value = (value << 6U) | (static_cast<unsigned char>(c) & 0x3FU);
    return {value, size};
}

std::size_t count_characters(std::string_view utf8) noexcept {
    return utf8.size() - static_cast<std::size_t>(std::count_if(utf8.begin(), utf8.end(), is_utf8_continuation));
}

std::string_view truncate_utf8(std::string_view utf8, std::size_t longest) noexcept {
    if (utf8.size() <= longest) return utf8;
    while (longest > 0 && is_utf8_continuation(utf8[longest])) --longest;
    return utf8.substr(0, longest);
}

std::string to_hex(std::string_view bytes) {
    std::string out;
    out.reserve(bytes.size() * 2);
    for (char const c : bytes) {
        auto const byte = static_cast<unsigned char>(c);
        out += hex_digits[byte >> 4U];
        out += hex_digits[byte & 15U];
    }
    return out;
}

std::optional<std::string> from_hex(std::string_view text) {
    if (text.size() % 2 != 0) return std::nullopt;
    std::string out;
    out.reserve(text.size() / 2);
    for (std::size_t i = 0; i < text.size(); i += 2) {
        int const high = hex_value(text[i]);
        int const low = hex_value(text[i + 1]);
        if (high < 0 || low < 0) return std::nullopt;
        out += static_cast<char>(high * 16 + low);
    }
    return out;
}

std::string to_base64url(std::string_view bytes) {
    std::string out;
    out.reserve((bytes.size() * 4 + 2) / 3);
    std::uint32_t bits = 0;
    unsigned held = 0;
    for (char const c : bytes) {
        bits = (bits << 8U) | static_cast<unsigned char>(c);
        for (held += 8; held >= 6;) {
            held -= 6;
            out += base64url_digits[(bits >> held) & 63U];
        }
    }
    if (held > 0) out += base64url_digits[(bits << (6 - held)) & 63U];
    return out;
}

std::optional<std::string> from_base64url(std::string_view text) {
    std::string out;
    out.reserve(text.size() * 3 / 4);
    std::uint32_t bits = 0;
    unsigned held = 0;
    for (char const c : text) {
        auto const digit = base64url_digits.find(c);
        if (digit == std::string_view::npos) return std::nullopt;
        bits = (bits << 6U) | static_cast<std::uint32_t>(digit);
        held += 6;
        if (held >= 8) {
            held -= 8;
            out += static_cast<char>((bits >> held) & 255U);
        }
    }
    // A lone digit or left-over bits that are set: not what to_base64url writes, so two texts can't mean one value.
    if (held >= 6 || (bits & ((1U << held) - 1U)) != 0) return std::nullopt;
    return out;
}

std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space) {
    if (text.find('%') == std::string_view::npos && !plus_is_space) return std::string(text);
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%') {
            if (text.size() - i < 3) return std::nullopt;
            auto const byte = from_hex(text.substr(i + 1, 2));
            if (!byte) return std::nullopt;
            out += *byte;
            i += 2;
        } else {
            out += plus_is_space && text[i] == '+' ? ' ' : text[i];
        }
    }
    return out;
}

std::string percent_encode(std::string_view text) {
    std::string out;
    for (char const c : text) {
        if (is_alphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~') {
            out += c;
        } else {
            out += '%';
            for (char const digit : to_hex(std::string_view(&c, 1)))
                out += digit >= 'a' ? static_cast<char>(digit - 32) : digit;
        }
    }
    return out;
}

} // namespace recruiting
