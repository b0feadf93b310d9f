#pragma once
#include "http/json_writer.hpp"
#include "pg/rows.hpp"

namespace recruiting::auth_api {

/// What a list leaves out of a job's record unless it is asked for; GET /jobs/{id} has all of it.
struct job_parts {
    bool description{false};
    bool stages{false};
};

/// origin: where browsers reach the deployment.
void write_job(http::json_writer& json, pg::rows const& rows, int row, job_parts const& included,
               std::string_view origin);

} // namespace recruiting::auth_api
