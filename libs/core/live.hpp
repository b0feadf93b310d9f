// What RECRUITING_ENVIRONMENT=live refuses though a test installation may use it: secrets that can be guessed, and
// links that no browser elsewhere can follow. Pure.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace recruiting {

/// "holds fewer than 8 different bytes", as zeros do, or "repeats a shorter text"; nullopt: neither. What openssl rand
/// prints passes.
[[nodiscard]] std::optional<std::string> live_secret_problem(std::string_view secret);
/// What is wrong with this origin (is_origin) as the address that browsers use: "must be https". nullopt: nothing.
[[nodiscard]] std::optional<std::string> live_origin_problem(std::string_view origin);

} // namespace recruiting
