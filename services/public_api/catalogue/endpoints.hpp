// The endpoints that serve the catalogue as JSON, from memory; with the typed input of the job list, the page it means,
// its cursors and the address of the next page. Pure.
#pragma once
#include "public_api/catalogue/catalogue.hpp"
#include "public_api/http/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::public_api {

/// GET /organizations/{slug}
[[nodiscard]] result<plan> get_organization(action_input const& input);
/// GET /jobs/{jobId}: the same not_found for an unpublished, closed, deleted or unknown job and for text that is no id.
[[nodiscard]] result<plan> get_job(action_input const& input);
/// GET /organizations/{slug}/jobs and GET /jobs?organization={slug}: the same list under two addresses.
[[nodiscard]] result<plan> list_organization_jobs(action_input const& input);
[[nodiscard]] result<plan> list_jobs(action_input const& input);

inline constexpr std::int64_t default_page = 50;
inline constexpr std::int64_t largest_page = 100;
inline constexpr std::size_t longest_filter = 200; // characters; also of the careers page

/// Where a list goes on: after this job, newest publication first, ties by id.
struct job_position {
    timestamp published_at;
    uuid id;
};

struct job_query {
    std::string organization_slug;
    job_filters filters;
    std::int64_t limit{default_page};
    std::optional<job_position> after;
};

/// slug: from the path, or nothing when the query has to name the organization. All problems are reported at once; what
/// the list does not know is ignored, whatever it holds.
[[nodiscard]] result<job_query> parse_job_query(std::optional<std::string> slug, std::string_view query,
                                                http::token_signer const& cursors);

/// Opaque and signed: the position, and a fingerprint of the filters it belongs to.
[[nodiscard]] std::string make_cursor(job_position const& last, job_query const& of, http::token_signer const& cursors);

struct job_page {
    std::vector<packed_job const*> jobs;
    bool has_more{false};
};
[[nodiscard]] job_page find_jobs(published_organization const& organization, job_query const& wanted, timestamp now);

/// The address for the Link field: this request with another cursor.
[[nodiscard]] std::string next_page_address(std::string_view path, std::string_view query, std::string_view cursor);

} // namespace recruiting::public_api
