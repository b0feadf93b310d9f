// An organization's name in a URL. Pure.
#pragma once
#include <string_view>

namespace recruiting::public_api {

/// As the database constrains it: lower-case words of a-z and 0-9 joined by single hyphens, at most 63 characters.
/// Anything else names no organization, and never reaches a query (a text parameter would stop at a NUL).
[[nodiscard]] bool is_slug(std::string_view text) noexcept;

} // namespace recruiting::public_api
