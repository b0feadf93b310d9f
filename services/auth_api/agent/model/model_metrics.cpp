#include "auth_api/agent/model/model_metrics.hpp"

#include <utility>

namespace recruiting::auth_api::agent {
namespace {

metrics::counter& calls(metrics::registry& registry, std::string const& outcome) {
    return registry.add_counter("recruiting_agent_model_calls_total", "Calls of the model server, retries not counted.",
                                "outcome=\"" + outcome + "\"");
}

metrics::counter& tokens(metrics::registry& registry, std::string const& kind) {
    return registry.add_counter("recruiting_agent_model_tokens_total", "Tokens as the model server counts them.",
                                "kind=\"" + kind + "\"");
}

} // namespace

std::string_view to_string(model_failure::kind why) noexcept {
    switch (why) {
    case model_failure::kind::unavailable: return "unavailable";
    case model_failure::kind::timed_out: return "timed_out";
    case model_failure::kind::bad_answer: return "bad_answer";
    case model_failure::kind::cancelled: return "cancelled";
    }
    return "";
}

model_metrics::model_metrics(metrics::registry& registry)
    : answered_(calls(registry, "answered")), unavailable_(calls(registry, "unavailable")),
      timed_out_(calls(registry, "timed_out")), bad_answer_(calls(registry, "bad_answer")),
      cancelled_(calls(registry, "cancelled")),
      retries_(registry.add_counter("recruiting_agent_model_retries_total", "Calls of the model server repeated.")),
      input_tokens_(tokens(registry, "input")), output_tokens_(tokens(registry, "output")),
      seconds_(registry.add_histogram("recruiting_agent_model_call_duration_seconds",
                                      "How long calls of the model server took, with their retries.", "",
                                      metrics::slow_bounds)),
      breakers_open_(registry.add_gauge("recruiting_agent_model_breaker_open",
                                        "Threads that call the model server no more for a while.")) {}

metrics::counter& model_metrics::outcome(model_result const& result) {
    auto const* const failed = std::get_if<model_failure>(&result);
    if (failed == nullptr) return answered_;
    switch (failed->why) {
    case model_failure::kind::unavailable: return unavailable_;
    case model_failure::kind::timed_out: return timed_out_;
    case model_failure::kind::bad_answer: return bad_answer_;
    case model_failure::kind::cancelled: break;
    }
    return cancelled_;
}

void model_metrics::called(model_result const& result, std::int64_t retries, std::chrono::nanoseconds duration) {
    outcome(result).add();
    retries_.add(static_cast<std::uint64_t>(retries));
    seconds_.observe(duration);
    auto const* const reply = std::get_if<model_reply>(&result);
    if (reply == nullptr) return;
    input_tokens_.add(static_cast<std::uint64_t>(reply->usage.input));
    output_tokens_.add(static_cast<std::uint64_t>(reply->usage.output));
}

void model_metrics::breaker(bool open) {
    if (std::exchange(open_, open) != open) breakers_open_.add(open ? 1 : -1);
}

} // namespace recruiting::auth_api::agent
