// Candidates as lines of a list.
#pragma once
#include "auth_api/agent/builtin/record.hpp"

#include <string>
#include <vector>

namespace recruiting::auth_api::agent::responder {

/// "Anna Schmidt, Engineer at Foxglove Labs, anna@example.com"
[[nodiscard]] std::string person_line(record const& candidate);
[[nodiscard]] std::vector<std::string> person_lines(std::vector<record> const& candidates);

} // namespace recruiting::auth_api::agent::responder
