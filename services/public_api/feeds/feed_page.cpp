#include "public_api/feeds/feeds.hpp"

#include "core/text.hpp"
#include "public_api/http/plan.hpp"

#include <algorithm>
#include <array>
#include <ctime>

namespace recruiting::public_api {

std::string feed_address(published_organization const& of, std::string_view public_url, std::string_view name,
                         std::size_t page) {
    std::string address(public_url);
    address.append(prefix).append("/organizations/").append(of.slug).append("/").append(name);
    if (page > 1) address.append("?page=").append(std::to_string(page));
    return address;
}

std::string careers_address(published_organization const& of, std::string_view public_url) {
    if (of.careers_page_url && !of.careers_page_url->empty()) return *of.careers_page_url;
    return std::string(public_url).append("/careers/").append(of.slug);
}

std::size_t requested_page(std::string_view query) {
    for (auto const pair : split(query, '&')) {
        if (!pair.starts_with("page=")) continue;
        auto const number = parse_number<std::uint32_t>(pair.substr(5));
        return number.value_or(1) > 0 ? number.value_or(1) : 1;
    }
    return 1;
}

feed_page page_of(published_organization const& of, timestamp now, std::size_t number, std::size_t size) {
    feed_page page;
    page.number = number;
    std::size_t seen = 0;
    for (auto const& job : of.jobs) {
        if (!job->is_open(now)) continue;
        if (seen / size + 1 == number) page.jobs.push_back(job);
        ++seen;
    }
    page.last = std::max<std::size_t>(1, (seen + size - 1) / size);
    return page;
}

std::string rfc822_time(timestamp time) {
    std::time_t const seconds = std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count();
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    std::array<char, 48> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &parts)};
}

std::string utc_date(timestamp time) { return format_time(time).substr(0, 10); }

timestamp newest_change(std::vector<job_pointer> const& jobs) {
    timestamp newest{};
    for (auto const& job : jobs) newest = std::max({newest, job->updated_at, job->published_at});
    return newest;
}

std::string location_of(published_job const& job) {
    return location_of(job, job.location_country_code ? std::string_view(*job.location_country_code) : "");
}

std::string location_of(published_job const& job, std::string_view country) {
    if (job.location_name && !job.location_name->empty()) return *job.location_name;
    std::string location;
    auto const add = [&location](std::string_view part) {
        if (!part.empty()) location.append(location.empty() ? "" : ", ").append(part);
    };
    add(job.location_city ? std::string_view(*job.location_city) : "");
    add(job.location_region ? std::string_view(*job.location_region) : "");
    add(country);
    return location;
}

namespace {

constexpr employment_names employments[] = {
    {"full_time", "FULL_TIME", "fulltime"}, {"part_time", "PART_TIME", "parttime"},
    {"contract", "CONTRACTOR", "contract"}, {"temporary", "TEMPORARY", "temporary"},
    {"internship", "INTERN", "internship"}, {"other", "OTHER", ""},
};

} // namespace

employment_names names_of_employment(published_job const& job) {
    for (auto const& names : employments)
        if (names.ours == job.employment_type) return names;
    return {};
}

} // namespace recruiting::public_api
