#include "public_api/booking/booking_link.hpp"

#include "core/text.hpp"
#include "crypto/digest.hpp"
#include "public_api/booking/slots.hpp"
#include "public_api/limits/window.hpp"

#include <stdexcept>

namespace recruiting::public_api {

std::optional<digest> link_hash(std::string_view token) {
    constexpr std::size_t token_size = 43; // 32 random bytes in base64url
    if (token.size() != token_size || !from_base64url(token)) return std::nullopt;
    return sha256(token);
}

std::string join_address(std::string_view public_url, std::string_view token) {
    return std::string(public_url) + "/interviews/" + join_token_of(token) + "/join";
}

change_outcome outcome_of_move(std::optional<presented_booking> const& after, bool moved, timestamp slot_start,
                               timestamp now) {
    if (!after) return change_outcome::unknown_link;
    if (moved) return change_outcome::changed;
    if (after->is_confirmed() && after->starts_at == slot_start) return change_outcome::unchanged;
    return after->has_begun(now) ? change_outcome::begun : change_outcome::taken;
}

change_outcome outcome_of_cancellation(std::optional<presented_booking> const& after, bool canceled) {
    if (!after) return change_outcome::unknown_link;
    return canceled ? change_outcome::changed : change_outcome::unchanged;
}

std::optional<change_outcome> outcome_of_violation(std::string_view sqlstate, std::string_view constraint) noexcept {
    if (constraint == "bookings_one_at_a_time" || constraint == "bookings_slot_open") return change_outcome::taken;
    if (constraint == "bookings_not_begun") return change_outcome::begun;
    // Two who change at once and wait for each other: nothing has happened, choosing again helps.
    if (sqlstate == "40P01") return change_outcome::taken;
    return std::nullopt;
}

api_error error_of(change_outcome outcome) {
    switch (outcome) {
    case change_outcome::unknown_link: return make_error(error_code::not_found);
    case change_outcome::taken: return make_error(error_code::slot_taken);
    case change_outcome::begun: return make_error(error_code::booking_closed);
    case change_outcome::changed:
    case change_outcome::unchanged: break;
    }
    throw std::logic_error("a change that was made is no error");
}

std::vector<database_limit> change_limits(booking_settings const& config) {
    using namespace std::chrono_literals;
    return {{"bookings_changes_per_hour", {booking_changes_limit, {}, config.changes_per_hour, 1h}},
            {"bookings_changes_per_day", {booking_changes_limit, {}, config.changes_per_day, 24h}}};
}

std::vector<pg::statement> move_segment(call const& from, digest const& link, timestamp slot_start,
                                        std::optional<std::string> const& time_zone) {
    std::vector<pg::statement> segment;
    segment.push_back(present_link(link, from.request_id));
    auto const bookable = bookable_span(from.now, from.booking);
    if (slot_start >= bookable.from && slot_start < bookable.to) {
        segment.push_back(limit_changes(from.booking.changes_per_hour, from.booking.changes_per_day));
        segment.push_back(lock_presented_booking());
        segment.push_back(move_booking(slot_start, time_zone));
    }
    segment.push_back(select_presented_booking());
    return segment;
}

std::vector<pg::statement> cancel_segment(call const& from, digest const& link) {
    std::vector<pg::statement> segment;
    segment.push_back(present_link(link, from.request_id));
    segment.push_back(limit_changes(from.booking.changes_per_hour, from.booking.changes_per_day));
    segment.push_back(cancel_booking());
    segment.push_back(select_presented_booking());
    return segment;
}

// The change, if there is one, is the last statement but one; the first presents the link.
changed_booking read_changed_booking(std::vector<pg::rows> const& results) {
    return {read_presented_booking(results.back()), results.size() > 2 && results[results.size() - 2].affected() > 0};
}

} // namespace recruiting::public_api
