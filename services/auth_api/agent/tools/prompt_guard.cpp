#include "auth_api/agent/tools/prompt_guard.hpp"

#include "auth_api/agent/tools/revocation_words.hpp"
#include "auth_api/agent/tools/word_edges.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace recruiting::auth_api::agent {
namespace {

constexpr int most_occurrences = 200;   // looked at: a long prompt may repeat a name for ever
constexpr std::size_t least_weight = 2; // of a name's letters and digits; below it quotation marks are needed

// What a request may say without naming a key.
constexpr std::string_view common_words =
    "|a|access|agent|all|am|an|and|any|api|as|assistant|at|be|by|called|credential|credentials|delete|disable|do|for|"
    "from|go|he|hi|if|immediately|in|is|it|key|keys|me|my|name|named|new|no|not|now|of|ok|old|on|one|or|our|please|"
    "remove|revoke|secret|so|that|the|these|they|this|those|to|token|tokens|up|us|used|user|was|we|which|with|your|";

struct quotation {
    char32_t open;
    char32_t close;
};
constexpr std::array quotations{
    quotation{U'"', U'"'},   quotation{U'\'', U'\''}, quotation{U'`', U'`'},   quotation{U'“', U'”'},
    quotation{U'„', U'“'},   quotation{U'„', U'”'},   quotation{U'”', U'”'},   quotation{U'‘', U'’'},
    quotation{U'‚', U'‘'},   quotation{U'«', U'»'},   quotation{U'»', U'«'},   quotation{U'‹', U'›'},
    quotation{U'「', U'」'}, quotation{U'『', U'』'}, quotation{U'《', U'》'}, quotation{U'＂', U'＂'},
};

// How little a name could be an accident: its letters and digits, those that are whole syllables or words twice.
std::size_t weight_of(std::string_view name) {
    std::size_t weight = 0;
    for (std::size_t at = 0; at < name.size(); at += character_at(name, at).size) {
        auto const value = character_at(name, at).value;
        auto const kind = kind_of(value);
        bool const joins_words = value < 0x80 && std::isalnum(static_cast<int>(value)) == 0;
        if (kind == character_kind::none || joins_words) continue;
        bool const light = kind == character_kind::alphabetic || kind == character_kind::hiragana;
        weight += light ? 1 : 2;
    }
    return weight;
}

bool needs_quotes(std::string_view name) {
    if (weight_of(name) < least_weight) return true;
    auto const words = split(name, ' ');
    return std::ranges::all_of(words, [](std::string_view word) {
        auto const folded = fold_case(word);
        return common_words.find("|" + folded + "|") != std::string_view::npos || role_of(folded);
    });
}

bool is_quoted(std::string_view text, std::size_t position, std::size_t size) {
    auto const before = character_before(text, position).value;
    auto const after = character_at(text, position + size).value;
    return std::ranges::any_of(quotations, [&](auto const& q) { return q.open == before && q.close == after; });
}

// Is the piece part of a longer key's name that stands alone there?
bool is_inside(std::string_view text, std::size_t position, std::size_t size, std::string_view longer) {
    auto const room = longer.size() - size;
    auto const first = position > room ? position - room : 0;
    auto const window = text.substr(0, std::min(text.size(), position + longer.size()));
    for (auto at = window.find(longer, first); at != std::string_view::npos && at <= position;
         at = window.find(longer, at + 1))
        if (stands_alone(text, at, longer.size())) return true;
    return false;
}

std::vector<std::string> folded_longer_than(std::string_view name, std::span<std::string const> others) {
    std::vector<std::string> out;
    for (auto const& other : others)
        if (other.size() > name.size()) out.push_back(fold_case(other));
    return out;
}

// Where the prompt names the key.
std::vector<std::size_t> find_names(std::string_view prompt, std::string_view name,
                                    std::span<std::string const> others) {
    std::vector<std::size_t> found;
    if (name.empty()) return found;
    bool const quotes = needs_quotes(name);
    auto const longer = folded_longer_than(name, others);
    auto const folded = fold_case(prompt);
    auto at = prompt.find(name);
    for (int i = 0; i < most_occurrences && at != std::string_view::npos; ++i, at = prompt.find(name, at + 1)) {
        bool const alone = quotes ? is_quoted(prompt, at, name.size()) : stands_alone(prompt, at, name.size());
        if (!alone) continue;
        bool const taken =
            std::ranges::any_of(longer, [&](auto const& other) { return is_inside(folded, at, name.size(), other); });
        if (!taken) found.push_back(at);
    }
    return found;
}

bool ends_sentence(char32_t value) {
    return std::u32string_view(U".!?。！？؟").find(value) != std::u32string_view::npos;
}
bool ends_clause(char32_t value) {
    return std::u32string_view(U",;:()–—、，：；").find(value) != std::u32string_view::npos;
}
bool is_blank(char32_t value) { return value == ' ' || value == '\n' || value == '\t' || value == '\r'; }

// A full stop inside an address or an abbreviation ("e.g. this") ends no sentence.
bool is_sentence_end(std::string_view text, std::size_t position) {
    auto const mark = character_at(text, position);
    if (!ends_sentence(mark.value)) return false;
    if (mark.value >= 0x80) return true;
    auto const next = text.find_first_not_of(" \n\t\r", position + mark.size);
    if (next == std::string_view::npos) return true;
    bool const goes_on = std::islower(static_cast<unsigned char>(text[next])) != 0;
    return is_blank(character_at(text, position + mark.size).value) && !goes_on;
}

// What a sentence says before and after the name; after ends with the sentence's mark.
struct sentence {
    std::string before;
    std::string after;
};

sentence sentence_around(std::string_view prompt, std::size_t position, std::size_t size) {
    std::size_t begin = 0;
    for (std::size_t at = 0; at < position; at += character_at(prompt, at).size)
        if (is_sentence_end(prompt, at)) begin = at + character_at(prompt, at).size;
    auto end = position + size;
    while (end < prompt.size() && !is_sentence_end(prompt, end)) end += character_at(prompt, end).size;
    if (end < prompt.size()) end += character_at(prompt, end).size;
    return {fold_case(prompt.substr(begin, position - begin)),
            fold_case(prompt.substr(position + size, end - position - size))};
}

// "and" begins a clause as a comma does.
std::string with_marks(std::string text) {
    for (std::string_view const word : {" and ", " und ", " et ", " y ", " e ", " en ", " и "})
        for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at))
            text.replace(at, word.size(), " , ");
    return text;
}

// The colon and the quotation mark right before the name belong to its clause.
std::string last_clause(std::string_view before) {
    auto const text = with_marks(std::string(before));
    auto end = text.size();
    while (end > 0 && kind_of(character_before(text, end).value) == character_kind::none)
        end -= character_before(text, end).size;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < end; at += character_at(text, at).size)
        if (ends_clause(character_at(text, at).value)) begin = at + character_at(text, at).size;
    return text.substr(begin);
}

std::string first_clause(std::string_view after) {
    auto const text = with_marks(std::string(after));
    std::size_t end = 0;
    while (end < text.size() && !ends_clause(character_at(text, end).value)) end += character_at(text, end).size;
    return text.substr(0, end);
}

bool may_command(sentence const& said) {
    auto const first = words_of(said.before);
    if (!first.empty() && opens_question(first.front())) return false;
    auto const rest = words_of(said.after);
    return std::ranges::none_of(first, denies) && std::ranges::none_of(rest, denies);
}

bool is_question(sentence const& said) {
    return said.after.ends_with('?') || said.after.ends_with("？") || said.after.ends_with("؟");
}

// The clause with the name says nothing but the command.
bool commands(sentence const& said) {
    auto clause = last_clause(said.before) + " | " + first_clause(said.after);
    clause.erase(0, std::min(clause.find_first_not_of(" \n\t\r"), clause.size()));
    bool const courteous = take_courtesy(clause);
    if (is_question(said) && !courteous) return false;
    bool revoking = false;
    bool removing = false;
    bool of_key = false;
    for (auto const& word : words_of(clause)) {
        auto const role = role_of(word);
        if (!role) return false;
        revoking = revoking || role == word_role::revoking;
        removing = removing || role == word_role::removing;
        of_key = of_key || role == word_role::key_noun;
    }
    return revoking || (removing && of_key);
}

} // namespace

bool names_key(std::string_view prompt, std::string_view name, std::span<std::string const> others) {
    return !find_names(prompt, name, others).empty();
}

bool asks_to_revoke(std::string_view prompt, std::string_view name, std::span<std::string const> others) {
    auto const places = find_names(prompt, name, others);
    return std::ranges::any_of(places, [&](std::size_t at) {
        auto const said = sentence_around(prompt, at, name.size());
        return may_command(said) && commands(said);
    });
}

} // namespace recruiting::auth_api::agent
