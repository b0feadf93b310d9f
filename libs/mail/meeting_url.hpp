// Where interviews meet: the address that a slot, an interviewer, an organization or an installation may have. Checked
// when it is set, and again when somebody is led there. Pure.
#pragma once
#include "core/ids.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace recruiting::mail {

/// What is wrong with an address, or nothing: https://, a host, and nothing that ends it in mails, calendars and pages.
[[nodiscard]] std::optional<std::string> meeting_url_problem(std::string_view text);

/// What is wrong with a template, or nothing: a meeting's address with {room} in it once, after the host.
[[nodiscard]] std::optional<std::string> room_template_problem(std::string_view text);
/// The address of a room of its own; nullopt for an empty template. Anyone who knows it may enter: room must be random.
[[nodiscard]] std::optional<std::string> room_url(std::string_view text, uuid const& room);

} // namespace recruiting::mail
