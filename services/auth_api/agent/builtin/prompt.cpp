#include "auth_api/agent/builtin/prompt.hpp"

#include "core/time.hpp"

#include <algorithm>

namespace recruiting::auth_api::agent::responder {
namespace {

bool is_date(std::string_view text) {
    return text.size() == 10 && text[4] == '-' && parse_time(std::string(text) + "T00:00:00Z").has_value();
}

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// The words from `at` on that belong to one expression, at most `count`; fewer at a clause's end or a quotation.
std::string expression(std::vector<raw_word> const& words, std::size_t at, std::size_t count) {
    std::string out = words[at].text;
    for (std::size_t i = 1; i < count; ++i) out.append(" ").append(words[at + i].text);
    return out;
}

std::size_t room_for_expression(std::vector<raw_word> const& words, std::size_t at) {
    std::size_t room = 1;
    while (room < longest_expression && at + room < words.size() && !words[at + room].quoted &&
           !words[at + room - 1].ends_clause)
        ++room;
    return room;
}

word read(std::vector<raw_word> const& words, std::size_t at, std::size_t& used) {
    word out{words[at], sense::unknown, {}};
    used = 1;
    if (out.quoted) {
        out.is = sense::quoted;
        return out;
    }
    for (std::size_t count = room_for_expression(words, at); count > 0; --count) {
        auto const text = expression(words, at, count);
        auto found = find_meaning(text);
        if (!found) found = find_meaning(singular(text));
        if (!found) continue;
        used = count;
        out.text = text;
        out.end = words[at + count - 1].end;
        out.ends_clause = words[at + count - 1].ends_clause;
        out.is = found->is;
        out.value = found->value;
        break;
    }
    if (out.is == sense::unknown && is_date(out.text)) out.is = sense::day;
    if (out.is == sense::unknown && is_number(out.text)) out.is = sense::number;
    return out;
}

bool may_be_of_name(word const& one) {
    using enum sense;
    constexpr sense glue[] = {quoted,      article,  preposition, named, be,   auxiliary, pronoun,
                              conjunction, negation, polite,      who,   what, which,     where,
                              when,        how,      count,       list,  find, describe,  revoke};
    return std::ranges::find(glue, one.is) == std::end(glue);
}

// "Key Account Manager", "Site Reliability Engineer": capitals in a row, one of them on a word we don't know, are a
// name whatever else its words mean. The first word of a clause has its capital anyway.
void unite_names(std::string_view raw, std::vector<word>& words) {
    auto const capital = [raw](word const& one) { return raw[one.begin] >= 'A' && raw[one.begin] <= 'Z'; };
    for (std::size_t at = 0; at < words.size();) {
        auto end = at;
        bool unknown = false;
        while (end < words.size() && capital(words[end]) && may_be_of_name(words[end])) {
            bool const opens_clause = end == 0 || words[end - 1].ends_clause;
            if (opens_clause && (end > at || words[end].is != sense::unknown)) break;
            unknown = unknown || words[end].is == sense::unknown;
            ++end;
        }
        if (unknown)
            for (auto i = at; i < end; ++i) words[i].is = sense::unknown;
        at = std::max(end, at + 1);
    }
}

} // namespace

prompt::prompt(std::string_view raw) : raw_(raw) {
    auto const found = split_words(raw);
    for (std::size_t at = 0, used = 0; at < found.size(); at += used) words_.push_back(read(found, at, used));
    unite_names(raw, words_);
}

word const* prompt::first(sense wanted) const noexcept {
    auto const found = std::ranges::find(words_, wanted, &word::is);
    return found == words_.end() ? nullptr : &*found;
}

bool prompt::has_any(std::initializer_list<sense> wanted) const noexcept {
    return std::ranges::any_of(wanted, [this](sense one) { return has(one); });
}

bool prompt::says(std::string_view singular_word) const {
    return std::ranges::any_of(words_,
                               [singular_word](word const& one) { return singular(one.text) == singular_word; });
}

bool prompt::only(std::initializer_list<sense> allowed) const noexcept {
    return std::ranges::all_of(
        words_, [allowed](word const& one) { return std::ranges::find(allowed, one.is) != allowed.end(); });
}

std::string prompt::text(std::size_t from, std::size_t to) const {
    if (from == to && words_[from].quoted) return words_[from].text;
    return std::string(raw_.substr(words_[from].begin, words_[to].end - words_[from].begin));
}

} // namespace recruiting::auth_api::agent::responder
