// The agent's tools: what the caller could read over HTTP, through the same code, and revoking a key by
// name. Each call authenticates again and writes its audit row (agent.tool_call) before its result is used.
#pragma once
#include "async/task.hpp"
#include "async/ticker.hpp"
#include "auth/authenticate_store.hpp"
#include "auth/principal.hpp"
#include "auth_api/agent/model.hpp"
#include "telemetry/span.hpp"

#include <optional>
#include <span>
#include <string>

namespace recruiting::auth_api::agent {

/// The caller of a run and the run's ids: its tools act as this caller, its audit rows name it. Lives as long as the
/// run.
struct run_context {
    uuid run_id; // the correlation id
    uuid session_id;
    uuid lease_owner;                     // of the runner that works on it: changes are made only while it still does
    auth::credential presented{digest{}}; // an API key, or a session of the console
    auth::principal principal;            // as at the start; tools read it again
    std::optional<ip_address> client;
    std::string user_agent; // fit for the audit log
    std::string request_id;
    coarse_clock::time_point deadline{}; // of the run
    tracing::parent trace{};             // what its steps are parts of
    std::string prompt;
    bool is_prompt_own{true}; // the caller's words; false: a model outside wrote it, perhaps from what it read

    /// Of what its tools ask for: the run reads and changes nothing outside the organization that it began in.
    [[nodiscard]] auth::request_facts facts() const {
        auth::request_facts out;
        out.client = client;
        out.organization = principal.organization_id;
        return out;
    }
    /// In which the targets of changing tools must occur.
    [[nodiscard]] std::string_view own_words() const noexcept { return is_prompt_own ? prompt : std::string_view(); }
    /// The API key, for the audit log and the run's row; none where the member asked in the console.
    [[nodiscard]] std::optional<uuid> key_id() const { return auth::key_of(principal); }
};

/// JSON text: {"data":…} as the endpoint answers it, or {"error":{"code","message",…}}.
struct tool_result {
    std::string content;
    bool failed{false};
    auth::access used{}; // what the content was read under; nothing of a call that failed
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
