// /scheduling/{jobId}/{stageId}: the published slots, and booking one (schedule.cpp). /scheduling/manage/{token}: what
// the holder of an e-mailed link sees and changes of one booking (manage.cpp). Pure.
#pragma once
#include "core/error.hpp"
#include "core/time.hpp"
#include "crypto/digest.hpp"
#include "http/json_fields.hpp"
#include "http/message.hpp"
#include "pg/rows.hpp"
#include "public_api/booking/booking_settings.hpp"
#include "public_api/booking/booking_store.hpp"
#include "public_api/http/plan.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::public_api {

/// from, to and timeZone of a query, narrowed to what can be booked now.
struct slot_query {
    time_span when;        // empty when from is not before to: nothing of what was asked for can be booked
    std::string time_zone; // of localStart; empty: none was asked for
};

/// What can be booked now: not sooner than the notice, not later than the horizon.
[[nodiscard]] time_span bookable_span(timestamp now, booking_settings const& config) noexcept;

/// Unknown parameters are ignored; invalid_request reports all problems of the known ones.
[[nodiscard]] result<slot_query> read_slot_query(std::string_view raw_query, timestamp now,
                                                 booking_settings const& config);

/// The field that booking and rescheduling share, as the zone's current name. Adds a problem if it is invalid.
[[nodiscard]] std::optional<std::string> read_time_zone(http::json_fields& fields);

/// {"data":[{slotStart, slotEnd, interviewDurationMinutes, localStart?}],"page":{limit, hasMore, nextFrom}}; zone may
/// be empty. rows: as select_slots gives them, one more than the limit where there are more: it begins at nextFrom. One
/// that begins at left_out is not in the answer.
[[nodiscard]] http::response slots_answer(pg::rows const& rows, std::string_view zone, std::int64_t limit,
                                          std::optional<timestamp> left_out = {});

/// Why booking and rescheduling refuse a time that no slot of the published schedule begins at, or that is past, too
/// soon or too far ahead. Their codes differ.
[[nodiscard]] api_error not_offered(error_code code);

/// No cache may store a response about bookings: what is bookable changes by the minute, and links hold secrets.
void forbid_storing(http::response& answer);

/// GET /scheduling/{jobId}/{stageId}/slots: the published schedule, including slots that are already booked. not_found
/// for a stage that is unknown, unpublished or not bookable.
[[nodiscard]] result<plan> list_slots(action_input const& input);

/// POST /scheduling/{jobId}/{stageId}/bookings (proto-docs/booking.md). Every client gets the same response after the
/// same work, whether or not the address is a candidate's: the request is checked against what is published, counted
/// and kept. The booking worker of auth-api does the rest and informs the candidate by e-mail only.
[[nodiscard]] result<plan> request_booking(action_input const& input);

/// The error names all problems of the body at once.
[[nodiscard]] result<booking_request> read_booking_request(http::request const& req, booking_settings const& config);

/// action_input::limit_keys, derived from the secrets that the instances share. previous: empty: none.
[[nodiscard]] std::vector<digest> limit_keys_of(std::string_view secret, std::string_view previous);
/// By client and job, by e-mail address and client network, and silently by e-mail address alone. No client sees a
/// count that another one raised.
[[nodiscard]] std::vector<counted_use> booking_uses(action_input const& input, uuid const& job, std::string_view email);

// /scheduling/manage/{token}/…: what the holder of the link in a booking's e-mails sees and does, and what changing the
// booking through it comes to, by the same rules for the API and for the page. Anyone who has the link reaches that one
// booking: there is no other credential, and a link that is unknown, expired or mistyped is one 404. GET changes
// nothing: mail scanners follow links.

[[nodiscard]] result<plan> show_booking(action_input const& input);
[[nodiscard]] result<plan> list_free_slots(action_input const& input);
/// Works for a confirmed, an unplaced and a canceled booking; the time it already has changes nothing.
[[nodiscard]] result<plan> reschedule(action_input const& input);
/// Repeating the call returns the same response and sends no second e-mail.
[[nodiscard]] result<plan> cancel(action_input const& input);
/// GET …/invite.ics, here and under /interviews/{token}: the same calendar event as in the mails (UID and SEQUENCE),
/// published, so that calendars ask for no reply. not_found unless the interview is confirmed.
[[nodiscard]] result<plan> get_invitation(action_input const& input);
/// GET /interviews/{token}/decline/invite.ics?join={token}: the same for the interviewer, whose mail has both links.
/// not_found unless the link can decline the interview or the interview has begun, and without a link to join.
[[nodiscard]] result<plan> get_interviewer_invitation(action_input const& input);

/// SHA-256 of the token's text: all that the database and the limits know of it. nullopt: this can't be a token.
[[nodiscard]] std::optional<digest> link_hash(std::string_view token);

enum class change_outcome { changed, unchanged, unknown_link, taken, not_offered, begun };
/// Makes the response. booking: as it is after the change; present where the outcome is changed or unchanged.
using change_answer = std::function<result<http::response>(change_outcome outcome, presented_booking const* booking)>;

/// Moves the link's booking, where slot_start can be booked at all.
[[nodiscard]] limited_change plan_move(action_input const& input, digest const& link, timestamp slot_start,
                                       std::optional<std::string> const& time_zone, change_answer answer);
[[nodiscard]] limited_change plan_cancellation(action_input const& input, digest const& link, change_answer answer);

} // namespace recruiting::public_api
