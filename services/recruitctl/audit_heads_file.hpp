// Heads of audit chains as `audit head --json` printed them, kept elsewhere and given back to `audit verify --head`.
#pragma once
#include "audit/verify.hpp"
#include "pg/client.hpp"

#include <string>
#include <utility>
#include <vector>

namespace recruiting::recruitctl {

/// A document a line: one head, or {"data": […]} of all organizations. Throws failure when the file can't be read or a
/// line is no head.
[[nodiscard]] std::vector<std::pair<uuid, audit::kept_head>> read_heads_file(std::string const& path,
                                                                             pg::client& database);

} // namespace recruiting::recruitctl
