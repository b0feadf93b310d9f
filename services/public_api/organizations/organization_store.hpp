// The organization's SQL: from published_organizations, all that recruiting_public may see of it.
#pragma once
#include "pg/params.hpp"
#include "pg/rows.hpp"

#include <string_view>

namespace recruiting::public_api {

namespace organization_column {
enum : int { name, slug, website_url, logo_url, time_zone, open_job_count };
}
[[nodiscard]] pg::statement select_organization(std::string_view slug);

/// One row if there is such an organization.
[[nodiscard]] pg::statement find_organization(std::string_view slug);

} // namespace recruiting::public_api
