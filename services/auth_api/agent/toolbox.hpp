// The agent's tools (design: Agent): what an API key could read over HTTP, through the same code, and revoking a key by
// name. Each call authenticates anew and writes its audit row (agent.tool_call) before its result is used.
#pragma once
#include "async/task.hpp"
#include "auth/principal.hpp"
#include "auth_api/agent/chat.hpp"
#include "auth_api/agent/model.hpp"
#include "auth_api/agent/run_context.hpp"

#include <span>
#include <string>

namespace recruiting::auth_api::agent {

/// JSON text: {"data":…} as the endpoint answers it, or {"error":{"code","message",…}}.
struct tool_result {
    std::string content;
    bool failed{false};
    auth::reach used{}; // what the content was read under; nothing of a call that failed
};

class toolbox {
public:
    virtual ~toolbox() = default;
    [[nodiscard]] virtual std::span<tool_description const> offered() const noexcept = 0;
    /// What the caller may not do, unknown tools and bad arguments are results for the model to read. Throws outage
    /// when PostgreSQL stayed away or the audit row could not be written.
    [[nodiscard]] virtual task<tool_result> call(run_context const& run, tool_call const& wanted) = 0;
};

} // namespace recruiting::auth_api::agent
