// /scheduling/manage/{token}/…: what the holder of the link in a booking's e-mails sees and does, and what changing the
// booking through it comes to, by the same rules for the API and for the page. Anyone who has the link reaches that one
// booking: there is no other credential, and a link that is unknown, expired or mistyped is one 404. GET changes
// nothing: mail scanners follow links. Pure.
#pragma once
#include "core/error.hpp"
#include "crypto/digest.hpp"
#include "http/message.hpp"
#include "public_api/booking/booking_settings.hpp"
#include "public_api/booking/booking_store.hpp"
#include "public_api/http/plan.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace recruiting::public_api {

[[nodiscard]] result<plan> show_booking(call const& from);
[[nodiscard]] result<plan> list_free_slots(call const& from);
/// Works for a confirmed, an unplaced and a canceled booking; the time it already has changes nothing.
[[nodiscard]] result<plan> reschedule(call const& from);
/// Repeating the call returns the same response and sends no second e-mail.
[[nodiscard]] result<plan> cancel(call const& from);
/// GET …/invite.ics, here and under /interviews/{token}: the same calendar event as in the mails (UID and SEQUENCE),
/// published, so that calendars ask for no reply. not_found unless the interview is confirmed.
[[nodiscard]] result<plan> get_invitation(call const& from);

/// SHA-256 of the token's text: all that the database and the limits know of it. nullopt: this can't be a token.
[[nodiscard]] std::optional<digest> link_hash(std::string_view token);

/// Where the interview is joined: with the token that only joins, for this link is passed on. Only for links that have
/// one: those of mails sent before there were such tokens do not.
[[nodiscard]] std::string join_address(std::string_view public_url, std::string_view token);

enum class change_outcome { changed, unchanged, unknown_link, taken, begun };

/// after: the booking when the statements have run; moved: did the update touch it?
[[nodiscard]] change_outcome outcome_of_move(std::optional<presented_booking> const& after, bool moved,
                                             timestamp slot_start, timestamp now);
[[nodiscard]] change_outcome outcome_of_cancellation(std::optional<presented_booking> const& after, bool canceled);
/// A failed update of a booking; nullopt: an outage or a bug.
[[nodiscard]] std::optional<change_outcome> outcome_of_violation(std::string_view sqlstate,
                                                                 std::string_view constraint) noexcept;
/// Of an outcome that is none of changed and unchanged.
[[nodiscard]] api_error error_of(change_outcome outcome);

/// Changes of one booking are limited, whichever of its links makes them: each writes mails. PostgreSQL counts them,
/// because only it knows which booking a link opens.
[[nodiscard]] std::vector<database_limit> change_limits(booking_settings const& config);

/// present_link, the update where slot_start can be booked at all, and the booking afterwards.
[[nodiscard]] std::vector<pg::statement> move_segment(call const& from, digest const& link, timestamp slot_start,
                                                      std::optional<std::string> const& time_zone);
[[nodiscard]] std::vector<pg::statement> cancel_segment(call const& from, digest const& link);

struct changed_booking {
    std::optional<presented_booking> after;
    bool touched{false};
};
/// The results of either segment.
[[nodiscard]] changed_booking read_changed_booking(std::vector<pg::rows> const& results);

} // namespace recruiting::public_api
