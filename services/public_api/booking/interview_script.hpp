// GET /interviews/local_times.js: adds the visitor's own time to the times of an interview's page.
#pragma once
#include "public_api/plan.hpp"

#include <string>

namespace recruiting::public_api {

/// With the script's hash in its query, so that it may be kept for a year.
[[nodiscard]] std::string const& interview_script_address();
[[nodiscard]] result<plan> get_interview_script(call const& from);

} // namespace recruiting::public_api
