// The audit log's actions: which of them a prompt asks for, and how a row is told.
#pragma once
#include "auth_api/agent/builtin/prompt.hpp"
#include "auth_api/agent/builtin/record.hpp"

#include <string>
#include <vector>

namespace recruiting::auth_api::agent::responder {

/// Empty: whatever was done.
[[nodiscard]] std::vector<std::string> actions_in(prompt const& asked);

/// "2026-03-18 14:02 ada@acme.example (admin) revoked an API key"
[[nodiscard]] std::string deed_line(record const& row);

} // namespace recruiting::auth_api::agent::responder
