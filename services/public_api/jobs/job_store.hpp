// The jobs' SQL: from published_jobs and published_stages, all that recruiting_public may see of them.
#pragma once
#include "core/ids.hpp"
#include "core/time.hpp"
#include "pg/params.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace recruiting::public_api {

/// The columns of both statements, in their order.
namespace job_column {
enum : int {
    id,
    title,
    organization_name,
    organization_slug,
    department,
    location_name,
    location_city,
    location_region,
    location_country_code,
    workplace_type,
    employment_type,
    salary_min,
    salary_max,
    salary_currency,
    salary_period,
    description_html,
    description_text,
    published_at,
    closes_at,
    updated_at,
    public_url,
    bookable_stages // JSON text, as the API shows it
};
}

/// Where a list goes on: after this job, newest publication first, ties by id.
struct job_position {
    timestamp published_at;
    uuid id;
};

struct job_filters {
    std::string organization_slug;
    std::optional<std::string> department;
    std::optional<std::string> location; // city, name or region, whatever the case
    std::optional<std::string> workplace_type;
    std::optional<std::string> employment_type;
    std::optional<std::string> q; // every word of it occurs in the title; case and accents do not count
};

[[nodiscard]] pg::statement select_job(uuid const& id);
[[nodiscard]] pg::statement select_jobs(job_filters const& filters, std::optional<job_position> const& after,
                                        std::int64_t most);

} // namespace recruiting::public_api
