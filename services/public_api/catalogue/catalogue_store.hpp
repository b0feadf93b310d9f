// The catalogue's SQL: from published_organizations, published_jobs and published_stages, all that recruiting_public
// may see of them.
#pragma once
#include "pg/params.hpp"
#include "pg/rows.hpp"
#include "public_api/catalogue/catalogue.hpp"

#include <optional>
#include <vector>

namespace recruiting::public_api {

/// Which organizations: all of them where nothing is said.
using organization_choice = std::optional<std::vector<uuid>>;

[[nodiscard]] pg::statement select_organizations(organization_choice const& which);
/// Notifies all listeners, this connection too. channel and payload: plain words of our own, which stand in the
/// statement.
[[nodiscard]] pg::statement notify_listeners(std::string_view channel, std::string_view payload);
/// Without their jobs.
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
