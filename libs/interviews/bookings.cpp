#include "interviews/bookings.hpp"

#include "crypto/digest.hpp"
#include "directory/rules.hpp"
#include "directory/store.hpp"
#include "interviews/booking_store.hpp"
#include "pg/error.hpp"

namespace recruiting::interviews {
namespace {

using directory::actor;
using directory::refusal;

result<store::locked_booking> lock(pg::client& database, booking_choice const& which, actor const& by) {
    if (auto refused = directory::refuse_unless(by, {role::admin, role::recruiter, role::hiring_manager}))
        return *refused;
    if (auto found = store::lock_booking(database, which.booking, by.request_id.value_or(""))) return std::move(*found);
    auto const begun = store::has_begun(database, which.organization, which.booking);
    if (!begun) return make_error(error_code::not_found);
    if (*begun) return make_error(error_code::booking_closed);
    return directory::role_needed(
        {role::admin, role::recruiter}); // an interview of a hiring manager's on another's job
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
        store::place_booking(database, booking, slot);
    } catch (pg::query_error const& error) {
        if (error.constraint() == "bookings_one_at_a_time" || error.constraint() == "bookings_slot_open")
            return make_error(error_code::slot_taken);
        throw;
    }
    transaction.commit();
    return {};
}

result<void> record_link(pg::client& database, booking_choice const& which, store::link_outcome outcome,
                         std::string_view action, actor const& by) {
    if (outcome == store::link_outcome::closed) return make_error(error_code::booking_closed);
    if (outcome == store::link_outcome::beyond_limit) {
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
    store::cancel_booking(database, which.booking);
    return {};
}

result<void> move_booking(pg::client& database, booking_choice const& which, uuid const& slot, actor const& by) {
    auto const found = lock(database, which, by);
    if (!found) return found.error();
    auto const fits = store::fits_slot(database, which.booking, slot);
    if (!fits) return refusal("slotId", "unknown", "the stage has no such slot");
    if (found->is_confirmed() && found->slot == slot) return {};
    if (!*fits)
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
    auto const done = store::resend_confirmation(database, which.booking, most_links_per_hour);
    return record_link(database, which, done, "booking.resent", by);
}

result<void> add_booking_link(pg::client& database, booking_choice const& which, std::string_view token,
                              std::chrono::milliseconds lifetime, actor const& by) {
    auto const found = lock(database, which, by);
    if (!found) return found.error();
    store::link_hashes const hashes{sha256(token), sha256(join_token_of(token))};
    auto const done = store::insert_link(database, which.booking, most_links_per_hour, hashes, lifetime);
    return record_link(database, which, done, "booking.link_created", by);
}

} // namespace recruiting::interviews
