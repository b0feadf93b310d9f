// GET /careers/style.css: what all pages look like. Light and dark, contrast of at least 4.5 to 1 in both.
#pragma once
#include "public_api/plan.hpp"

#include <string>

namespace recruiting::public_api {

/// With the style's hash in its query, so that it may be kept for a year.
[[nodiscard]] std::string const& style_address();
[[nodiscard]] result<plan> get_style(call const& from);

} // namespace recruiting::public_api
