// The address of a meeting room of its own for each interview. Pure.
#pragma once
#include "core/ids.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace recruiting::auth_api::booking {

/// What is wrong with a template, or nothing: empty, or an https:// address with {room} in it once.
[[nodiscard]] std::optional<std::string> room_template_problem(std::string_view text);
/// nullopt for an empty template. Whoever knows the address may enter: room must be random.
[[nodiscard]] std::optional<std::string> room_url(std::string_view text, uuid const& room);

} // namespace recruiting::auth_api::booking
