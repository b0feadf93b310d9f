// A published job's wire form (design: Public API, publicJob).
#pragma once
#include "http/json_writer.hpp"
#include "pg/rows.hpp"

namespace recruiting::public_api {

/// One row with the columns of job_column. description_html is written as it is stored: import lets in only what the
/// API may show.
void write_job(http::json_writer& json, pg::rows const& jobs, int row);

} // namespace recruiting::public_api
