// The pepper that recruitctl has, for what is hashed with it.
#pragma once
#include "recruitctl/command.hpp"

#include <string>

namespace recruiting::recruitctl {

/// The content of RECRUITING_KEY_PEPPER_FILE, read as the services do. Throws usage_error.
[[nodiscard]] std::string pepper_of(invocation const& call);

} // namespace recruiting::recruitctl
