#include "auth_api/agent/responder/names.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace recruiting::auth_api::agent::responder {
namespace {

using enum sense;

// Words of the prompt, the last one included.
struct range {
    std::size_t first;
    std::size_t last;
};

template <std::size_t Size>
bool one_of(word const& one, std::array<sense, Size> const& senses) {
    return std::ranges::find(senses, one.is) != senses.end();
}

// What can't be within a name, unless it is quoted.
bool ends_name(word const& one) {
    constexpr auto senses = std::to_array<sense>(
        {be,  auxiliary, pronoun, reference, negation, polite, who, what,     which, where,     when,
         how, count,     list,    find,      describe, per,    job, pipeline, stage, candidate, candidate_status,
         day, last,      overall, thanks,    greeting, named});
    return one_of(one, senses);
}

// What alone makes no name.
bool is_common(word const& one) {
    constexpr auto senses = std::to_array<sense>(
        {article, preposition, conjunction, organization, job_status, published, all, deed, failure, help, time_unit});
    return ends_name(one) || one_of(one, senses);
}

bool is_loose_end(word const& one) {
    constexpr auto senses = std::to_array<sense>({article, preposition, conjunction, all});
    return one_of(one, senses);
}

bool marks_name(word const& one) { return one.is == preposition && one.value == "name"; }

// The name that begins at `from` (articles before it skipped) and ends before `limit`, or nothing.
std::optional<range> name_from(std::vector<word> const& words, std::size_t from, std::size_t limit) {
    while (from < limit && (words[from].is == article || words[from].is == named || words[from].is == all)) ++from;
    if (from < limit && words[from].is == quoted) return range{from, from};
    auto end = from;
    while (end < limit && !ends_name(words[end]) && words[end].is != quoted) {
        ++end;
        if (words[end - 1].ends_clause) break;
    }
    while (end > from && is_loose_end(words[end - 1])) --end;
    if (end == from || std::all_of(words.begin() + static_cast<std::ptrdiff_t>(from),
                                   words.begin() + static_cast<std::ptrdiff_t>(end), is_common))
        return std::nullopt;
    return range{from, end - 1};
}

// The name that ends right before `end`, back to the word that can't belong to it, or nothing.
std::optional<range> name_before(std::vector<word> const& words, std::size_t end) {
    auto from = end;
    while (from > 0 && !words[from - 1].ends_clause && !is_loose_end(words[from - 1]) &&
           (!ends_name(words[from - 1]) || words[from - 1].is == candidate_status))
        --from;
    if (from == end) return std::nullopt;
    bool const common =
        std::all_of(words.begin() + static_cast<std::ptrdiff_t>(from), words.begin() + static_cast<std::ptrdiff_t>(end),
                    [](word const& one) { return is_common(one) && one.is != candidate_status; });
    if (common) return std::nullopt;
    return range{from, end - 1};
}

// "interview" of "in the interview for …": words that name stages, and nothing else up to the next glue.
std::optional<range> bare_stage(std::vector<word> const& words, std::size_t preposition_at) {
    auto from = preposition_at + 1;
    while (from < words.size() && words[from].is == article) ++from;
    auto end = from;
    while (end < words.size() && words[end].is == sense::stage_name) ++end;
    if (end == from || (end < words.size() && !words[end - 1].ends_clause &&
                        (words[end].is == unknown || words[end].is == quoted || words[end].is == job)))
        return std::nullopt;
    return range{from, end - 1};
}

struct stage_words {
    range name;
    range all; // with the word "stage"
};

std::optional<stage_words> find_stage(std::vector<word> const& words) {
    for (std::size_t at = 0; at < words.size(); ++at) {
        if (words[at].is != stage) continue;
        if (auto const name = name_before(words, at)) return stage_words{*name, {name->first, at}};
        bool const goes_on = at + 1 < words.size() && !words[at].ends_clause && !is_loose_end(words[at + 1]);
        if (!goes_on) continue;
        auto const next = words.begin() + static_cast<std::ptrdiff_t>(at + 1);
        auto const limit = static_cast<std::size_t>(std::find_if(next, words.end(), is_loose_end) - words.begin());
        if (auto const name = name_from(words, at + 1, limit)) return stage_words{*name, {at, name->last}};
    }
    for (std::size_t at = 0; at + 1 < words.size(); ++at)
        if (marks_name(words[at]) && !words[at].ends_clause)
            if (auto const name = bare_stage(words, at)) return stage_words{*name, *name};
    return std::nullopt;
}

// "the job Data Engineer", "the pipeline for Data Engineer", "the Data Engineer job"
std::optional<range> name_at_noun(std::vector<word> const& words, std::size_t at, std::size_t limit) {
    auto after = at + 1;
    if (!words[at].ends_clause && after < limit) {
        if (marks_name(words[after])) ++after;
        if (auto const name = name_from(words, after, limit)) return name;
    }
    return name_before(words, at);
}

// The words a title is looked for in: those of a stage don't count.
std::vector<word> without(std::vector<word> const& words, std::optional<stage_words> const& found) {
    auto rest = words;
    if (found)
        for (auto i = found->all.first; i <= found->all.last; ++i) rest[i].is = stage;
    return rest;
}

std::optional<range> unknown_run(std::vector<word> const& words) {
    auto const first = std::ranges::find(words, unknown, &word::is);
    if (first == words.end()) return std::nullopt;
    return name_from(words, static_cast<std::size_t>(first - words.begin()), words.size());
}

std::optional<range> find_title(std::vector<word> const& words) {
    for (std::size_t at = 0; at < words.size(); ++at)
        if (words[at].is == quoted) return range{at, at};
    for (std::size_t at = 0; at < words.size(); ++at)
        if (words[at].is == pipeline || words[at].is == job)
            if (auto const name = name_at_noun(words, at, words.size())) return name;
    for (std::size_t at = 0; at + 1 < words.size(); ++at)
        if (marks_name(words[at]) && !words[at].ends_clause)
            if (auto const name = name_from(words, at + 1, words.size())) return name;
    return unknown_run(words);
}

} // namespace

bool same_name(std::string_view a, std::string_view b) { return plain(a) == plain(b); }

bool names_match(std::string_view text, std::string_view wanted) {
    auto const words = plain(wanted);
    return !words.empty() && (' ' + plain(text) + ' ').find(' ' + words + ' ') != std::string::npos;
}

std::string job_title(prompt const& asked) {
    auto const found = find_title(without(asked.words(), find_stage(asked.words())));
    return found ? asked.text(found->first, found->last) : std::string();
}

std::string stage_name(prompt const& asked) {
    auto const found = find_stage(asked.words());
    return found ? asked.text(found->name.first, found->name.last) : std::string();
}

std::string place_name(prompt const& asked) {
    auto const& words = asked.words();
    for (std::size_t at = 0; at < words.size(); ++at) {
        if (words[at].is == quoted) return words[at].text;
        if (words[at].is == location && (words[at].text == "remote" || words[at].text == "hybrid"))
            return words[at].text;
    }
    auto const text = [&asked](range found) { return asked.text(found.first, found.last); };
    auto const noun = [](word const& one) { return one.is == department || one.is == location; };
    for (std::size_t at = 0; at < words.size(); ++at) {
        if (noun(words[at]) || words[at].is == job)
            if (auto const name = name_before(words, at)) return text(*name);
        if (!marks_name(words[at])) continue;
        auto const next = words.begin() + static_cast<std::ptrdiff_t>(at + 1);
        auto const limit = static_cast<std::size_t>(std::find_if(next, words.end(), noun) - words.begin());
        if (auto const name = name_from(words, at + 1, limit)) return text(*name);
    }
    return {};
}

std::string record_id(prompt const& asked) {
    for (auto const& one : asked.words()) {
        auto text = one.text;
        std::erase(text, '-');
        bool const hexadecimal = text.find_first_not_of("0123456789abcdef") == std::string::npos;
        if (text.size() == 32 && hexadecimal) return text;
    }
    return {};
}

} // namespace recruiting::auth_api::agent::responder
