#include "public_api/booking/schedule_store.hpp"

namespace recruiting::public_api {
namespace {

// Tells a stage without slots (an empty list) from one that is unknown, unpublished or not bookable (404).
constexpr char const* bookable_stage_sql = R"(
SELECT id FROM recruiting.published_stages WHERE job_id = $1 AND id = $2)";

// The schedule as it is published. It never changes with bookings, and nobody learns from it who booked. The columns
// are those of slot_columns.
constexpr char const* slots_sql = R"(
SELECT starts_at, ends_at FROM recruiting.published_slots
WHERE job_id = $1 AND stage_id = $2 AND starts_at >= $3 AND starts_at < $4
ORDER BY starts_at LIMIT $5)";

// Looks up the slot and leaves the request in one statement, the same for every address: whether a candidate has it is
// the worker's to find out, later.
constexpr char const* request_sql = R"(
INSERT INTO recruiting.booking_requests (organization_id, job_id, stage_id, starts_at, email, time_zone, language,
                                         excess)
SELECT organization_id, job_id, stage_id, starts_at, $4, $5, $6, $7 FROM recruiting.published_slots
WHERE job_id = $1 AND stage_id = $2 AND starts_at = $3)";

} // namespace

pg::statement select_bookable_stage(stage_of_job const& where) {
    pg::params params;
    params.id(where.job).id(where.stage);
    return {bookable_stage_sql, std::move(params)};
}

pg::statement select_slots(stage_of_job const& where, time_span const& when, std::int64_t most) {
    pg::params params;
    params.id(where.job).id(where.stage).time(when.from).time(when.to).integer(most);
    return {slots_sql, std::move(params)};
}

pg::statement insert_booking_request(stage_of_job const& where, booking_request const& wanted, bool is_excess) {
    pg::params params;
    params.id(where.job).id(where.stage).time(wanted.slot_start);
    params.text(wanted.email).optional_text(wanted.time_zone).text(wanted.language).boolean(is_excess);
    return {request_sql, std::move(params)};
}

} // namespace recruiting::public_api
