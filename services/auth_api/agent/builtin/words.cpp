#include "auth_api/agent/builtin/words.hpp"

#include "auth_api/agent/builtin/code_points.hpp"
#include "core/text.hpp"

#include <array>
#include <optional>

namespace recruiting::auth_api::agent::responder {
namespace {

struct quotation_marks {
    std::string_view open;
    std::string_view close;
    bool apostrophe; // the closing mark is one too: it closes only before a character that is not of a word
};
constexpr auto marks = std::to_array<quotation_marks>({{"\"", "\"", false},
                                                       {"“", "”", false},
                                                       {"„", "“", false},
                                                       {"«", "»", false},
                                                       {"`", "`", false},
                                                       {"'", "'", true},
                                                       {"‘", "’", true}});
constexpr std::size_t longest_quotation = 400;

bool starts_with_word(std::string_view text) {
    return !text.empty() && is_word_character(first_code_point(text).value);
}

// What a mark at the start of rest encloses, or nothing when it is not opened or never closed.
std::optional<raw_word> read_quotation(std::string_view rest, std::size_t at) {
    for (auto const& mark : marks) {
        if (!rest.starts_with(mark.open)) continue;
        auto const inside = rest.substr(mark.open.size(), longest_quotation);
        for (auto end = inside.find(mark.close); end != std::string_view::npos;
             end = inside.find(mark.close, end + 1)) {
            if (mark.apostrophe && starts_with_word(inside.substr(end + mark.close.size()))) continue;
            auto const text = trim(inside.substr(0, end));
            if (text.empty()) return std::nullopt;
            return raw_word{std::string(text), at, at + mark.open.size() + end + mark.close.size(), true, false};
        }
    }
    return std::nullopt;
}

// Within names and addresses: "warehouse-sync", "anna@example.com", "Node.js", "O'Brien" (but not "what's").
bool joins(std::string_view rest) {
    char const c = rest[0];
    if (c == '\'') return rest.size() > 1 && rest[1] >= 'A' && rest[1] <= 'Z';
    return (c == '-' || c == '_' || c == '.' || c == '@' || c == '+') && starts_with_word(rest.substr(1));
}

raw_word read_word(std::string_view text, std::size_t begin) {
    raw_word word{{}, begin, begin, false, false};
    while (word.end < text.size()) {
        auto const rest = text.substr(word.end);
        auto const point = first_code_point(rest);
        if (is_word_character(point.value)) append_plain(word.text, rest.substr(0, point.size), point.value);
        else if (joins(rest)) word.text += rest[0];
        else break;
        word.end += point.size;
    }
    return word;
}

bool ends_clause(std::uint32_t value) {
    return value < 0x80 && std::string_view(".?!;\n").find(static_cast<char>(value)) != std::string_view::npos;
}

} // namespace

std::vector<raw_word> split_words(std::string_view text) {
    std::vector<raw_word> words;
    bool after_word = false; // a mark right behind a word is an apostrophe or closes something
    for (std::size_t at = 0; at < text.size();) {
        auto const rest = text.substr(at);
        auto quotation = after_word ? std::nullopt : read_quotation(rest, at);
        auto const point = first_code_point(rest);
        after_word = quotation || is_word_character(point.value);
        if (after_word) {
            words.push_back(quotation ? std::move(*quotation) : read_word(text, at));
            at = words.back().end;
            continue;
        }
        if (!words.empty() && ends_clause(point.value)) words.back().ends_clause = true;
        at += point.size;
    }
    return words;
}

std::string plain(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        auto const point = first_code_point(text.substr(at));
        if (is_word_character(point.value)) append_plain(out, text.substr(at, point.size), point.value);
        else if (!out.empty() && out.back() != ' ') out += ' ';
        at += point.size;
    }
    if (out.ends_with(' ')) out.pop_back();
    return out;
}

std::string singular(std::string_view word) {
    auto const without = [word](std::size_t count) { return std::string(word.substr(0, word.size() - count)); };
    if (word.size() < 4 || !word.ends_with('s')) return std::string(word);
    if (word.ends_with("ies")) return without(3) + "y";
    if (word.ends_with("sses") || word.ends_with("xes") || word.ends_with("ches")) return without(2);
    if (word.ends_with("ss") || word.ends_with("us") || word.ends_with("is")) return std::string(word);
    return without(1);
}

} // namespace recruiting::auth_api::agent::responder
