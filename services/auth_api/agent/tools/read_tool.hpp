// Runs a tool that reads, through the code of its endpoint. toolbox's api_tools is its only user.
#pragma once
#include "auth_api/agent/toolbox.hpp"
#include "auth_api/agent/tools/arguments.hpp"
#include "auth_api/agent/tools/tool_outcome.hpp"
#include "auth_api/http/read.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace recruiting::auth_api::agent {

/// Shortens a record that is too long to show a model; the result is always whole JSON:
/// {"truncated":true, …} of at most `most` bytes (at least 256): the object `json` with its longest texts (ending in …)
/// and lists shortened as far as needed. Beside a shortened list, hasMore says so where the record has it.
[[nodiscard]] std::string truncate_record(std::string_view json, std::size_t most);

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
