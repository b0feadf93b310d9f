#include "public_api/pages/careers_query.hpp"

#include "core/text.hpp"
#include "http/query.hpp"

#include <algorithm>

namespace recruiting::public_api {
namespace {

constexpr std::size_t longest_filter = 800;

std::optional<std::string> filled(std::optional<std::string> text) {
    if (!text || trim(*text).empty()) return std::nullopt;
    return std::string(trim(*text));
}

} // namespace

bool careers_query::is_filtered() const noexcept {
    return filters.department || filters.location || !filters.workplace_types.empty() ||
           !filters.employment_types.empty() || filters.q;
}

std::string careers_query::query_of_page(std::size_t number) const {
    std::string out;
    auto const add = [&out](std::string_view name, std::string_view value) {
        out.append(out.empty() ? "?" : "&").append(name).append("=").append(percent_encode(value));
    };
    if (filters.q) add("q", *filters.q);
    if (filters.department) add("department", *filters.department);
    if (filters.location) add("location", *filters.location);
    for (auto const& type : filters.workplace_types) add("workplaceType", type); // the form chooses one
    for (auto const& type : filters.employment_types) add("employmentType", type);
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
    if (auto const type = query.choice("workplaceType", {"on_site", "hybrid", "remote"}))
        filters.workplace_types = {*type};
    if (auto const type =
            query.choice("employmentType", {"full_time", "part_time", "contract", "temporary", "internship", "other"}))
        filters.employment_types = {*type};
    wanted.page = static_cast<std::size_t>(query.integer("page", 1, 1'000'000).value_or(1));
    return wanted;
}

careers_result find_careers_jobs(published_organization const& of, careers_query& wanted, timestamp now) {
    careers_result found;
    std::vector<published_job const*> matching;
    auto const criteria = of.index.compile(wanted.filters);
    // Asking each of ten thousand jobs would cost more than all else about the page.
    bool const all_open = of.closings.empty() || of.closings.front() > now;
    for (std::size_t i = 0; i < of.jobs.size(); ++i)
        if (of.index.fits(criteria, i) && (all_open || of.jobs[i]->is_open(now))) matching.push_back(of.jobs[i].get());
    found.matching = matching.size();
    found.last_page = std::max<std::size_t>(1, (matching.size() + careers_page_size - 1) / careers_page_size);
    wanted.page = std::min(wanted.page, found.last_page);
    auto const first = (wanted.page - 1) * careers_page_size;
    auto const end = std::min(matching.size(), first + careers_page_size);
    for (auto i = first; i < end; ++i) found.jobs.push_back(matching[i]);
    return found;
}

} // namespace recruiting::public_api
