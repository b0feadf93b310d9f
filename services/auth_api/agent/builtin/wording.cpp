#include "auth_api/agent/builtin/wording.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <cctype>

namespace recruiting::auth_api::agent::builtin {
namespace {

constexpr std::size_t most_lines = 20;

// Controls, line separators, and characters that reorder or hide text.
bool is_invisible(char32_t value) {
    auto const between = [value](char32_t first, char32_t last) { return value >= first && value <= last; };
    return value < 0x20 || between(0x7F, 0x9F) || value == 0xAD || between(0x200B, 0x200F) || between(0x2028, 0x202E) ||
           between(0x2060, 0x206F) || value == 0xFEFF || between(0xE0000, 0xE007F);
}

bool looks_like_time(std::string_view time) { return time.size() >= 16 && time[4] == '-' && time[10] == 'T'; }

std::string plural(std::string const& noun) { return noun + 's'; }

bool is_ascii_mark(char c) {
    return static_cast<unsigned char>(c) < 0x80 && std::isalnum(static_cast<unsigned char>(c)) == 0;
}

// Lower case, with one blank around each word.
std::string words_of(std::string_view text) {
    std::string out = " ";
    for (char const c : to_lower(text)) {
        if (!is_ascii_mark(c)) out += c;
        else if (out.back() != ' ') out += ' ';
    }
    return out.back() == ' ' ? out : out + ' ';
}

} // namespace

std::string number(std::int64_t value) {
    auto digits = std::to_string(value);
    auto const first = digits.starts_with('-') ? std::size_t{1} : std::size_t{0};
    for (auto at = digits.size(); at > first + 3;) digits.insert(at -= 3, 1, ',');
    return digits;
}

std::string counted(std::int64_t value, std::string const& noun, bool exact) {
    return (exact ? "" : "at least ") + number(value) + ' ' + (value == 1 ? noun : plural(noun));
}

std::string there_are(std::int64_t value, std::string const& noun, bool exact) {
    if (value == 0) return (exact ? "There are no " : "Among those I could read there are no ") + plural(noun);
    return (value == 1 && exact ? "There is " : "There are ") + counted(value, noun, exact);
}

std::string shown(std::string_view text, std::size_t longest) {
    std::string out;
    std::size_t length = 0;
    for (std::size_t at = 0; at < text.size();) {
        auto const next = first_character(text.substr(at));
        auto const bytes = text.substr(at, std::max<std::size_t>(next.size, 1));
        at += bytes.size();
        bool const blank = next.value < 0x80 && std::string_view(" \t\r\n").find(bytes) != std::string_view::npos;
        if ((is_invisible(next.value) && !blank) || (blank && (out.empty() || out.back() == ' '))) continue;
        if (length++ == longest) return out + "…";
        if (blank) out += ' ';
        else out += next.size == 0 ? std::string_view("�") : bytes;
    }
    if (out.ends_with(' ')) out.pop_back();
    return out;
}

std::string in_quotes(std::string_view text) { return "“" + shown(text) + "”"; }

std::string joined(std::vector<std::string> const& parts) {
    std::string out;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0) out += i + 1 == parts.size() ? " and " : ", ";
        out += parts[i];
    }
    return out;
}

std::string bulleted(std::vector<std::string> const& lines, std::size_t total, bool complete) {
    std::string out;
    auto const count = std::min(lines.size(), most_lines);
    for (std::size_t i = 0; i < count; ++i) out.append("\n- ").append(lines[i]);
    if (total > count)
        out += "\nand " + std::string(complete ? "" : "at least ") + number(static_cast<std::int64_t>(total - count)) +
               " more";
    else if (!complete) out += "\nand more";
    return out;
}

std::string spaced(std::string_view value) {
    auto out = shown(value);
    std::ranges::replace(out, '_', ' ');
    return out;
}

std::string minute_of(std::string_view time) {
    if (!looks_like_time(time)) return shown(time);
    return shown(std::string(time.substr(0, 10)) + ' ' + std::string(time.substr(11, 5)));
}

std::string day_of(std::string_view time) { return looks_like_time(time) ? shown(time.substr(0, 10)) : shown(time); }

bool holds_words(std::string_view text, std::string_view wanted) {
    auto const words = words_of(wanted);
    return words.size() > 1 && words_of(text).find(words) != std::string::npos;
}

} // namespace recruiting::auth_api::agent::builtin
