// The style and the script of the pages, each under an address with its hash, so that it may be kept for a year.
#pragma once
#include "public_api/http/plan.hpp"

#include <string>

namespace recruiting::public_api {

/// GET /careers/style.css: the look of all pages, light and dark, with a contrast of at least 4.5 to 1 in both.
[[nodiscard]] std::string const& style_address();
[[nodiscard]] result<plan> get_style(call const& from);

/// GET /interviews/local_times.js: adds the visitor's own time to the times of an interview's page.
[[nodiscard]] std::string const& interview_script_address();
[[nodiscard]] result<plan> get_interview_script(call const& from);

} // namespace recruiting::public_api
