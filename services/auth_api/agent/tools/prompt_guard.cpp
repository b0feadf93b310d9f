#include "auth_api/agent/tools/api_keys.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace recruiting::auth_api::agent {
namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view clause_marks = ".,;:!)";
constexpr auto quotation_marks =
    std::to_array<std::string_view>({"\"", "'", "`", "“", "”", "„", "«", "»", "‘", "’", "‚"});

// What a command may contain beside "revoke" and the name.
constexpr std::string_view command_words =
    "|the|this|that|my|our|a|api|access|key|token|credential|secret|named|called|please|now|immediately|thanks|thank|"
    "you|";
// What is a name only in quotation marks, beside the words of the command itself.
constexpr std::string_view ordinary_words =
    "|all|an|and|any|credentials|every|everything|expired|for|from|he|her|his|if|in|it|its|keys|me|mine|new|no|none|"
    "not|of|old|on|one|ones|or|revoke|secrets|so|test|them|these|they|those|to|tokens|unused|us|used|we|with|your|";

bool holds(std::string_view words, std::string_view word) {
    return words.find("|" + to_lower(word) + "|") != std::string_view::npos;
}

// Bytes of the quotation mark that the text begins with; 0: there is none.
std::size_t opening_quote(std::string_view text) {
    auto const found = std::ranges::find_if(quotation_marks, [text](auto mark) { return text.starts_with(mark); });
    return found == quotation_marks.end() ? 0 : found->size();
}

bool begins_word(std::string_view before) {
    if (before.empty() || before.back() == '(' || blanks.find(before.back()) != blanks.npos) return true;
    return std::ranges::any_of(quotation_marks, [before](auto mark) { return before.ends_with(mark); });
}

// Quotation and clause marks may follow a word, then white space or the end: "warehouse.old" goes on.
bool ends_word(std::string_view after) {
    after.remove_prefix(opening_quote(after));
    after.remove_prefix(std::min(after.find_first_not_of(".,;:!?)"), after.size()));
    after.remove_prefix(opening_quote(after));
    return after.empty() || blanks.find(after.front()) != blanks.npos;
}

bool holds_word(std::string_view text, std::string_view word) {
    for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1))
        if (begins_word(text.substr(0, at)) && ends_word(text.substr(at + word.size()))) return true;
    return false;
}

bool is_ordinary(std::string_view word) {
    bool const has_letter =
        std::ranges::any_of(word, [](char c) { return static_cast<unsigned char>(c) >= 0x80 || is_alphanumeric(c); });
    return word.size() < 2 || !has_letter || holds(command_words, word) || holds(ordinary_words, word);
}

bool needs_quotes(std::string_view name) {
    auto const words = split(name, ' ');
    return is_ordinary(words.front()) || is_ordinary(words.back());
}

struct command {
    bool quoted{false};
    std::string_view after; // the name and its closing quotation mark
};

// The name at the begin of a text, as a word of its own.
std::optional<command> read_name(std::string_view text, std::string_view name) {
    auto const open = opening_quote(text);
    text.remove_prefix(open);
    if (!text.starts_with(name)) return std::nullopt;
    auto after = text.substr(name.size());
    auto const close = opening_quote(after);
    if ((open == 0) != (close == 0) || !ends_word(after)) return std::nullopt;
    after.remove_prefix(close);
    return command{open > 0, after};
}

std::string_view take_word(std::string_view& text) {
    constexpr std::string_view separators = " \t\r\n,:";
    auto const word = text.substr(0, text.find_first_of(separators));
    text.remove_prefix(std::min(text.find_first_not_of(separators, word.size()), text.size()));
    return word;
}

bool is_courteous(std::string_view text) {
    while (!text.empty()) {
        auto const begin = text.find_first_not_of(" \t\r\n.,;:!)");
        if (begin == text.npos) return true;
        text.remove_prefix(begin);
        auto const word = text.substr(0, text.find_first_of(" \t\r\n.,;:!)"));
        if (!holds(command_words, word)) return false;
        text.remove_prefix(word.size());
    }
    return true;
}

bool asks(std::string_view text) {
    auto const marks = std::to_array<std::string_view>({"?", "？", "؟"});
    return std::ranges::any_of(marks, [text](auto mark) { return text.find(mark) != text.npos; });
}

// Of a prompt that begins with a command to revoke the key of this name.
std::optional<command> read_command(std::string_view prompt, std::string_view name) {
    bool revokes = false;
    for (auto rest = trim(prompt); !rest.empty();) {
        auto const found = revokes ? read_name(rest, name) : std::nullopt;
        if (found) {
            auto const clause = found->after.substr(0, found->after.find_first_of(clause_marks));
            if (!is_courteous(clause) || asks(found->after)) return std::nullopt;
            return found;
        }
        auto const word = take_word(rest);
        bool const courteous = revokes ? holds(command_words, word) : iequals(word, "please");
        if (!courteous && (revokes || !iequals(word, "revoke"))) return std::nullopt;
        revokes = revokes || !courteous;
    }
    return std::nullopt;
}

} // namespace

consent consent_to_revoke(std::string_view prompt, std::string_view name, std::span<std::string const> others) {
    auto const folded = to_lower(prompt);
    if (name.empty() || !holds_word(prompt, name) || !holds_word(folded, "revoke")) return consent::none;
    auto const command = read_command(prompt, name);
    if (!command || (!command->quoted && needs_quotes(name))) return consent::unclear;
    bool const several = !command->quoted && std::ranges::any_of(others, [&](std::string const& other) {
        return !iequals(other, name) && read_command(folded, to_lower(other)).has_value();
    });
    return several ? consent::unclear : consent::given;
}

bool is_only_command(std::string_view prompt, std::string_view name) {
    auto const command = read_command(prompt, name);
    return command && is_courteous(command->after);
}

} // namespace recruiting::auth_api::agent
