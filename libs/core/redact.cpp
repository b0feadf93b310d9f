#include "core/redact.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <cctype>

namespace recruiting {
namespace {

// U+0080 to U+009F, in UTF-8 C2 80 to C2 9F: control characters too, which some terminals obey (U+009B begins a
// sequence as ESC [ does).
void replace_c1(std::string& utf8) {
    for (auto at = utf8.find('\xC2'); at != std::string::npos; at = utf8.find('\xC2', at + 1))
        if (at + 1 < utf8.size() && static_cast<unsigned char>(utf8[at + 1]) < 0xA0) utf8.replace(at, 2, 1, '?');
}

// With '_', so that a prefix written twice (sp_live_sp_live_…) does not end the secret.
bool may_be_of_a_key(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

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

} // namespace recruiting
