#include "auth_api/agent/invoke/agent.hpp"

#include "audit/batcher.hpp"
#include "auth_api/agent/builtin/builtin_model.hpp"
#include "auth_api/agent/model/remote_model.hpp"
#include "auth_api/agent/tools/api_tools.hpp"

namespace recruiting::auth_api::agent {

struct agent::parts {
    explicit parts(dependencies const& needs)
        : connection(needs.context, needs.clock, needs.connection),
          waiting_connection(needs.context, needs.clock, needs.connection),
          chat_model(make_model(needs.context, needs.settings.model, needs.metrics)),
          tools(make_toolbox(
              {needs.reads, needs.signer, waiting_connection, needs.audit, needs.settings, needs.metrics})),
          runs({needs.context, connection, *chat_model, *tools, needs.settings, needs.metrics}),
          answering({needs.settings, needs.reads, needs.signer, waiting_connection, *chat_model, runs}) {}

    pg::pipeline connection;
    // For statements that wait for locks of others: renewals of leases must not stand behind them.
    pg::pipeline waiting_connection;
    std::unique_ptr<model> chat_model;
    std::unique_ptr<toolbox> tools;
    runner runs;
    invocations answering;
};

agent::agent(dependencies needs) : parts_(std::make_unique<parts>(needs)) {}

agent::~agent() { parts_->runs.stop(); }

invocations& agent::answering() noexcept { return parts_->answering; }

bool agent::ready() const noexcept { return parts_->connection.ready() && parts_->waiting_connection.ready(); }

void agent::drain(std::chrono::milliseconds limit) { parts_->runs.drain(limit); }

std::unique_ptr<model> make_model(asio::io_context& context, model_settings const& config, metrics::registry& metrics) {
    if (config.base_url.empty()) {
        model_metrics const unused(metrics); // what is watched is there from the start, with or without a model server
        return make_builtin_model(context);
    }
    return std::make_unique<remote_model>(context, config, metrics);
}

} // namespace recruiting::auth_api::agent
