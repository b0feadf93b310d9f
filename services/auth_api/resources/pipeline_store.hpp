#pragma once
#include "pg/params.hpp"

namespace recruiting::auth_api {

inline constexpr int most_applications_per_stage = 100;

[[nodiscard]] pg::statement pipeline_stages(uuid const& job);
[[nodiscard]] pg::statement pipeline_applications(uuid const& job);
[[nodiscard]] pg::statement pipeline_totals(uuid const& job);

} // namespace recruiting::auth_api
