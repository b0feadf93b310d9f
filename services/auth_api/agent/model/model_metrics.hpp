// What is counted of the calls of a model server.
#pragma once
#include "auth_api/agent/model.hpp"
#include "telemetry/metrics.hpp"

#include <chrono>

namespace recruiting::auth_api::agent {

[[nodiscard]] std::string_view to_string(model_failure::kind why) noexcept;

class model_metrics {
public:
    explicit model_metrics(metrics::registry& registry);

    void called(model_result const& result, std::int64_t retries, std::chrono::nanoseconds duration);
    void breaker(bool open);

private:
    [[nodiscard]] metrics::counter& outcome(model_result const& result);

    metrics::counter& answered_;
    metrics::counter& unavailable_;
    metrics::counter& timed_out_;
    metrics::counter& bad_answer_;
    metrics::counter& cancelled_;
    metrics::counter& retries_;
    metrics::counter& input_tokens_;
    metrics::counter& output_tokens_;
    metrics::histogram& seconds_;
    metrics::gauge& breakers_open_; // of all threads
    bool open_{false};
};

} // namespace recruiting::auth_api::agent
