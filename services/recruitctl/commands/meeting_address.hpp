// --url and --clear of the commands that set where interviews meet.
#pragma once
#include "recruitctl/command.hpp"

#include <optional>
#include <string>

namespace recruiting::recruitctl {

/// The address to set, nullopt for --clear; throws usage_error unless exactly one is given.
[[nodiscard]] std::optional<std::string> url_or_clear(invocation const& call);

} // namespace recruiting::recruitctl
