// The toolbox of auth-api: the catalogue's tools on a thread's connections. One a thread.
#pragma once
#include "audit/batcher.hpp"
#include "auth_api/agent/agent_settings.hpp"
#include "auth_api/agent/toolbox.hpp"
#include "auth_api/http/read.hpp"
#include "telemetry/metrics.hpp"

#include <memory>

namespace recruiting::auth_api::agent {

struct tool_dependencies {
    read_connections reads;
    http::token_signer const& signer;
    pg::pipeline& changes; // for statements that wait for locks: no read is behind them
    audit::batcher& audit;
    agent_settings const& settings;
    metrics::registry& metrics;
};

/// Everything given must outlive it and its calls.
[[nodiscard]] std::unique_ptr<toolbox> make_toolbox(tool_dependencies needs);

} // namespace recruiting::auth_api::agent
