// Interviews as the console's answers have them: a row of the statements in interview_store.hpp and
// interviews/store.hpp.
#pragma once
#include "http/json_writer.hpp"
#include "pg/rows.hpp"

namespace recruiting::auth_api::console {

void write_interview_stage(http::json_writer& json, pg::row row);
void write_interview_slot(http::json_writer& json, pg::row row);
void write_interview_booking(http::json_writer& json, pg::row row);
void write_unmatched_request(http::json_writer& json, pg::row row);

} // namespace recruiting::auth_api::console
