// /scheduling/manage/{token}/…: what the holder of the link in a booking's e-mails sees and does, and what changing the
// booking through it comes to, by the same rules for the API and for the page. Anyone who has the link reaches that one
// booking: there is no other credential, and a link that is unknown, expired or mistyped is one 404. GET changes
// nothing: mail scanners follow links. Pure.
#pragma once
#include "core/error.hpp"
#include "crypto/digest.hpp"
#include "http/message.hpp"
#include "public_api/booking/booking_store.hpp"
#include "public_api/http/plan.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::public_api {

[[nodiscard]] result<plan> show_booking(action_input const& input);
[[nodiscard]] result<plan> list_free_slots(action_input const& input);
/// Works for a confirmed, an unplaced and a canceled booking; the time it already has changes nothing.
[[nodiscard]] result<plan> reschedule(action_input const& input);
/// Repeating the call returns the same response and sends no second e-mail.
[[nodiscard]] result<plan> cancel(action_input const& input);
/// GET …/invite.ics, here and under /interviews/{token}: the same calendar event as in the mails (UID and SEQUENCE),
/// published, so that calendars ask for no reply. not_found unless the interview is confirmed.
[[nodiscard]] result<plan> get_invitation(action_input const& input);

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
