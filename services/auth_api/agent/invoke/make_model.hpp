// The agent's model as it is set: a server, or the built-in responder.
#pragma once
#include "auth_api/agent/agent_settings.hpp"
#include "auth_api/agent/model.hpp"
#include "telemetry/metrics.hpp"

#include <memory>

namespace recruiting::auth_api::agent {

/// One a thread.
[[nodiscard]] std::unique_ptr<model> make_model(asio::io_context& context, model_settings const& config,
                                                metrics::registry& metrics);

} // namespace recruiting::auth_api::agent
