// The audit row of a tool's call (design: Audit): who, which tool, of which run, and how it ended. Never what was asked
// for or what was found. Pure.
#pragma once
#include "audit/event_store.hpp"
#include "auth_api/agent/run_context.hpp"
#include "auth_api/agent/tools/catalogue.hpp"

#include <chrono>
#include <string_view>

namespace recruiting::auth_api::agent {

struct finished_call {
    tool const* which{nullptr}; // nullptr: a tool the model made up
    timestamp started_at;
    std::chrono::nanoseconds took{};
    unsigned status{200};        // what HTTP would have said
    std::string_view error_code; // "": it succeeded
};

/// who: as PostgreSQL named the credential's owner for this call.
[[nodiscard]] audit::event tool_call_row(run_context const& run, auth::principal const& who, finished_call const& call);

} // namespace recruiting::auth_api::agent
