// The agent of one thread, put together: model, tools, runner and invocations on connections of their own.
#pragma once
#include "auth_api/agent/agent_settings.hpp"
#include "auth_api/agent/invoke/invoke.hpp"
#include "auth_api/agent/model.hpp"
#include "telemetry/metrics.hpp"

#include <memory>

namespace recruiting::audit {
class batcher;
}

namespace recruiting::auth_api::agent {

class agent {
public:
    struct dependencies {
        asio::io_context& context;
        ticker& clock;
        agent_settings const& settings;
        pg::pipeline_settings connection; // as whom, and how
        read_connections reads;
        http::token_signer const& signer;
        audit::batcher& audit;
        metrics::registry& metrics;
    };
    /// All of needs outlive this, but for connection, which is copied. Throws std::runtime_error when a file that
    /// settings name can't be read.
    explicit agent(dependencies needs);
    ~agent() { runs_.stop(); }

    [[nodiscard]] invocations& answering() noexcept { return answering_; }
    /// Are its connections to PostgreSQL ready?
    [[nodiscard]] bool ready() const noexcept { return connection_.ready() && waiting_connection_.ready(); }
    /// Runs may continue for so long, then they fail.
    void drain(std::chrono::milliseconds limit) { runs_.drain(limit); }

private:
    pg::pipeline connection_;
    // For statements that wait for locks of others: renewals of leases must not stand behind them.
    pg::pipeline waiting_connection_;
    std::unique_ptr<model> chat_model_;
    std::unique_ptr<toolbox> tools_;
    runner runs_;
    invocations answering_;
};

/// The model as it is set, one per thread: a server, or the built-in responder.
[[nodiscard]] std::unique_ptr<model> make_model(asio::io_context& context, model_settings const& config,
                                                metrics::registry& metrics);

} // namespace recruiting::auth_api::agent
