#include "auth_api/agent/invoke/agent.hpp"

#include "audit/batcher.hpp"
#include "auth_api/agent/builtin/builtin_model.hpp"
#include "auth_api/agent/model/remote_model.hpp"
#include "auth_api/agent/tools/api_tools.hpp"

namespace recruiting::auth_api::agent {

agent::agent(dependencies needs)
    : connection_(needs.context, needs.clock, needs.connection),
      waiting_connection_(needs.context, needs.clock, needs.connection),
      chat_model_(make_model(needs.context, needs.settings.model, needs.metrics)),
      tools_(
          make_toolbox({needs.reads, needs.signer, waiting_connection_, needs.audit, needs.settings, needs.metrics})),
      runs_({needs.context, connection_, *chat_model_, *tools_, needs.settings, needs.metrics}),
      answering_({needs.settings, needs.reads, needs.signer, waiting_connection_, *chat_model_, runs_}) {}

std::unique_ptr<model> make_model(asio::io_context& context, model_settings const& config, metrics::registry& metrics) {
    if (config.base_url.empty()) {
        model_metrics const unused(metrics); // its metrics exist from the start, with or without a model server
        return make_builtin_model(context);
    }
    return std::make_unique<remote_model>(context, config, metrics);
}

} // namespace recruiting::auth_api::agent
