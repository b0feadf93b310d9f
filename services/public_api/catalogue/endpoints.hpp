// The endpoints that serve the catalogue as JSON, from memory.
#pragma once
#include "public_api/catalogue/catalogue.hpp"
#include "public_api/http/plan.hpp"

namespace recruiting::public_api {

/// The organization that a path or query names; never null. not_found both for an unknown organization and for one that
/// has published nothing, which recruiting.published_organizations leaves out.
[[nodiscard]] result<published_organization const*> named_organization(call const& from, std::string_view slug);

/// GET /organizations/{slug}
[[nodiscard]] result<plan> get_organization(call const& from);
/// GET /jobs/{jobId}: the same not_found for an unpublished, closed, deleted or unknown job and for text that is no id.
[[nodiscard]] result<plan> get_job(call const& from);
/// GET /organizations/{slug}/jobs and GET /jobs?organization={slug}: the same list under two addresses.
[[nodiscard]] result<plan> list_organization_jobs(call const& from);
[[nodiscard]] result<plan> list_jobs(call const& from);

} // namespace recruiting::public_api
