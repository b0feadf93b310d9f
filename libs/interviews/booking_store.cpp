#include "interviews/booking_store.hpp"

namespace recruiting::interviews::store {
namespace {

constexpr std::string_view lock_booking_sql = R"(
SELECT b.status, b.job_id, b.stage_id, b.slot_id, b.membership_id, b.starts_at, b.ends_at,
       set_config('recruiting.request_id', $2, true)
FROM recruiting.bookings b WHERE b.id = $1 FOR NO KEY UPDATE OF b)";

constexpr std::string_view begun_sql = R"(
SELECT b.status = 'confirmed' AND b.starts_at <= now() FROM recruiting.bookings b
WHERE b.organization_id = $1 AND b.id = $2)";

// As a link's availability: an interview that is booked can be moved on any stage, another one is for the stage of now.
constexpr std::string_view fits_sql = R"(
SELECT EXISTS (SELECT FROM recruiting.applications a
               WHERE a.id = b.application_id AND a.status = 'active' AND a.deleted_at IS NULL
                 AND (a.stage_id = b.stage_id OR b.status = 'confirmed'))
FROM recruiting.bookings b JOIN recruiting.interview_slots s ON s.job_id = b.job_id AND s.stage_id = b.stage_id
WHERE b.id = $1 AND s.id = $2)";

constexpr std::string_view place_sql = R"(
UPDATE recruiting.bookings SET status = 'confirmed', slot_id = $2 WHERE id = $1)";

constexpr std::string_view cancel_sql = R"(
UPDATE recruiting.bookings SET status = 'canceled' WHERE id = $1 AND status <> 'canceled')";

constexpr std::string_view resend_sql = "SELECT recruiting.resend_confirmation($1, $2)";

constexpr std::string_view link_sql =
    "SELECT recruiting.add_booking_link($1, $2, $3, $4, $5::bigint * interval '1 millisecond')";

link_outcome read_outcome(pg::rows const& done) {
    if (done.is_null(0, 0)) return link_outcome::closed;
    return done.boolean(0, 0) ? link_outcome::made : link_outcome::beyond_limit;
}

std::optional<bool> read_flag(pg::rows const& found) {
    return found.empty() ? std::nullopt : std::optional(found.boolean(0, 0));
}

} // namespace

std::optional<locked_booking> lock_booking(pg::client& database, uuid const& booking, std::string_view request_id) {
    auto const found = database.run(lock_booking_sql, pg::params{}.id(booking).text(request_id));
    if (found.empty()) return std::nullopt;
    locked_booking out;
    found[0].read(out.status, out.job, out.stage, out.slot, out.membership, out.starts_at, out.ends_at);
    return out;
}

std::optional<bool> has_begun(pg::client& database, uuid const& organization_id, uuid const& booking) {
    return read_flag(database.run(begun_sql, pg::params{}.id(organization_id).id(booking)));
}

std::optional<bool> fits_slot(pg::client& database, uuid const& booking, uuid const& slot) {
    return read_flag(database.run(fits_sql, pg::params{}.id(booking).id(slot)));
}

void place_booking(pg::client& database, uuid const& booking, uuid const& slot) {
    database.run(place_sql, pg::params{}.id(booking).id(slot));
}

void cancel_booking(pg::client& database, uuid const& booking) { database.run(cancel_sql, pg::params{}.id(booking)); }

link_outcome resend_confirmation(pg::client& database, uuid const& booking, std::int64_t most) {
    return read_outcome(database.run(resend_sql, pg::params{}.id(booking).integer(most)));
}

link_outcome insert_link(pg::client& database, uuid const& booking, std::int64_t most, link_hashes const& hashes,
                         std::chrono::milliseconds lifetime) {
    pg::params values;
    values.id(booking).integer(most).bytes(bytes_of(hashes.manage)).bytes(bytes_of(hashes.join));
    return read_outcome(database.run(link_sql, values.integer(lifetime.count())));
}

} // namespace recruiting::interviews::store
