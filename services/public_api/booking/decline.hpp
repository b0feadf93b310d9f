// /interviews/{token}/decline: an interviewer's link to decline one interview, from their mail or calendar. The page
// works without JavaScript. Pure.
#pragma once
#include "core/error.hpp"
#include "public_api/booking/booking_store.hpp"
#include "public_api/http/plan.hpp"
#include "words/words.hpp"

namespace recruiting::public_api {

/// The interview, with a form to decline it while that is possible. It changes nothing: mail scanners follow links.
[[nodiscard]] result<plan> show_decline(action_input const& input);
/// Declines, and leads back to the page (303). Repeating the request changes nothing.
[[nodiscard]] result<plan> decline(action_input const& input);

/// is_repeated: the form was sent after the interview had been declined.
[[nodiscard]] http::response decline_page(presented_decline const& shown, std::string_view token, bool is_repeated,
                                          words const& in);

} // namespace recruiting::public_api
