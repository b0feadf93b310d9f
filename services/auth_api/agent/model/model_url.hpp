// The address of a model server, as it is set. Pure.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::auth_api::agent {

/// What keeps this from being the address of a model server: "must begin with http:// or https://". nullopt: nothing.
[[nodiscard]] std::optional<std::string> model_url_problem(std::string_view base_url);
/// base_url with or without a slash at its end, and "/chat/completions".
[[nodiscard]] std::string model_endpoint(std::string_view base_url, std::string_view path);
/// May this stand in a header field?
[[nodiscard]] bool is_header_value(std::string_view text) noexcept;

} // namespace recruiting::auth_api::agent
