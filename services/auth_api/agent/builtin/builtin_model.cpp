#include "auth_api/agent/builtin/builtin_model.hpp"

#include "auth_api/agent/builtin/respond.hpp"

#include <boost/asio/post.hpp>

namespace recruiting::auth_api::agent {
namespace {

class builtin_model final : public model {
public:
    explicit builtin_model(asio::io_context& context) : executor_(context.get_executor()) {}

    [[nodiscard]] std::string_view name() const noexcept override { return "builtin"; }

    [[nodiscard]] task<std::optional<model_failure>> check() override { co_return std::nullopt; }

    // Gives its turn away first, as a model server would: whoever waits on this thread is served between two steps.
    [[nodiscard]] task<model_result> complete(model_request const& request) override {
        co_await asio::post(executor_, use_task);
        if (request.cancel.requested()) co_return model_failure{model_failure::kind::cancelled, "cancelled"};
        co_return responder::respond({request.messages, request.history, request.tools, request.started_at});
    }

private:
    io_executor executor_;
};

} // namespace

std::unique_ptr<model> make_builtin_model(asio::io_context& context) {
    return std::make_unique<builtin_model>(context);
}

} // namespace recruiting::auth_api::agent
