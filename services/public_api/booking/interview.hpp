// /interviews/{token}: the e-mailed link as people open it, and the two forms of its page. The rules are those of
// /scheduling/manage; here every outcome is a page, or leads back to it with a notice (303), so that a reload repeats
// nothing.
#pragma once
#include "public_api/plan.hpp"

namespace recruiting::public_api {

[[nodiscard]] result<plan> show_interview(call const& from);
[[nodiscard]] result<plan> reschedule_interview(call const& from);
[[nodiscard]] result<plan> cancel_interview(call const& from);

} // namespace recruiting::public_api
