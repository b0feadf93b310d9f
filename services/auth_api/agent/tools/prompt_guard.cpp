#include "auth_api/agent/tools/prompt_guard.hpp"

#include "auth_api/agent/tools/word_edges.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>

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

// Beginnings of words that mean to take a key out of use.
constexpr std::array stems = std::to_array<std::string_view>({
    "revok",   "revoc",    "delet",     "remov",    "disabl",     "deactiv",  "invalid",    "cancel",
    "kill",    "withdr",   "rotat",     "retir",    "block",      "terminat", "destroy",    "suspend",
    "get rid", "turn off", "shut down", "shut off", "switch off", "widerr",   "lösch",      "loesch",
    "sperr",   "deaktiv",  "entzieh",   "entfern",  "zurück",     "ungült",   "abschal",    "révo",
    "revoq",   "supprim",  "désactiv",  "desactiv", "desativ",    "annul",    "anul",       "revog",
    "elimin",  "borr",     "remuev",    "rimuov",   "disattiv",   "apag",     "intrek",     "verwijder",
    "blokke",  "odwoł",    "unieważ",   "usuń",     "отозв",      "отзов",    "удал",       "отключ",
    "аннулир", "деактив",  "iptal",     "återkall", "radera",     "inaktiv",  "tilbagekal", "slet",
});
// The same where words are not set apart by spaces.
constexpr std::array inner_stems = std::to_array<std::string_view>({
    "取り消", "取消", "無効", "削除", "失効", "破棄", "撤销", "撤銷", "吊销", "删除", "刪除", "作废", "停用",
    "禁用",   "注销", "취소", "폐기", "해지", "삭제", "비활", "철회", "إلغ",  "ألغ",  "حذف",  "रद्द",  "हटा",
});

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
        return common_words.find("|" + to_lower(word) + "|") != std::string_view::npos;
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

bool begins_word(std::string_view text, std::string_view stem) {
    for (auto at = text.find(stem); at != std::string_view::npos; at = text.find(stem, at + 1))
        if (kind_of(character_before(text, at).value) != character_kind::alphabetic) return true;
    return false;
}

} // namespace

bool names_key(std::string_view prompt, std::string_view name, std::span<std::string const> others) {
    if (name.empty()) return false;
    bool const quotes = needs_quotes(name);
    auto at = prompt.find(name);
    for (int i = 0; i < most_occurrences && at != std::string_view::npos; ++i, at = prompt.find(name, at + 1)) {
        bool const alone = quotes ? is_quoted(prompt, at, name.size()) : stands_alone(prompt, at, name.size());
        if (!alone) continue;
        bool const taken = std::ranges::any_of(others, [&](std::string const& other) {
            return other.size() > name.size() && is_inside(prompt, at, name.size(), other);
        });
        if (!taken) return true;
    }
    return false;
}

bool asks_to_revoke(std::string_view prompt, std::string_view name) {
    std::string rest;
    while (!name.empty() && prompt.find(name) != std::string_view::npos) {
        rest.append(prompt.substr(0, prompt.find(name))).append("|");
        prompt.remove_prefix(prompt.find(name) + name.size());
    }
    auto const text = fold_case(rest.append(prompt));
    return std::ranges::any_of(stems, [&](auto stem) { return begins_word(text, stem); }) ||
           std::ranges::any_of(inner_stems, [&](auto stem) { return text.find(stem) != std::string::npos; });
}

} // namespace recruiting::auth_api::agent
