// A model server that speaks the OpenAI chat-completions protocol, as the run loop's model: prompt, fences and context
// before the call; deadline and retries around it; tolerant reading after it. Its log lines and metrics hold
// no text of a message.
#pragma once
#include "auth_api/agent/agent_settings.hpp"
#include "auth_api/agent/model.hpp"
#include "auth_api/agent/model/model_call.hpp"
#include "telemetry/metrics.hpp"
#include "transfer/http_exchange.hpp"

#include <array>
#include <chrono>
#include <optional>

namespace recruiting::auth_api::agent {

class model_metrics {
public:
    explicit model_metrics(metrics::registry& registry);

    void called(model_result const& result, std::int64_t retries, std::chrono::nanoseconds duration);

private:
    std::array<metrics::counter*, 5> outcomes_; // of each model_failure::kind, then of answers
    metrics::counter& retries_;
    metrics::counter& input_tokens_;
    metrics::counter& output_tokens_;
    metrics::histogram& seconds_;
};

class remote_model final : public model {
public:
    remote_model(asio::io_context& context, model_settings const& config, metrics::registry& metrics);

    [[nodiscard]] std::string_view name() const noexcept override { return config_.name; }
    [[nodiscard]] task<std::optional<model_failure>> check() override;
    [[nodiscard]] task<model_result> complete(model_request const& request) override;

private:
    [[nodiscard]] std::string body_of(model_request const& request) const;
    [[nodiscard]] model_result read(transfer::http_result const& result);

    model_settings config_;
    model_metrics metrics_;
    transfer::engine engine_;
    std::optional<coarse_clock::time_point> answered_; // the last call, if it did not fail
    std::string secret_;                               // of the fences' nonces
};

} // namespace recruiting::auth_api::agent
