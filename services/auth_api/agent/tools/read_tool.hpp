// Runs a tool that reads, through the code of its endpoint. toolbox's api_tools is its only user.
#pragma once
#include "auth_api/agent/run_context.hpp"
#include "auth_api/agent/tools/arguments.hpp"
#include "auth_api/agent/tools/tool_outcome.hpp"
#include "auth_api/http/read.hpp"

namespace recruiting::auth_api::agent {

/// What a call runs on. Lives as long as the toolbox.
struct tool_runtime {
    read_connections reads;
    http::token_signer const& signer;
    std::size_t result_limit; // bytes
    tracing::parent trace{};  // of the call
};

/// which: nullptr for a tool that does not exist; input then holds why. Throws outage when PostgreSQL is away.
[[nodiscard]] task<tool_outcome> run_read_tool(tool_runtime on, run_context const& run, tool const* which,
                                               result<tool_input> input);

} // namespace recruiting::auth_api::agent
