// What changing a booking through its link comes to: the same rules for the API and for the page. Pure.
#pragma once
#include "core/error.hpp"
#include "public_api/booking/manage_store.hpp"
#include "public_api/plan.hpp"

#include <optional>
#include <string_view>

namespace recruiting::public_api {

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
[[nodiscard]] std::vector<database_limit> change_limits(settings const& config);

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
