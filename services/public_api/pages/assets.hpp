// Styles and scripts, part of the program: those of the pages, each under an address with its hash, so that it may be
// kept for a year, and the widget for other sites.
#pragma once
#include "public_api/http/plan.hpp"

#include <string>

namespace recruiting::public_api {

/// GET /careers/style.css: the style of all pages, light and dark, with a contrast of at least 4.5 to 1 in both.
[[nodiscard]] std::string const& style_address();
[[nodiscard]] result<plan> get_style(action_input const& input);

/// GET /interviews/local_times.js: adds the visitor's own time to the times of an interview's page.
[[nodiscard]] std::string const& interview_script_address();
[[nodiscard]] result<plan> get_interview_script(action_input const& input);

/// The modules of widget/ as one script, as they were at build time (widget_script.cpp, made by CMake).
[[nodiscard]] std::string_view widget_script() noexcept;

/// GET /widget/v1.js: the elements a company puts on its own site.
[[nodiscard]] result<plan> get_widget(action_input const& input);

} // namespace recruiting::public_api
