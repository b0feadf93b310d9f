// Asking the admin port of a process on this machine, which may be another process of the same program.
#pragma once
#include "core/settings.hpp"

#include <optional>
#include <string>

namespace recruiting::http {

/// The first line of the answer to GET path. Waits for some seconds. Throws std::exception when none comes.
[[nodiscard]] std::string ask_admin(endpoint const& where, std::string const& path);
[[nodiscard]] bool is_good(std::string_view first_line) noexcept;

/// Whether the process that listens there is ready; nullopt: none answers.
[[nodiscard]] std::optional<bool> readiness_at(endpoint const& where);

} // namespace recruiting::http
