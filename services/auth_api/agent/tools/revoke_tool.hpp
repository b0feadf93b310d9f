// Runs revoke_api_key: finds the key, decides, and revokes it in one transaction that holds only while the key that
// asks, its owner's role and the run are what they must be. api_tools is its only user.
#pragma once
#include "auth_api/agent/toolbox.hpp"
#include "auth_api/agent/tools/tool_outcome.hpp"
#include "auth_api/http/read.hpp"
#include "directory/records.hpp"

#include <chrono>

namespace recruiting::auth_api::agent {

struct revoke_connections {
    read_connections reads;
    pg::pipeline& changes;
    http::token_signer const& signer;
    std::chrono::milliseconds lease; // of runs
    tracing::parent trace{};         // of the call
};

/// name: the key's, or what is wrong with the arguments. sent: kept between the attempts of one call; names the key
/// whose revocation was sent, so that the next attempt knows it as done when the answer was lost. Throws outage when
/// PostgreSQL is away.
[[nodiscard]] task<tool_outcome> run_revoke_tool(revoke_connections on, run_context const& run,
                                                 result<std::string> name, std::optional<directory::api_key>& sent);

} // namespace recruiting::auth_api::agent
