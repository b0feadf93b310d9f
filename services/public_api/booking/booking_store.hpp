// The SQL of bookings. That of the published schedule, with the one row that a booking request leaves, sees neither
// candidates nor bookings: role recruiting_public may not. That behind an e-mailed link goes through views and policies
// that show the presented link's one booking.
#pragma once
#include "core/ids.hpp"
#include "core/time.hpp"
#include "crypto/digest.hpp"
#include "pg/params.hpp"
#include "pg/rows.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::public_api {

struct stage_of_job {
    uuid job;
    uuid stage;
};

struct time_span {
    timestamp from; // inclusive
    timestamp to;   // exclusive
};

/// Finds one row if the stage is published and can be booked.
[[nodiscard]] pg::statement select_bookable_stage(stage_of_job const& where);
/// The published slots that begin in the span, soonest first: their begin and end.
[[nodiscard]] pg::statement select_slots(stage_of_job const& where, time_span const& when, std::int64_t most);

struct booking_request {
    std::string email;
    timestamp slot_start;
    std::optional<std::string> time_zone;
    std::string language; // one there are words for
};
/// Affects one row if there is such a slot, otherwise none. is_excess: the worker takes the request last, and repeats
/// no mail for it.
[[nodiscard]] pg::statement insert_booking_request(stage_of_job const& where, booking_request const& wanted,
                                                   bool is_excess);

// The presented link: each segment begins with present_link.

/// Names the link for this transaction, and the request for its audit row.
[[nodiscard]] pg::statement present_link(digest const& link, std::string_view request_id);

/// An interview as every page behind a link shows it.
struct presented_interview {
    std::string status; // confirmed, unplaced, canceled
    std::optional<timestamp> starts_at;
    std::optional<timestamp> ends_at;
    std::string time_zone;
    std::string language; // of the request; may be empty
    std::string job_title;
    std::string stage_name;
    std::string organization_name;
    std::string organization_slug;
    std::optional<std::string> logo_url;
    std::optional<std::string> accent_color;
};

struct presented_booking : presented_interview {
    std::optional<timestamp> wanted_starts_at; // unplaced: the time that was gone
    std::optional<std::string> interviewer_name;
    uuid calendar_uid;
    int sequence{0};
    timestamp updated_at;
    uuid job;
    uuid stage;
    bool is_declined{false}; // unplaced: the interviewer of wanted_starts_at can't make it

    [[nodiscard]] bool is_confirmed() const noexcept { return status == "confirmed"; }
    /// Begun or over: the link can't change it.
    [[nodiscard]] bool has_begun(timestamp now) const noexcept { return is_confirmed() && *starts_at <= now; }
    /// The time that the booking's mail and page call no longer free: no choice offers it, even if it is free again. At
    /// a time that an interviewer declined, another one may be free.
    [[nodiscard]] std::optional<timestamp> time_gone() const {
        return status == "unplaced" && !is_declined ? wanted_starts_at : std::nullopt;
    }
    [[nodiscard]] bool is_over(timestamp now) const noexcept { return is_confirmed() && *ends_at <= now; }
};
[[nodiscard]] pg::statement select_presented_booking();
/// nullopt: the link is unknown or has expired.
[[nodiscard]] std::optional<presented_booking> read_presented_booking(pg::rows const& rows);

/// The interview as the join page shows it, of a link that manages it or only joins it.
struct presented_meeting : presented_interview {
    bool moved{false}; // since the mail with this link
    std::string url;   // where they meet; empty: nowhere yet
};
[[nodiscard]] pg::statement select_presented_meeting();
/// nullopt: the link is unknown or has expired.
[[nodiscard]] std::optional<presented_meeting> read_presented_meeting(pg::rows const& rows);

/// The interview as the page of an interviewer's link to decline shows it: as the mail with this link named it.
struct presented_decline {
    std::string state; // open, declined, moved, canceled, begun
    timestamp starts_at;
    timestamp ends_at;
    presented_interview interview; // without its status; times are in the organization's zone
    // For the calendar, of an interview that is open or begun:
    uuid calendar_uid;
    int sequence{0};
    timestamp updated_at;
};
[[nodiscard]] pg::statement select_presented_decline();
/// nullopt: the link is unknown or has expired, or the interview is no longer its owner's.
[[nodiscard]] std::optional<presented_decline> read_presented_decline(pg::rows const& rows);
/// Follows present_link, and finds one row: whether the interview was declined now.
[[nodiscard]] pg::statement decline_interview();
[[nodiscard]] bool read_declined(pg::rows const& rows);

/// Times at which an interviewer is free, soonest first: their begin and end.
[[nodiscard]] pg::statement select_free_slots(time_span const& when, std::int64_t most);

/// Before move_booking and cancel_booking: how often the booking may be changed, beyond which these fail with a
/// violation of bookings_changes_per_hour or bookings_changes_per_day.
[[nodiscard]] pg::statement limit_changes(std::int64_t per_hour, std::int64_t per_day);
/// A row, if the schedule of the presented booking's stage has a slot at that time, taken or not.
[[nodiscard]] pg::statement select_offered(timestamp slot_start);
/// Precedes move_booking, so that what was read of the booking stays true.
[[nodiscard]] pg::statement lock_presented_booking();
/// No row affected: no interviewer is free then, or it is at that time already. Violations: see outcome_of_violation.
[[nodiscard]] pg::statement move_booking(timestamp slot_start, std::optional<std::string> const& time_zone);
/// Affects no row if the booking is canceled already.
[[nodiscard]] pg::statement cancel_booking();

} // namespace recruiting::public_api
