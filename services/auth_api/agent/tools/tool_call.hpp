// The toolbox of auth-api: the catalogue's tools on a thread's connections, one per thread; and what its tools share.
#pragma once
#include "audit/batcher.hpp"
#include "auth_api/agent/agent_settings.hpp"
#include "auth_api/agent/toolbox.hpp"
#include "auth_api/http/read.hpp"
#include "telemetry/metrics.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::auth_api::agent {

struct tool_dependencies {
    read_connections reads;
    http::token_signer const& signer;
    pg::pipeline& changes; // for statements that wait for locks: no read is behind them
    audit::batcher& audit;
    agent_settings const& settings;
    metrics::registry& metrics;
};

/// How one attempt of a call ended.
struct tool_outcome {
    std::shared_ptr<auth::principal const> principal; // null: no key has that secret any more
    std::optional<api_error> error;
    std::string content; // when there is no error
    // A change that was refused is no error to the model, but none of its audit row's successes.
    unsigned status{200};
    std::string_view refusal{};
};

/// Everything given must outlive it and its calls.
[[nodiscard]] std::unique_ptr<toolbox> make_toolbox(tool_dependencies needs);

} // namespace recruiting::auth_api::agent
