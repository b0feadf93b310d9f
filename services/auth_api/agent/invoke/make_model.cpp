#include "auth_api/agent/invoke/make_model.hpp"

#include "auth_api/agent/builtin/builtin_model.hpp"
#include "auth_api/agent/model/model_metrics.hpp"
#include "auth_api/agent/model/remote_model.hpp"

namespace recruiting::auth_api::agent {

std::unique_ptr<model> make_model(asio::io_context& context, model_settings const& config, metrics::registry& metrics) {
    if (config.base_url.empty()) {
        model_metrics const unused(metrics); // what is watched is there from the start, with or without a model server
        return make_builtin_model(context);
    }
    return std::make_unique<remote_model>(context, config, metrics);
}

} // namespace recruiting::auth_api::agent
