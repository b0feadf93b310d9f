#pragma once
#include "http/json_writer.hpp"
#include "pg/rows.hpp"

namespace recruiting::auth_api {

/// The members of a job's record without braces, so that GET /jobs/{id} can add its own.
void write_job_members(http::json_writer& json, pg::rows const& rows, int row);
void write_job_detail(http::json_writer& json, pg::rows const& job);

} // namespace recruiting::auth_api
