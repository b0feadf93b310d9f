#include "public_api/feeds/feed_page.hpp"

#include "core/text.hpp"
#include "public_api/http/plan.hpp"

#include <algorithm>
#include <array>

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

std::size_t asked_page(std::string_view query) {
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
    using namespace std::chrono;
    static constexpr std::array<char const*, 7> weekdays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static constexpr std::array<char const*, 12> months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                           "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    auto const day = floor<days>(time);
    year_month_day const date{day};
    auto const iso = format_time(time); // 2026-11-21T09:30:00.000Z
    std::string out = weekdays.at(weekday{day}.c_encoding());
    out.append(", ").append(iso, 8, 2).append(" ").append(months.at(static_cast<unsigned>(date.month()) - 1));
    return out.append(" ").append(iso, 0, 4).append(" ").append(iso, 11, 8).append(" GMT");
}

std::string utc_date(timestamp time) { return format_time(time).substr(0, 10); }

timestamp newest_change(std::vector<job_pointer> const& jobs) {
    timestamp newest{};
    for (auto const& job : jobs) newest = std::max({newest, job->updated_at, job->published_at});
    return newest;
}

std::string place_of(published_job const& job) {
    if (job.location_name && !job.location_name->empty()) return *job.location_name;
    std::string place;
    for (auto const* part : {&job.location_city, &job.location_region, &job.location_country_code})
        if (*part && !(*part)->empty()) place.append(place.empty() ? "" : ", ").append(**part);
    return place;
}

} // namespace recruiting::public_api
