#include "core/redact.hpp"

#include "core/text.hpp"

#include <algorithm>

namespace recruiting {
namespace {

// U+0080 to U+009F, in UTF-8 C2 80 to C2 9F: control characters too, which some terminals obey (U+009B begins a
// sequence as ESC [ does).
void replace_c1(std::string& utf8) {
    for (auto at = utf8.find('\xC2'); at != std::string::npos; at = utf8.find('\xC2', at + 1))
        if (at + 1 < utf8.size() && static_cast<unsigned char>(utf8[at + 1]) < 0xA0) utf8.replace(at, 2, 1, '?');
}

// With '_', so that a prefix written twice (sp_live_sp_live_…) does not end the secret.
bool may_be_of_a_key(char c) { return is_alphanumeric(c) || c == '_'; }

constexpr std::string_view blanks = " \t\n\r\f\v";

// Where the value that begins here ends. In a URL: at the next &. In a keyword string, as libpq reads it: with its
// quote, or at the next blank, where a backslash takes what follows as it is.
std::size_t end_of_value(std::string_view text, std::size_t begin, bool in_url) {
    if (in_url) return std::min(text.find('&', begin), text.size());
    bool const quoted = text.substr(begin).starts_with('\'');
    for (auto at = begin + (quoted ? 1U : 0U); at < text.size(); ++at) {
        if (text[at] == '\\') ++at;
        else if (quoted && text[at] == '\'') return at + 1;
        else if (!quoted && blanks.find(text[at]) != std::string_view::npos) return at;
    }
    return text.size();
}

// sslpassword too, whose name ends alike.
void hide_passwords(std::string& text, bool in_url) {
    constexpr std::string_view name = "password";
    for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
        auto const equals = text.find_first_not_of(blanks, at + name.size());
        if (equals == std::string::npos || text[equals] != '=') continue;
        auto const begin = std::min(text.find_first_not_of(blanks, equals + 1), text.size());
        text.replace(begin, end_of_value(text, begin, in_url) - begin, "***");
    }
}

} // namespace

std::string printable(std::string_view text, std::size_t longest) {
    std::string out(truncate_utf8(text, longest));
    bool const valid = is_utf8(out);
    for (auto& c : out) {
        auto const byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7F || (byte >= 0x80 && !valid)) c = '?';
    }
    if (valid) replace_c1(out);
    return out;
}

std::string redact_secrets(std::string text) {
    for (std::string_view const prefix : {"sp_live_", "sp_test_"}) {
        for (auto at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at + 1)) {
            auto const first = at + prefix.size();
            auto const end =
                std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(first), text.end(), may_be_of_a_key);
            auto const size = static_cast<std::size_t>(end - text.begin()) - first;
            text.replace(first, size, std::min<std::size_t>(size, 3), '*');
        }
    }
    return text;
}

std::string redact_url(std::string text) {
    auto const scheme = text.find("://");
    auto const begin = scheme == std::string::npos ? 0 : scheme + 3;
    if (auto const at = text.rfind('@'); scheme != std::string::npos && at != std::string::npos && at > begin)
        text.replace(begin, at - begin, "***");
    hide_passwords(text, scheme < text.find('='));
    return text;
}

} // namespace recruiting
