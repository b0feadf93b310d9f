#pragma once
#include "http/json_writer.hpp"
#include "pg/rows.hpp"

namespace recruiting::auth_api {

/// Only a sync has rows of deleted candidates.
[[nodiscard]] bool is_deleted_candidate(pg::rows const& rows, int row);
/// Nothing of the candidate but the id, and when it was deleted; without braces.
void write_deleted_candidate_members(http::json_writer& json, pg::rows const& rows, int row);
/// The members of a candidate's record without braces.
void write_candidate_members(http::json_writer& json, pg::rows const& rows, int row);
/// The members of one application, whose columns begin at first, without braces.
void write_application_members(http::json_writer& json, pg::rows const& rows, int row, int first);
inline constexpr int candidate_columns = 19;
inline constexpr int application_columns = 16;

} // namespace recruiting::auth_api
