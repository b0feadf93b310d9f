#include "public_api/catalogue/job_index.hpp"

#include "words/search_key.hpp"
#include "words/words.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <tuple>
#include <vector>

namespace recruiting::public_api {
namespace {

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

job_index::job_index(std::vector<job_pointer> const& jobs, job_choices const& choices) {
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
    for (auto const& name : choices.departments) department_choices_.push_back(departments_.find(search_key(name)));
    location_choices_ = choices.locations.size();
    choices_of_place_.resize(locations_.size());
    for (std::size_t i = 0; i < location_choices_; ++i) {
        auto const place = search_key(choices.locations[i].value);
        for (auto const number : locations_.those_that([&](auto text) { return contains(text, place); }))
            choices_of_place_[number][i / 64] |= std::uint64_t{1} << (i % 64);
    }
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

bool job_index::has_words(row const& job, criteria const& wanted) const noexcept {
    return std::ranges::all_of(wanted.words, [&](auto const& word) { return has_word(job, word); });
}

bool job_index::is_department(criteria const& wanted, row const& job) noexcept {
    return !wanted.department || job.department == *wanted.department;
}

bool job_index::is_location(criteria const& wanted, row const& job) noexcept {
    auto const is_wanted = [&](std::uint32_t place) { return std::ranges::binary_search(*wanted.locations, place); };
    return !wanted.locations || std::ranges::any_of(job.locations, is_wanted);
}

bool job_index::fits(criteria const& wanted, std::size_t job) const noexcept {
    auto const& has = rows_[job];
    return is_department(wanted, has) && is_location(wanted, has) &&
           is_any(wanted.workplace_types, has.workplace_type) && is_any(wanted.employment_types, has.employment_type) &&
           has_words(has, wanted);
}

void job_index::count_choices_at(row const& job, std::vector<std::size_t>& counts) const noexcept {
    place_set found{};
    for (auto const place : job.locations) {
        if (place >= choices_of_place_.size()) continue;
        for (std::size_t i = 0; i < found.size(); ++i) found[i] |= choices_of_place_[place][i];
    }
    for (std::size_t i = 0; i < found.size(); ++i)
        for (auto bits = found[i]; bits != 0; bits &= bits - 1)
            ++counts[i * 64 + static_cast<std::size_t>(std::countr_zero(bits))];
}

job_index::counter::counter(job_index const& of, criteria const& wanted)
    : of_(of), wanted_(wanted), in_departments_(of.departments_.size()) {
    found_.locations.choices.resize(of.location_choices_);
    found_.workplace_types.choices.resize(of.types_.size());
    found_.employment_types.choices.resize(of.types_.size());
}

// A job counts for a field's choices when every other field leaves it.
bool job_index::counter::add(std::size_t job) {
    auto const& has = of_.rows_[job];
    bool const department = is_department(wanted_, has);
    bool const location = is_location(wanted_, has);
    bool const workplace = is_any(wanted_.workplace_types, has.workplace_type);
    bool const employment = is_any(wanted_.employment_types, has.employment_type);
    int const missed = !department + !location + !workplace + !employment;
    if (missed > 1 || !of_.has_words(has, wanted_)) return false;
    bool const fits = missed == 0;
    auto const count = [](field_counts& of, std::vector<std::size_t>& by_number, std::uint32_t number) {
        ++of.all;
        if (number < by_number.size()) ++by_number[number];
    };
    auto& of = found_;
    if (fits || !department) count(of.departments, in_departments_, has.department);
    if (fits || !workplace) count(of.workplace_types, of.workplace_types.choices, has.workplace_type);
    if (fits || !employment) count(of.employment_types, of.employment_types.choices, has.employment_type);
    if (fits || !location) {
        ++of.locations.all;
        of_.count_choices_at(has, of.locations.choices);
    }
    of.matching += fits ? 1 : 0;
    return fits;
}

choice_counts job_index::counter::counts() const {
    auto out = found_;
    for (auto const number : of_.department_choices_) out.departments.choices.push_back(in_departments_[number]);
    auto const by_type = [&](field_counts const& counted, auto const& types) {
        std::vector<std::size_t> choices;
        for (auto const type : types) {
            auto const number = of_.types_.find(type);
            choices.push_back(number < counted.choices.size() ? counted.choices[number] : 0);
        }
        return choices;
    };
    out.workplace_types.choices = by_type(found_.workplace_types, workplace_types);
    out.employment_types.choices = by_type(found_.employment_types, employment_types);
    return out;
}

} // namespace recruiting::public_api
