// The feeds' endpoints: GET /jobs/{jobId}/jsonld and /organizations/{slug}/ jobs.rss, jobs.json, jobs.xml, sitemap.xml.
#pragma once
#include "public_api/http/plan.hpp"

namespace recruiting::public_api {

[[nodiscard]] result<plan> get_job_posting(call const& from);
[[nodiscard]] result<plan> get_rss(call const& from);
[[nodiscard]] result<plan> get_json_feed(call const& from);
/// Streamed: all jobs at once, whatever their number.
[[nodiscard]] result<plan> get_job_board_xml(call const& from);
[[nodiscard]] result<plan> get_sitemap(call const& from);

} // namespace recruiting::public_api
