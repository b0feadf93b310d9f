// What members do with a booking (proto-docs/booking.md). The database's triggers place the interview, count its
// calendar's sequence up, write the mails and the audit row, which names the member of the presented session. Each
// operation locks the booking, as the holder of a link does: what they do at once happens one after the other.
//
// Refused: insufficient_role for other members than admins, recruiters, and hiring managers on the jobs whose hiring
// team they are on; not_found for a booking out of the member's reach; booking_closed for an interview that has begun.
#pragma once
#include "interviews/interviews.hpp"

namespace recruiting::interviews {

/// Confirmations and copied links of one booking, in a clock hour of UTC: each holds another link of the candidate's.
inline constexpr std::int64_t most_links_per_hour = 5;

struct booking_choice {
    uuid organization;
    uuid booking;
};

/// The same of one that is canceled already.
[[nodiscard]] result<void> cancel_booking(pg::client& database, booking_choice const& which,
                                          directory::actor const& by);
/// To another slot of the booking's stage, and so to its interviewer; also an interview without a time. Refused: a slot
/// of another stage or out of the member's reach (`unknown`), a candidate who left the stage (`not_allowed`).
/// slot_taken: the slot is closed or past, or its interviewer has another interview then.
[[nodiscard]] result<void> move_booking(pg::client& database, booking_choice const& which, uuid const& slot,
                                        directory::actor const& by);
/// To another active member, at the same time: in the open slot of the stage that they have then, or in one of the same
/// length that is opened for them. slot_taken: they have another interview then. booking_closed: no interview is
/// confirmed.
[[nodiscard]] result<void> hand_over_booking(pg::client& database, booking_choice const& which, uuid const& member,
                                             directory::actor const& by);
/// Mails the candidate the confirmation again. booking_closed: no interview is confirmed. rate_limited
/// (`booking_changes`): beyond most_links_per_hour.
[[nodiscard]] result<void> resend_confirmation(pg::client& database, booking_choice const& which,
                                               directory::actor const& by);
/// Makes the link with this token the candidate's. rate_limited as above.
[[nodiscard]] result<void> add_booking_link(pg::client& database, booking_choice const& which, std::string_view token,
                                            std::chrono::milliseconds lifetime, directory::actor const& by);

} // namespace recruiting::interviews
