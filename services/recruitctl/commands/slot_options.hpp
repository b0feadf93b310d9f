// How the commands that are about slots and meetings read their options.
#pragma once
#include "core/ids.hpp"
#include "interviews/slot_times.hpp"
#include "recruitctl/command.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace recruiting::recruitctl {

/// The id after the option, or nothing; throws usage_error when it is none.
[[nodiscard]] std::optional<uuid> find_id(invocation const& call, std::string_view option);

inline constexpr char const* wrong_clock = " must be a day or a wall clock's time: 2026-11-23 or 2026-11-23T09:00";
/// The wall clock's time in the option's text; throws usage_error.
[[nodiscard]] zones::wall_clock clock_option(std::string_view option, std::string_view text,
                                             interviews::clock_time fallback);
/// --time-zone, else the organization's; throws usage_error.
[[nodiscard]] std::string zone_option(invocation const& call, std::string const& organization_zone);

// --url and --clear of the commands that set where interviews meet.

/// The address to set, nullopt for --clear; throws usage_error unless exactly one is given.
[[nodiscard]] std::optional<std::string> url_or_clear(invocation const& call);

} // namespace recruiting::recruitctl
