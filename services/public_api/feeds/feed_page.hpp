// What all feeds have in common: names, addresses, dates, and which jobs are on a page; and a job as schema.org's
// JobPosting, which job pages hold too. Pure.
#pragma once
#include "public_api/catalogue/catalogue.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::public_api {

/// How other formats name a kind of employment; "": the format has no name for it.
struct employment_names {
    std::string_view ours;
    std::string_view schema_org;
    std::string_view job_board;
};
[[nodiscard]] employment_names names_of_employment(published_job const& job);

/// Where this deployment is and what time it is there.
struct feed_setting {
    std::string_view public_url; // an origin
    timestamp now;
};

/// "{public_url}/api/public/v1/organizations/{slug}/jobs.rss", of page 2 and more with the page in its query.
[[nodiscard]] std::string feed_address(published_organization const& of, std::string_view public_url,
                                       std::string_view name, std::size_t page = 1);
/// Where people see the organization's jobs: its own careers page, or ours.
[[nodiscard]] std::string careers_address(published_organization const& of, std::string_view public_url);

/// The page a query asks for: 1 where it says nothing that can be understood, for a feed reader knows no errors.
[[nodiscard]] std::size_t requested_page(std::string_view query);

struct feed_page {
    std::vector<job_pointer> jobs; // open ones, newest publication first
    std::size_t number{1};
    std::size_t last{1}; // at least 1
};
[[nodiscard]] feed_page page_of(published_organization const& of, timestamp now, std::size_t number, std::size_t size);

/// "Sat, 21 Nov 2026 09:30:00 GMT" (RFC 822 as RSS 2.0 wants it, the year in four digits).
[[nodiscard]] std::string rfc822_time(timestamp time);
/// "2026-11-21"
[[nodiscard]] std::string utc_date(timestamp time);
/// When any of the jobs changed last; without jobs, the epoch.
[[nodiscard]] timestamp newest_change(std::vector<job_pointer> const& jobs);
/// "Berlin, Germany" or what there is of it; "" when nothing is known.
[[nodiscard]] std::string location_of(published_job const& job);
/// location_of with another name of the country; "": without it.
[[nodiscard]] std::string location_of(published_job const& job, std::string_view country);

/// JobPosting as Google for Jobs reads it
/// (https://developers.google.com/search/docs/appearance/structured-data/job-posting).
/// JSON-LD that can stand inside <script> as it is: it holds no <, > and &. What is not known is left out.
[[nodiscard]] std::string job_posting(published_organization const& organization, published_job const& job);

/// JSON made fit for <script>: what could end it is written as an escape.
[[nodiscard]] std::string in_script(std::string_view json);

} // namespace recruiting::public_api
