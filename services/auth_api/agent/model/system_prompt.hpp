// What the model is told before the conversation. Never stored, never shown (design: Agent). Pure.
#pragma once
#include "auth_api/agent/model/fence.hpp"

#include <string>
#include <string_view>

namespace recruiting::auth_api::agent {

/// today: "2026-01-31". What changes from run to run stands last, so that a model server can keep what it read of the
/// rest.
[[nodiscard]] std::string system_prompt(fence const& around_data, std::string_view today);

} // namespace recruiting::auth_api::agent
