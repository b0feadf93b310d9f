// The e-mailed link as people open it: the page with the interview, another time and cancelling, its forms, and the
// join link. The page works without JavaScript; with it, times are shown in the visitor's zone too. Pure.
#pragma once
#include "http/message.hpp"
#include "public_api/booking/booking_settings.hpp"
#include "public_api/booking/booking_store.hpp"
#include "public_api/http/markup_writer.hpp"
#include "public_api/http/plan.hpp"
#include "public_api/pages/page.hpp"
#include "words/words.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace recruiting::public_api {

/// What the page shows.
struct interview_view {
    presented_booking const& booking;
    std::vector<timestamp> free; // times to choose from, soonest first
    std::string_view token;
    std::string_view
        notice; // of the form that led here: booked, unchanged, canceled, taken, not-offered, closed, choose
    timestamp now;
    words const& in;
};

[[nodiscard]] http::response interview_page(interview_view const& view);
/// 404, for a link that is unknown, expired or mistyped.
[[nodiscard]] http::response dead_link(action_input const& input);

/// Parts of the page that the join page shows too: its frame, with the title before the job's; the facts' row of a
/// time, with what the script needs to show the visitor's own first, and a row of any other fact.
[[nodiscard]] page interview_frame(presented_interview const& shown, words const& in, std::string title);
void write_interview_time(html_writer& html, std::string_view name, timestamp time, std::string const& zone,
                          words const& in);
/// A redirect from a link's page: no cache stores it, and the link is not sent on as a referrer.
[[nodiscard]] http::response private_redirect(unsigned status, std::string location);
void write_interview_fact(html_writer& html, std::string_view name, std::string_view content);

/// /interviews/{token} and the two forms of its page. The rules are those of /scheduling/manage; every outcome is a
/// page, or leads back to it with a notice (303), so that a reload repeats nothing.
[[nodiscard]] result<plan> show_interview(action_input const& input);
[[nodiscard]] result<plan> reschedule_interview(action_input const& input);
[[nodiscard]] result<plan> cancel_interview(action_input const& input);

/// GET …/join: the join link of mails and calendars. At the time of the interview it redirects to the meeting (302).
/// Otherwise, or while no meeting address is set, it shows a page that says so, with the interview's time. It changes
/// nothing.
[[nodiscard]] result<plan> join_interview(action_input const& input);
/// What the join link does now. Pure.
enum class join_state { canceled, unplaced, early, open, not_set, over };
[[nodiscard]] join_state state_of(presented_meeting const& meeting, timestamp now, booking_settings const& config);

/// /interviews/{token}/decline: an interviewer's link to decline one interview, from their mail or calendar. The
/// page shows the interview, with a form to decline it while that is possible. It changes nothing: mail scanners
/// follow links.
[[nodiscard]] result<plan> show_decline(action_input const& input);
/// Declines, and leads back to the page (303). Repeating the request changes nothing.
[[nodiscard]] result<plan> decline(action_input const& input);

/// is_repeated: the form was sent after the interview had been declined.
[[nodiscard]] http::response decline_page(presented_decline const& shown, std::string_view token, bool is_repeated,
                                          words const& in);

} // namespace recruiting::public_api
