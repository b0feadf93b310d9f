// {name, city, region, countryCode}, or null when nothing is known: jobs and candidates have it alike.
#pragma once
#include "http/json_writer.hpp"
#include "pg/rows.hpp"

namespace recruiting::auth_api {

/// The four columns stand side by side from first on.
void write_location(http::json_writer& json, pg::rows const& rows, int row, int first);

} // namespace recruiting::auth_api
