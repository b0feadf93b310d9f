// API keys as lines of a list.
#pragma once
#include "auth_api/agent/builtin/record.hpp"

#include <string>
#include <vector>

namespace recruiting::auth_api::agent::responder {

/// Everything that is shown of a key.
[[nodiscard]] std::string key_line(record const& key);
/// "“warehouse-sync” (ada@acme.example)": to choose by.
[[nodiscard]] std::vector<std::string> key_choices(std::vector<record> const& keys);

} // namespace recruiting::auth_api::agent::responder
