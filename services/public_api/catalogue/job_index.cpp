#include "public_api/catalogue/job_index.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <sstream>
#include <string_view>
#include <utf8proc.h>
#include <vector>

namespace recruiting::public_api {
namespace {

constexpr std::size_t most_choices = 200; // in one field of the form

std::string_view city_of(published_job const& job) noexcept {
    for (auto const* location : {&job.location_city, &job.location_name, &job.location_region})
        if (*location && !(*location)->empty()) return **location;
    return {};
}

void keep(std::set<std::string_view>& choices, std::string_view choice) {
    if (!choice.empty() && choices.size() < most_choices) choices.insert(choice);
}

} // namespace

job_choices choices_of(std::vector<job_pointer> const& jobs) {
    std::set<std::string_view> departments;
    std::set<std::string_view> locations;
    for (auto const& job : jobs) {
        if (job->department) keep(departments, *job->department);
        keep(locations, city_of(*job));
    }
    return {{departments.begin(), departments.end()}, {locations.begin(), locations.end()}};
}

namespace {

std::optional<std::string> place_key(std::optional<std::string> const& text) {
    return text ? std::optional(search_key(*text)) : std::nullopt;
}

std::vector<std::string> words_of(std::string const& text) {
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
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

std::vector<std::uint32_t> job_index::dictionary::containing(std::string_view part) const {
    std::vector<std::uint32_t> found;
    for (auto const& [text, number] : numbers_)
        if (text.find(part) != std::string::npos) found.push_back(number);
    std::ranges::sort(found);
    return found;
}

job_index::job_index(std::vector<job_pointer> const& jobs) {
    rows_.reserve(jobs.size());
    for (auto const& job : jobs) {
        auto const title = search_key(job->title);
        rows_.push_back(
            {departments_.number_of(job->department),
             {locations_.number_of(place_key(job->location_city)), locations_.number_of(place_key(job->location_name)),
              locations_.number_of(place_key(job->location_region))},
             types_.number_of(job->workplace_type),
             types_.number_of(job->employment_type),
             titles_.size(),
             title.size()});
        titles_ += title;
    }
}

job_index::criteria job_index::compile(job_filters const& filters) const {
    criteria wanted;
    if (filters.department) wanted.department = departments_.find(*filters.department);
    if (filters.location) wanted.locations = locations_.containing(search_key(*filters.location));
    for (auto const& type : filters.workplace_types) wanted.workplace_types.push_back(types_.find(type));
    for (auto const& type : filters.employment_types) wanted.employment_types.push_back(types_.find(type));
    if (filters.q) wanted.words = words_of(search_key(*filters.q));
    return wanted;
}

bool job_index::fits(criteria const& wanted, std::size_t job) const noexcept {
    auto const& has = rows_[job];
    if (wanted.department && has.department != *wanted.department) return false;
    auto const is_wanted = [&](std::uint32_t place) { return std::ranges::binary_search(*wanted.locations, place); };
    if (wanted.locations && std::ranges::none_of(has.locations, is_wanted)) return false;
    if (!is_any(wanted.workplace_types, has.workplace_type)) return false;
    if (!is_any(wanted.employment_types, has.employment_type)) return false;
    auto const title = std::string_view(titles_).substr(has.title_at, has.title_size);
    return std::all_of(wanted.words.begin(), wanted.words.end(),
                       [&](std::string const& word) { return title.find(word) != std::string_view::npos; });
}

namespace {

// Most titles: nothing in them decomposes.
bool is_ascii(std::string_view text) noexcept {
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

utf8proc_int32_t lower_mapped(utf8proc_int32_t code_point, void*) { return utf8proc_tolower(code_point); }

bool is_accent(utf8proc_int32_t code_point) noexcept { return code_point >= 0x300 && code_point <= 0x36F; }

// options: of utf8proc_decompose. Empty: text is not UTF-8.
std::vector<utf8proc_int32_t> code_points_of(std::string_view text, int options) {
    auto const* const bytes = reinterpret_cast<utf8proc_uint8_t const*>(text.data());
    auto const size = static_cast<utf8proc_ssize_t>(text.size());
    auto const decompose = [&](std::vector<utf8proc_int32_t>& into) {
        return utf8proc_decompose_custom(bytes, size, into.data(), static_cast<utf8proc_ssize_t>(into.size()),
                                         static_cast<utf8proc_option_t>(options), lower_mapped, nullptr);
    };
    std::vector<utf8proc_int32_t> points(text.size());
    auto const needed = decompose(points);
    if (needed > static_cast<utf8proc_ssize_t>(points.size())) {
        points.resize(static_cast<std::size_t>(needed));
        decompose(points);
    }
    points.resize(needed < 0 ? 0 : static_cast<std::size_t>(needed));
    return points;
}

std::string folded(std::string_view text, int options, bool without_accents) {
    if (is_ascii(text)) return to_lower(text);
    auto const points = code_points_of(text, options);
    if (points.empty()) return std::string(text);
    std::string out;
    std::array<utf8proc_uint8_t, 4> encoded{};
    for (auto const point : points) {
        if (without_accents && is_accent(point)) continue;
        auto const size = utf8proc_encode_char(point, encoded.data());
        out.append(reinterpret_cast<char const*>(encoded.data()), static_cast<std::size_t>(size));
    }
    return out;
}

} // namespace

std::string search_key(std::string_view text) { return folded(text, UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT, true); }

std::string lower_case(std::string_view text) { return folded(text, 0, false); }

} // namespace recruiting::public_api
