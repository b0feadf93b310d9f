#include "mail/encodings.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <array>

namespace recruiting::mail {
namespace {

enum class kind { kept, dropped, space, line_end };

// Embeddings, overrides and isolates (UAX #9): their effect reaches beyond the name that holds them.
bool turns_direction(char32_t c) noexcept { return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069); }

kind kind_of(char32_t c) noexcept {
    if (c == '\t') return kind::space;
    if (c == '\n' || c == 0x85 || c == 0x2028 || c == 0x2029) return kind::line_end;
    if (c < 0x20 || (c >= 0x7F && c <= 0x9F)) return kind::dropped;
    if (turns_direction(c) || c == 0xFEFF || (c & 0xFFFEU) == 0xFFFE) return kind::dropped;
    return kind::kept;
}

std::string harmless(std::string_view text, char line_end) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        auto const [value, size] = first_character(text);
        auto const character = text.substr(0, std::max<std::size_t>(size, 1));
        text.remove_prefix(character.size());
        if (size == 0) {
            out += "\xEF\xBF\xBD"; // U+FFFD
            continue;
        }
        if (character == "\r") { // alone it ends a line too
            if (!text.starts_with('\n')) out += line_end;
            continue;
        }
        switch (kind_of(value)) {
        case kind::kept: out += character; break;
        case kind::dropped: break;
        case kind::space: out += ' '; break;
        case kind::line_end: out += line_end; break;
        }
    }
    return out;
}

constexpr std::size_t encoded_line_limit = 76; // RFC 2045 section 6.7, RFC 2047 section 2
constexpr std::size_t word_bytes = 39;  // of text in an encoded word: with "List-Thing: " before it the line still fits
constexpr std::size_t plain_limit = 60; // an unbroken word that is longer can't be folded, so it is encoded

void append_hex(std::string& out, char c) {
    constexpr std::string_view digits = "0123456789ABCDEF"; // upper case: RFC 2045 section 6.7 (1)
    auto const byte = static_cast<unsigned char>(c);
    out += '=';
    out += digits[byte >> 4U];
    out += digits[byte & 15U];
}

bool words_fit(std::string_view text) {
    auto const words = split(text, ' ');
    return std::all_of(words.begin(), words.end(), [](auto word) { return word.size() <= plain_limit; });
}

// "=?" would be read as the beginning of an encoded word.
bool can_stand_plain(std::string_view text) {
    return is_printable_ascii(text) && words_fit(text) && text.find("=?") == std::string_view::npos;
}

// Readers drop the white space between encoded words, so that characters, never split, join again.
std::string encoded_words(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        std::size_t size = 0;
        while (size < text.size()) {
            auto const next = std::max<std::size_t>(first_character(text.substr(size)).size, 1);
            if (size + next > word_bytes) break;
            size += next;
        }
        out += (out.empty() ? "=?UTF-8?B?" : "\r\n =?UTF-8?B?") + to_base64(text.substr(0, size)) + "?=";
        text.remove_prefix(size);
    }
    return out;
}

// Broken before a space, which then begins the next line; never so that a line is all white space.
std::string folded(std::string_view text, std::size_t used) {
    std::string out;
    for (bool first = true; !text.empty(); first = false) {
        auto const word = text.substr(0, text.find(' ', text.find_first_not_of(' ')));
        if (!first && used + word.size() > encoded_line_limit) {
            out += "\r\n";
            used = 0;
        }
        out += word;
        used += word.size();
        text.remove_prefix(word.size());
    }
    return out;
}

std::string encode_line(std::string_view line) {
    std::string out;
    std::size_t used = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        char const c = line[i];
        bool const last = i + 1 == line.size();
        // A dot at a line's start means something to SMTP, and white space at its end is lost on the way.
        bool const literal = ((c > ' ' && c <= '~' && c != '=') || (c == ' ' && !last)) && !(c == '.' && used == 0);
        std::size_t const size = literal ? 1 : 3;
        if (used + size > encoded_line_limit - (last ? 0 : 1)) {
            out += "=\r\n";
            used = 0;
            --i; // again, at the line's start
            continue;
        }
        if (literal) out += c;
        else append_hex(out, c);
        used += size;
    }
    return out;
}

} // namespace

std::string harmless_line(std::string_view text) { return std::string(trim(harmless(text, ' '))); }
std::string harmless_text(std::string_view text) { return harmless(text, '\n'); }

std::string to_base64(std::string_view bytes) {
    auto out = to_base64url(bytes);
    std::replace(out.begin(), out.end(), '-', '+');
    std::replace(out.begin(), out.end(), '_', '/');
    out.append((4 - out.size() % 4) % 4, '=');
    return out;
}

std::string to_base64_lines(std::string_view bytes) {
    auto const whole = to_base64(bytes);
    std::string out;
    for (std::size_t at = 0; at < whole.size(); at += encoded_line_limit)
        out += whole.substr(at, encoded_line_limit) + "\r\n";
    return out;
}

std::string to_quoted_printable(std::string_view text) {
    if (text.ends_with('\n')) text.remove_suffix(1);
    std::string out;
    for (auto const line : split(text, '\n')) out += encode_line(line) + "\r\n";
    return out;
}

std::string text_field(std::string_view name, std::string_view text) {
    auto const harmless = harmless_line(text);
    auto out = std::string(name) + ": ";
    out += can_stand_plain(harmless) ? folded(harmless, out.size()) : encoded_words(harmless);
    return out + "\r\n";
}

std::string phrase(std::string_view name) {
    auto const harmless = harmless_line(name);
    if (harmless.empty()) return "";
    if (!can_stand_plain(harmless) || harmless.size() > plain_limit) return encoded_words(harmless);
    return quoted_string(harmless);
}

std::string quoted_string(std::string_view content) {
    std::string out = "\"";
    for (char const c : content) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}

std::string unquoted(std::string_view text) {
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::string(text);
    std::string out;
    text = text.substr(1, text.size() - 2);
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 1 < text.size()) ++i;
        out += text[i];
    }
    return out;
}

} // namespace recruiting::mail
