#include "public_api/catalogue/job_index.hpp"

#include "words/search_key.hpp"
#include "words/words.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <tuple>
#include <vector>

namespace recruiting::public_api {
namespace {

constexpr std::size_t most_choices = 200; // in one field of the form

std::string_view name_of_place(published_job const& job) noexcept {
    for (auto const* location : {&job.location_name, &job.location_city, &job.location_region})
        if (*location && !(*location)->empty()) return **location;
    return {};
}

auto place_of(published_job const& job) {
    return std::tie(job.location_name, job.location_city, job.location_region, job.location_country_code);
}

bool has_room(auto const& choices, std::string_view choice) {
    return !choice.empty() && (choices.size() < most_choices || choices.contains(choice));
}

} // namespace

job_choices choices_of(std::vector<job_pointer> const& jobs) {
    std::set<std::string, std::less<>> departments;
    std::map<std::string, job_pointer, std::less<>> places;
    for (auto const& packed : jobs) {
        auto const job = facts_of(*packed);
        if (job.department && has_room(departments, *job.department)) departments.insert(*job.department);
        auto const name = name_of_place(job);
        if (!has_room(places, name)) continue;
        auto& job_there = places.try_emplace(std::string(name), packed).first->second;
        if (job_there == nullptr || job_there == packed) continue;
        auto const there = facts_of(*job_there);
        if (place_of(there) != place_of(job)) job_there = nullptr;
    }
    job_choices out{{departments.begin(), departments.end()}, {}};
    for (auto const& [name, job] : places) out.locations.push_back({name, job});
    return out;
}

namespace {

std::optional<std::string> key_of(std::optional<std::string> const& text) {
    return text ? std::optional(search_key(*text)) : std::nullopt;
}

std::vector<std::string> words_of(std::string const& text) {
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

// A kind of workplace as the API and the pages in each language call it: "remote en remoto …".
std::string names_of_workplace(std::string_view type) {
    std::string names(type);
    for (auto const& in : all_words()) names.append(" ").append(search_key(word_for(in, type)));
    return names;
}

bool is_workplace_called(std::string_view type, std::string_view word) {
    static std::map<std::string_view, std::string> const names = [] {
        std::map<std::string_view, std::string> made;
        for (auto const one : workplace_types) made.emplace(one, names_of_workplace(one));
        return made;
    }();
    auto const found = names.find(type);
    return found != names.end() && contains(found->second, word);
}

bool is_any(std::vector<std::uint32_t> const& wanted, std::uint32_t number) noexcept {
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), number) != wanted.end();
}

} // namespace

std::uint32_t job_index::dictionary::number_of(std::optional<std::string> const& text) {
    if (!text) return absent;
    return numbers_.try_emplace(*text, static_cast<std::uint32_t>(numbers_.size())).first->second;
}

std::uint32_t job_index::dictionary::find(std::string_view text) const {
    auto const found = numbers_.find(text);
    return found == numbers_.end() ? unknown : found->second;
}

std::vector<std::uint32_t> job_index::dictionary::those_that(std::function<bool(std::string_view)> const& holds) const {
    std::vector<std::uint32_t> found;
    for (auto const& [text, number] : numbers_)
        if (holds(text)) found.push_back(number);
    std::ranges::sort(found);
    return found;
}

job_index::job_index(std::vector<job_pointer> const& jobs) {
    rows_.reserve(jobs.size());
    for (auto const& packed : jobs) {
        auto const job = facts_of(*packed);
        auto const title = search_key(job.title);
        rows_.push_back(
            {departments_.number_of(key_of(job.department)),
             {locations_.number_of(key_of(job.location_city)), locations_.number_of(key_of(job.location_name)),
              locations_.number_of(key_of(job.location_region))},
             types_.number_of(job.workplace_type),
             types_.number_of(job.employment_type),
             static_cast<std::uint32_t>(titles_.size()),
             static_cast<std::uint32_t>(title.size())});
        titles_ += title;
    }
    titles_.shrink_to_fit();
}

job_index::criteria job_index::compile(job_filters const& filters) const {
    criteria wanted;
    if (filters.department) wanted.department = departments_.find(search_key(*filters.department));
    if (filters.location) {
        auto const place = search_key(*filters.location);
        wanted.locations = locations_.those_that([&](auto text) { return contains(text, place); });
    }
    for (auto const& type : filters.workplace_types) wanted.workplace_types.push_back(types_.find(type));
    for (auto const& type : filters.employment_types) wanted.employment_types.push_back(types_.find(type));
    if (!filters.q) return wanted;
    for (auto& word : words_of(search_key(*filters.q)))
        wanted.words.push_back({word, departments_.those_that([&](auto text) { return contains(text, word); }),
                                locations_.those_that([&](auto text) { return contains(text, word); }),
                                types_.those_that([&](auto type) { return is_workplace_called(type, word); })});
    return wanted;
}

bool job_index::has_word(row const& job, criteria::word const& wanted) const noexcept {
    auto const is_one_of = [](auto const& numbers) {
        return [&numbers](std::uint32_t number) { return std::ranges::binary_search(numbers, number); };
    };
    return contains(std::string_view(titles_).substr(job.title_at, job.title_size), wanted.text) ||
           is_one_of(wanted.departments)(job.department) || is_one_of(wanted.types)(job.workplace_type) ||
           std::ranges::any_of(job.locations, is_one_of(wanted.locations));
}

bool job_index::fits(criteria const& wanted, std::size_t job) const noexcept {
    auto const& has = rows_[job];
    if (wanted.department && has.department != *wanted.department) return false;
    auto const is_wanted = [&](std::uint32_t place) { return std::ranges::binary_search(*wanted.locations, place); };
    if (wanted.locations && std::ranges::none_of(has.locations, is_wanted)) return false;
    if (!is_any(wanted.workplace_types, has.workplace_type)) return false;
    if (!is_any(wanted.employment_types, has.employment_type)) return false;
    return std::ranges::all_of(wanted.words, [&](auto const& word) { return has_word(has, word); });
}

} // namespace recruiting::public_api
