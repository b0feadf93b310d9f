// Candidates by when they were added: the tools list them newest first, and filter by no date.
#pragma once
#include "auth_api/agent/builtin/desk.hpp"
#include "auth_api/agent/builtin/time_range.hpp"

namespace recruiting::auth_api::agent::responder {

/// Keeps those of the time, and says in `complete` whether they are all that there are of it.
void keep_added_in(listing& candidates, time_range const& when);

} // namespace recruiting::auth_api::agent::responder
