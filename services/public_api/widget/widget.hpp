// GET /widget/v1.js: the elements a company puts on its own site, part of the program.
#pragma once
#include "public_api/http/plan.hpp"

namespace recruiting::public_api {

/// The modules beside this file as one script, as they were at build time (widget_script.cpp, made by CMake).
[[nodiscard]] std::string_view widget_script() noexcept;

[[nodiscard]] result<plan> get_widget(call const& from);

} // namespace recruiting::public_api
