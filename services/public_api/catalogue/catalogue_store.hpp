// The catalogue's SQL: from published_organizations, published_jobs and published_stages, all that recruiting_public
// may see of them, and the changes of these by transaction (published_changes).
#pragma once
#include "pg/params.hpp"
#include "pg/rows.hpp"
#include "public_api/catalogue/catalogue.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace recruiting::public_api {

/// How these statements are planned (libpq's options of their connections; the plans' test sets the same): joined as a
/// whole, a page of organizations would read the published jobs of all.
inline constexpr std::string_view plan_options = "-c plan_cache_mode=force_generic_plan -c jit=off "
                                                 "-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off "
                                                 "-c max_parallel_workers_per_gather=0";

/// The organizations with ids after `after` up to `last`; where nothing is said, all of them.
struct organization_range {
    std::optional<uuid> after, last;
};
/// The organizations that are read: these, or those of a range.
using organization_choice = std::variant<std::vector<uuid>, organization_range>;

/// The ends of the pages in which all organizations are read; the last page has none.
inline constexpr int organizations_at_once = 100;
[[nodiscard]] pg::statement select_pages();
[[nodiscard]] pg::statement select_organizations(organization_choice const& which);

/// What a server has of the changes since a time, which is less than a day ago.
struct server_changes {
    std::string line; // of its history, as in pg::server_moment
    std::int64_t recent{0};
    std::optional<timestamp> newest; // of all that are kept
};
[[nodiscard]] pg::statement select_logged(timestamp since);
/// moment: the rows of pg::select_moment.
[[nodiscard]] server_changes read_server_changes(pg::rows const& moment, pg::rows const& logged);
/// A standby commits what its primary did, in the same order: with as many changes, it has the same ones.
[[nodiscard]] bool has_all(server_changes const& standby, server_changes const& primary) noexcept;
/// The organizations whose published data changed in a transaction with this number or a higher one.
[[nodiscard]] pg::statement select_changes(std::int64_t first_transaction);
/// The ids that select_pages and select_changes find.
[[nodiscard]] std::vector<uuid> read_ids(pg::rows const& found);
/// The rows of select_organizations; the organizations have no jobs yet.
[[nodiscard]] std::vector<published_organization> read_organizations(pg::rows const& found);

/// A job has to be read again when its version differs.
struct job_version {
    uuid organization_id;
    uuid job_id;
    timestamp updated_at;
};
[[nodiscard]] pg::statement select_job_versions(organization_choice const& which);
[[nodiscard]] std::vector<job_version> read_job_versions(pg::rows const& found);

[[nodiscard]] pg::statement select_jobs(std::vector<uuid> const& jobs);
[[nodiscard]] pg::statement select_stages(std::vector<uuid> const& jobs);
struct job_of {
    uuid organization_id;
    published_job job;
};
/// The rows of both statements together, without what the builder makes.
[[nodiscard]] std::vector<job_of> read_jobs(pg::rows const& jobs, pg::rows const& stages);

} // namespace recruiting::public_api
