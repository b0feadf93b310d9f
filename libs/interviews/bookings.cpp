#include "interviews/bookings.hpp"

#include "directory/rules.hpp"
#include "directory/store.hpp"
#include "pg/error.hpp"

namespace recruiting::interviews {
namespace {

using directory::actor;
using directory::refusal;

// The rows that the member may change and that have not begun (policy console_change).
constexpr std::string_view lock_sql = R"(
SELECT b.status, b.job_id, b.stage_id, b.slot_id, b.membership_id, b.starts_at, b.ends_at,
       set_config('recruiting.request_id', $2, true)
FROM recruiting.bookings b WHERE b.id = $1 FOR NO KEY UPDATE OF b)";

constexpr std::string_view begun_sql = R"(
SELECT b.status = 'confirmed' AND b.starts_at <= now() FROM recruiting.bookings b
WHERE b.id = $1 AND b.organization_id = $2)";

// As a link's availability: an interview that is booked can be moved on any stage, another one is for the stage of now.
constexpr std::string_view target_sql = R"(
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

struct locked_booking {
    std::string status;
    uuid job, stage;
    std::optional<uuid> slot, membership;
    std::optional<timestamp> starts_at, ends_at;

    [[nodiscard]] bool is_confirmed() const { return status == "confirmed"; }
};

result<locked_booking> lock(pg::client& database, booking_choice const& which, actor const& by) {
    if (auto refused = directory::refuse_unless(by, {role::admin, role::recruiter, role::hiring_manager}))
        return *refused;
    auto const found = database.run(lock_sql, pg::params{}.id(which.booking).text(by.request_id.value_or("")));
    if (!found.empty()) {
        locked_booking out;
        found[0].read(out.status, out.job, out.stage, out.slot, out.membership, out.starts_at, out.ends_at);
        return out;
    }
    auto const seen = database.run(begun_sql, pg::params{}.id(which.booking).id(which.organization));
    if (seen.empty()) return make_error(error_code::not_found);
    if (seen.boolean(0, 0)) return make_error(error_code::booking_closed);
    return directory::role_needed({role::admin, role::recruiter});
}

api_error with_message(error_code code, std::string message) {
    auto error = make_error(code);
    error.message = std::move(message);
    return error;
}

// A savepoint, so that the transaction goes on after a refusal.
result<void> place(pg::client& database, uuid const& booking, uuid const& slot) {
    pg::transaction transaction(database);
    try {
        database.run(place_sql, pg::params{}.id(booking).id(slot));
    } catch (pg::query_error const& error) {
        if (error.constraint() == "bookings_one_at_a_time" || error.constraint() == "bookings_slot_open")
            return make_error(error_code::slot_taken);
        throw;
    }
    transaction.commit();
    return {};
}

// What resend_sql and link_sql tell.
result<void> record_link(pg::client& database, booking_choice const& which, pg::rows const& done,
                         std::string_view action, actor const& by) {
    if (done.is_null(0, 0)) return make_error(error_code::booking_closed);
    if (!done.boolean(0, 0)) {
        auto const now = system_time().now();
        auto const hour = floor<std::chrono::hours>(now) + std::chrono::hours{1};
        return rate_limited("booking_changes", ceil<std::chrono::seconds>(hour - now).count(),
                            "The candidate of this interview has had several links in this hour. Try again later.");
    }
    directory::record_change(database, {which.organization, std::string(action), "booking", which.booking}, by);
    return {};
}

} // namespace

result<void> cancel_booking(pg::client& database, booking_choice const& which, actor const& by) {
    auto const found = lock(database, which, by);
    if (!found) return found.error();
    database.run(cancel_sql, pg::params{}.id(which.booking));
    return {};
}

result<void> move_booking(pg::client& database, booking_choice const& which, uuid const& slot, actor const& by) {
    auto const found = lock(database, which, by);
    if (!found) return found.error();
    auto const target = database.run(target_sql, pg::params{}.id(which.booking).id(slot));
    if (target.empty()) return refusal("slotId", "unknown", "the stage has no such slot");
    if (found->is_confirmed() && found->slot == slot) return {};
    if (!target.boolean(0, 0))
        return refusal("slotId", "not_allowed", "the candidate's application is no longer active on this stage");
    return place(database, which.booking, slot);
}

result<void> hand_over_booking(pg::client& database, booking_choice const& which, uuid const& member, actor const& by) {
    auto const found = lock(database, which, by);
    if (!found) return found.error();
    if (!found->is_confirmed())
        return with_message(error_code::booking_closed, "Only a confirmed interview can be handed over.");
    auto const taker = directory::store::select_member(database, which.organization, member);
    if (!taker || taker->status != "active") return refusal("memberId", "unknown", "there is no such active member");
    if (found->membership == member) return {};
    pg::transaction transaction(database);
    store::new_slots const where{which.organization, found->job, found->stage, member, std::nullopt};
    auto const slot = provide_slot(database, where, {*found->starts_at, *found->ends_at}, by);
    if (!slot) return slot.error();
    auto const placed = place(database, which.booking, *slot);
    if (!placed && placed.error().code == error_code::slot_taken)
        return with_message(error_code::slot_taken, "This member has another interview at that time.");
    if (!placed) return placed.error();
    transaction.commit();
    return {};
}

result<void> resend_confirmation(pg::client& database, booking_choice const& which, actor const& by) {
    auto const found = lock(database, which, by);
    if (!found) return found.error();
    if (!found->is_confirmed())
        return with_message(error_code::booking_closed, "Only a confirmed interview's confirmation can be sent again.");
    auto const done = database.run(resend_sql, pg::params{}.id(which.booking).integer(most_links_per_hour));
    return record_link(database, which, done, "booking.resent", by);
}

result<void> add_booking_link(pg::client& database, booking_choice const& which, std::string_view token,
                              std::chrono::milliseconds lifetime, actor const& by) {
    auto const found = lock(database, which, by);
    if (!found) return found.error();
    auto const manage = sha256(token);
    auto const join = sha256(join_token_of(token));
    pg::params values;
    values.id(which.booking).integer(most_links_per_hour).bytes(bytes_of(manage)).bytes(bytes_of(join));
    auto const done = database.run(link_sql, values.integer(lifetime.count()));
    return record_link(database, which, done, "booking.link_created", by);
}

} // namespace recruiting::interviews
