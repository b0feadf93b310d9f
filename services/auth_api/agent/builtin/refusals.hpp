// What is said when a tool refuses: which permission is missing, never anything of the data.
#pragma once
#include <string>
#include <string_view>

namespace recruiting::auth_api::agent::responder {

// Codes of our own, beside the API's.
inline constexpr std::string_view no_answer = "no_answer";     // no result, or one that can't be read
inline constexpr std::string_view not_offered = "not_offered"; // this run has no such tool
inline constexpr std::string_view too_long = "too_long";       // it is the run's last round

[[nodiscard]] std::string refusal(std::string_view tool, std::string_view code);

} // namespace recruiting::auth_api::agent::responder
