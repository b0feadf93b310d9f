#include "public_api/pages/careers_query.hpp"

#include "core/text.hpp"
#include "http/query.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace recruiting::public_api {
namespace {

constexpr std::size_t longest_filter = 800;
constexpr std::size_t most_choices = 200; // in one field of the form

std::optional<std::string> filled(std::optional<std::string> text) {
    if (!text || trim(*text).empty()) return std::nullopt;
    return std::string(trim(*text));
}

std::string_view city_of(published_job const& job) noexcept {
    for (auto const* place : {&job.location_city, &job.location_name, &job.location_region})
        if (*place && !(*place)->empty()) return **place;
    return {};
}

void keep(std::set<std::string_view>& choices, std::string_view choice) {
    if (!choice.empty() && choices.size() < most_choices) choices.insert(choice);
}

} // namespace

bool careers_query::is_filtered() const noexcept {
    return filters.department || filters.location || filters.workplace_type || filters.employment_type || filters.q;
}

std::string careers_query::query_of_page(std::size_t number) const {
    std::string out;
    auto const add = [&out](std::string_view name, std::string_view value) {
        out.append(out.empty() ? "?" : "&").append(name).append("=").append(percent_encode(value));
    };
    if (filters.q) add("q", *filters.q);
    if (filters.department) add("department", *filters.department);
    if (filters.location) add("location", *filters.location);
    if (filters.workplace_type) add("workplaceType", *filters.workplace_type);
    if (filters.employment_type) add("employmentType", *filters.employment_type);
    if (number > 1) add("page", std::to_string(number));
    return out;
}

careers_query parse_careers_query(std::string_view raw) {
    constexpr auto empty = http::query_reader::empty::allowed;
    http::query_reader query(raw);
    careers_query wanted;
    auto& filters = wanted.filters;
    filters.q = filled(query.text("q", longest_filter, empty));
    filters.department = filled(query.text("department", longest_filter, empty));
    filters.location = filled(query.text("location", longest_filter, empty));
    filters.workplace_type = query.choice("workplaceType", {"on_site", "hybrid", "remote"});
    filters.employment_type =
        query.choice("employmentType", {"full_time", "part_time", "contract", "temporary", "internship", "other"});
    wanted.page = static_cast<std::size_t>(query.integer("page", 1, 1'000'000).value_or(1));
    return wanted;
}

careers_result find_careers_jobs(published_organization const& of, careers_query& wanted, timestamp now) {
    careers_result found;
    std::set<std::string_view> departments;
    std::set<std::string_view> locations;
    std::vector<published_job const*> matching;
    auto const criteria = of.index.compile(wanted.filters);
    for (std::size_t i = 0; i < of.jobs.size(); ++i) {
        auto const& job = *of.jobs[i];
        if (!job.is_open(now)) continue;
        if (job.department) keep(departments, *job.department);
        keep(locations, city_of(job));
        if (of.index.fits(criteria, i)) matching.push_back(&job);
    }
    found.matching = matching.size();
    found.last_page = std::max<std::size_t>(1, (matching.size() + careers_page_size - 1) / careers_page_size);
    wanted.page = std::min(wanted.page, found.last_page);
    auto const first = (wanted.page - 1) * careers_page_size;
    auto const end = std::min(matching.size(), first + careers_page_size);
    for (auto i = first; i < end; ++i) found.jobs.push_back(matching[i]);
    found.departments.assign(departments.begin(), departments.end());
    found.locations.assign(locations.begin(), locations.end());
    return found;
}

} // namespace recruiting::public_api
