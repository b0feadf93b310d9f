// An organization's open jobs as RSS, as a JSON Feed, as a sitemap and in the form job boards import, with the
// endpoints of these (feed_documents.cpp); what these have in common: names, addresses, dates, and which jobs are on a
// page; and a job as schema.org's JobPosting, which job pages hold too. Pure.
#pragma once
#include "http/message.hpp"
#include "public_api/catalogue/catalogue.hpp"
#include "public_api/http/plan.hpp"

#include <cstddef>
#include <optional>
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

/// Where this installation is and what time it is there.
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

/// The country of a job's first place (ISO 3166-1 alpha-2): its own, the one that the place's name ends in, or the
/// organization's. "" where none is known.
[[nodiscard]] std::string country_of(published_organization const& organization, published_job const& job);

/// JobPosting as Google for Jobs reads it
/// (https://developers.google.com/search/docs/appearance/structured-data/job-posting).
/// JSON-LD that can stand inside <script> as it is: it holds no <, > and &. What is not known is left out.
[[nodiscard]] std::string job_posting(published_organization const& organization, published_job const& job);

/// JSON made fit for <script>: what could end it is written as an escape.
[[nodiscard]] std::string in_script(std::string_view json);

/// RSS 2.0 (https://www.rssboard.org/rss-specification) with the links of RFC 5005.
[[nodiscard]] std::string rss(published_organization const& of, feed_page const& page, std::string_view public_url);

/// JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/).
[[nodiscard]] std::string json_feed(published_organization const& of, feed_page const& page,
                                    std::string_view public_url);

inline constexpr std::size_t sitemap_addresses = 50'000; // per file
/// Sitemaps (https://www.sitemaps.org/protocol.html): the careers page and every open job.
/// page: nullopt for the sitemap itself, which is an index where more than one file is needed.
[[nodiscard]] std::string sitemap(published_organization const& of, feed_setting const& at,
                                  std::optional<std::size_t> page, std::size_t most = sitemap_addresses);

/// jobs.xml: all open jobs as job boards import them (Indeed's XML feed: source and job). It is written in pieces while
/// the client reads it: ten thousand jobs are thirty megabytes, memory use stays flat, and no other request waits.
[[nodiscard]] std::string job_board_beginning(published_organization const& of, std::vector<job_pointer> const& jobs,
                                              std::string_view public_url);
void append_job_board_job(std::string& out, published_organization const& of, published_job const& job);
inline constexpr std::string_view job_board_end = "</source>\n";

/// jobs.xml as a response, with an ETag that is made of the jobs' own.
[[nodiscard]] http::response job_board_answer(published_organization const& of, feed_setting const& at);

/// GET /jobs/{jobId}/jsonld and /organizations/{slug}/ jobs.rss, jobs.json, jobs.xml, sitemap.xml.
[[nodiscard]] result<plan> get_job_posting(action_input const& input);
[[nodiscard]] result<plan> get_rss(action_input const& input);
[[nodiscard]] result<plan> get_json_feed(action_input const& input);
/// All jobs at once, whatever their number: the answer is streamed.
[[nodiscard]] result<plan> get_job_board_xml(action_input const& input);
[[nodiscard]] result<plan> get_sitemap(action_input const& input);

} // namespace recruiting::public_api
