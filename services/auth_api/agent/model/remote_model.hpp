// A model server that speaks the OpenAI chat-completions protocol, as the run loop's model: prompt, fences and context
// before the call; deadline and retries around it (model_call.cpp); tolerant reading after it. Its log lines and
// metrics hold no text of a message.
#pragma once
#include "auth_api/agent/agent_settings.hpp"
#include "auth_api/agent/model.hpp"
#include "telemetry/metrics.hpp"
#include "transfer/http_exchange.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>

namespace recruiting::auth_api::agent {

struct retry_state {
    std::int64_t retries{0}; // made so far
    std::int64_t limit{0};
    std::chrono::milliseconds left{0}; // to the deadline
    double jitter{0};                  // from 0 to 1, new for each try
};

/// How long to wait before the next try. Only a call that the server surely did not begin to work on is repeated: after
/// a failed connect, 429 or 503. nullopt: no further try, because it may have been worked on, too many were made, or
/// the wait would not leave any time. The wait doubles from one to the next, half of it by chance so that many callers
/// don't return at once; a server that sends Retry-After is not asked earlier.
[[nodiscard]] std::optional<std::chrono::milliseconds> retry_pause(transfer::http_result const& failed,
                                                                   retry_state const& state) noexcept;

struct call_outcome {
    transfer::http_result result;
    std::int64_t retries{0};
};

/// Repeats what retry_pause lets repeat, until the deadline. cancel ends it at once.
[[nodiscard]] task<call_outcome> call_server(transfer::engine& engine, transfer::http_request request,
                                             std::int64_t retries, coarse_clock::time_point deadline,
                                             cancellation& cancel);

/// The request of a GET (no body) or a POST, with the key, the proxy and the limits.
[[nodiscard]] transfer::http_request server_request(model_settings const& config, std::string_view path,
                                                    std::string body);

/// What a failed call is to the run. nullopt: it has a body to be read.
[[nodiscard]] std::optional<model_failure> failure_of(transfer::http_result const& result);

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
