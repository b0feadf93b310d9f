#include "auth_api/agent/builtin/names.hpp"

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
    constexpr auto senses = std::to_array<sense>({article, preposition, conjunction, organization, job_status,
                                                  published, all, deed, failure, help, sense::number, time_unit});
    return ends_name(one) || one_of(one, senses);
}

bool is_loose_end(word const& one) {
    constexpr auto senses = std::to_array<sense>({article, preposition, conjunction, all});
    return one_of(one, senses);
}

bool marks_name(word const& one) { return one.is == preposition && one.value == "name"; }

// The name that begins at `from` (glue before it skipped) and ends before `limit`, or nothing.
std::optional<range> name_from(std::vector<word> const& words, std::size_t from, std::size_t limit) {
    while (from < limit && (is_loose_end(words[from]) || words[from].is == named)) ++from;
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
    while (from < end && is_common(words[from]) && words[from].is != candidate_status) ++from;
    if (from == end) return std::nullopt;
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

bool has_unknown(std::vector<word> const& words, range const& in) {
    return std::any_of(words.begin() + static_cast<std::ptrdiff_t>(in.first),
                       words.begin() + static_cast<std::ptrdiff_t>(in.last + 1),
                       [](word const& one) { return one.is == unknown; });
}

// "the Data Engineer job", "the job Data Engineer", "the pipeline for Data Engineer"
std::optional<range> name_at_noun(std::vector<word> const& words, std::size_t at) {
    auto const before = name_before(words, at);
    if (before && has_unknown(words, *before)) return before;
    auto after = at + 1;
    if (words[at].ends_clause || after == words.size()) return before;
    bool const marked = marks_name(words[after]) || words[after].is == named;
    if (marked) ++after;
    bool const begins = marked || words[after].is == unknown || words[after].is == quoted;
    auto const name = begins ? name_from(words, after, words.size()) : std::nullopt;
    return name ? name : before;
}

// The words a title is looked for in: those of a stage don't count.
std::vector<word> without(std::vector<word> const& words, std::optional<stage_words> const& found) {
    auto rest = words;
    if (found)
        for (auto i = found->all.first; i <= found->all.last; ++i) rest[i].is = stage;
    return rest;
}

// "the Data Engineer candidates"
std::optional<range> name_of_candidates(std::vector<word> const& words, std::size_t at) {
    if (words[at].is != candidate) return std::nullopt;
    auto const name = name_before(words, at);
    return name && has_unknown(words, *name) ? name : std::nullopt;
}

std::optional<range> find_title(std::vector<word> const& words) {
    for (std::size_t at = 0; at < words.size(); ++at)
        if (words[at].is == quoted) return range{at, at};
    for (std::size_t at = 0; at < words.size(); ++at)
        if (words[at].is == pipeline || words[at].is == job)
            if (auto const name = name_at_noun(words, at)) return name;
    for (std::size_t at = 0; at + 1 < words.size(); ++at)
        if (marks_name(words[at]) && !words[at].ends_clause)
            if (auto const name = name_from(words, at + 1, words.size())) return name;
    for (std::size_t at = 0; at < words.size(); ++at)
        if (auto const name = name_of_candidates(words, at)) return name;
    return std::nullopt;
}

// A name's small words: "van den Berg", "de la Cruz".
bool is_particle(word const& one) {
    constexpr auto particles =
        std::to_array<std::string_view>({"de", "der", "den", "van", "von", "da", "di", "la", "le", "du", "del", "das",
                                         "dos", "el", "al", "bin", "y", "zu"});
    return std::ranges::find(particles, one.text) != particles.end();
}

std::optional<range> find_person(std::vector<word> const& words) {
    auto const first = std::ranges::find(words, unknown, &word::is);
    if (first == words.end()) return std::nullopt;
    range found{static_cast<std::size_t>(first - words.begin()), static_cast<std::size_t>(first - words.begin())};
    while (found.first > 0 && is_particle(words[found.first - 1]) && !words[found.first - 1].ends_clause) --found.first;
    for (auto at = found.last; at + 1 < words.size() && !words[at].ends_clause; ++at) {
        if (words[at + 1].is == unknown) found.last = at + 1;
        else if (!is_particle(words[at + 1])) break;
    }
    return found;
}

} // namespace

bool is_address(std::string_view text) {
    auto const at = text.find('@');
    return at != std::string_view::npos && at > 0 && text.find('.', at) != std::string_view::npos &&
           text.find(' ') == std::string_view::npos;
}

bool is_workplace(std::string_view words) { return words == "remote" || words == "hybrid" || words == "on site"; }

bool same_name(std::string_view a, std::string_view b) { return plain(a) == plain(b); }

bool names_match(std::string_view text, std::string_view wanted) {
    auto const words = plain(wanted);
    return !words.empty() && (' ' + plain(text) + ' ').find(' ' + words + ' ') != std::string::npos;
}

std::string job_title(prompt const& asked) {
    auto const found = find_title(without(asked.words(), find_stage(asked.words())));
    return found ? asked.text(found->first, found->last) : std::string();
}

std::string possible_job_title(prompt const& asked) {
    auto const found = find_person(without(asked.words(), find_stage(asked.words())));
    return found ? asked.text(found->first, found->last) : std::string();
}

std::string stage_name(prompt const& asked) {
    auto const found = find_stage(asked.words());
    return found ? asked.text(found->name.first, found->name.last) : std::string();
}

std::string person_name(prompt const& asked) {
    auto const& words = asked.words();
    for (std::size_t at = 0; at < words.size(); ++at)
        if (words[at].is == quoted || is_address(words[at].text)) return asked.text(at, at);
    auto const found = find_person(words);
    return found ? asked.text(found->first, found->last) : std::string();
}

std::vector<std::string> place_names(prompt const& asked) {
    auto const& words = asked.words();
    std::vector<std::string> names;
    auto const add = [&names](std::string name) {
        if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    };
    auto const noun = [](word const& one) { return one.is == department || one.is == location; };
    for (std::size_t at = 0; at < words.size(); ++at) {
        if (words[at].is == quoted || is_workplace(words[at].text)) add(words[at].text);
        auto found = noun(words[at]) || words[at].is == job ? name_before(words, at) : std::nullopt;
        if (!found && marks_name(words[at])) {
            auto const next = words.begin() + static_cast<std::ptrdiff_t>(at + 1);
            auto const limit = static_cast<std::size_t>(std::find_if(next, words.end(), noun) - words.begin());
            found = name_from(words, at + 1, limit);
        }
        if (!found || words[found->first].is == quoted) continue;
        add(asked.text(found->first, found->last));
    }
    return names;
}

std::string source_name(prompt const& asked) {
    auto const& words = asked.words();
    for (std::size_t at = 0; at + 1 < words.size(); ++at) {
        if (words[at].text != "from" || words[at].ends_clause) continue;
        auto const found = name_from(words, at + 1, words.size());
        if (!found) continue;
        auto source = plain(asked.text(found->first, found->last));
        std::ranges::replace(source, ' ', '_');
        return source;
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
