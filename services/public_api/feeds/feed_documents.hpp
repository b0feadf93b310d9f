// An organization's open jobs as RSS, as a JSON Feed, as a sitemap and in the form job boards import; and the endpoints
// of these. Pure.
#pragma once
#include "http/message.hpp"
#include "public_api/feeds/feed_page.hpp"
#include "public_api/http/plan.hpp"

#include <optional>

namespace recruiting::public_api {

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
void append_job_board_job(std::string& out, std::string_view company, published_job const& job);
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
