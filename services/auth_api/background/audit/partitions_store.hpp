// The statements of the partition worker, as whole segments.
#pragma once
#include "pg/params.hpp"

#include <chrono>
#include <vector>

namespace recruiting::auth_api {

[[nodiscard]] std::vector<pg::statement> make_audit_partitions(bool daily);
/// The last statement's row: how many partitions were dropped.
[[nodiscard]] std::vector<pg::statement> drop_audit_partitions(std::chrono::milliseconds older_than);

} // namespace recruiting::auth_api
