// The address of a server that programs call, as it is set: http://host[:port][/path]. Pure.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace recruiting {

/// What keeps this from being such an address: "must begin with http:// or https://". nullopt: nothing. No part of it
/// is quoted.
[[nodiscard]] std::optional<std::string> base_url_problem(std::string_view base_url);
/// base_url, with or without slashes at its end, and a path such as "/chat/completions".
[[nodiscard]] std::string url_below(std::string_view base_url, std::string_view path);

} // namespace recruiting
