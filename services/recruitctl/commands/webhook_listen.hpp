// webhook listen: a webhook's messages for a receiver in development, made of what the API shows.
#pragma once
#include "recruitctl/command.hpp"

namespace recruiting::recruitctl {

int listen_for_changes(invocation& call);

} // namespace recruiting::recruitctl
