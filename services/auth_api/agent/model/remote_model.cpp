#include "auth_api/agent/model/remote_model.hpp"

#include "auth_api/agent/model/chat_completion.hpp"
#include "core/log.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "crypto/digest.hpp"

#include <algorithm>
#include <utility>

namespace recruiting::auth_api::agent {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;

constexpr std::chrono::seconds fresh{10}; // a server that answered so shortly ago need not be asked whether it is there
constexpr std::size_t tool_frame = 64;    // bytes around a tool's description
constexpr std::size_t secret_size = 32;
constexpr std::size_t id_size = 8;

// Of each model_failure::kind, then of an answer.
constexpr std::array<std::string_view, 5> outcome_names = {"unavailable", "timed_out", "bad_response", "cancelled",
                                                           "answered"};

std::string_view to_string(model_failure::kind why) noexcept { return outcome_names[static_cast<std::size_t>(why)]; }

// Nothing that was asked or answered: how much it was, and how it went.
tracing::span begin_span(model_settings const& config, tracing::parent const& under) {
    tracing::span made(under, tracing::span_kind::client, "chat");
    if (!made) return made;
    made.rename("chat " + config.name).set("gen_ai.operation.name", "chat").set("gen_ai.provider.name", "openai");
    made.set("gen_ai.request.model", config.name).set("gen_ai.request.max_tokens", config.response_tokens);
    auto const begin = config.base_url.find("://") + 3;
    made.set_server(std::string_view(config.base_url).substr(begin, config.base_url.find('/', begin) - begin));
    return made;
}

void end_span(tracing::span& of, call_outcome const& outcome, model_result const& result) {
    if (!of) return;
    if (auto const* const answer = std::get_if<transfer::http_answer>(&outcome.result))
        of.set("http.response.status_code", answer->status);
    if (outcome.retries > 0) of.set("http.request.resend_count", outcome.retries);
    if (auto const* const reply = std::get_if<model_reply>(&result)) {
        of.set("gen_ai.usage.input_tokens", reply->usage.input).set("gen_ai.usage.output_tokens", reply->usage.output);
        of.set("recruiting.tool_calls", reply->tool_calls.size());
    } else {
        of.fail(to_string(std::get<model_failure>(result).why));
    }
    of.end();
}

std::string today() { return format_time(system_time().now()).substr(0, 10); }

void log_failed_call(char const* event, model_failure const& failed, std::int64_t retries, milliseconds duration) {
    if (failed.why == model_failure::kind::cancelled) return;
    log::warning(event, {{"kind", to_string(failed.why)},
                         {"detail", std::string_view(failed.detail)},
                         {"retries", retries},
                         {"durationMs", duration.count()}});
}

// What a server is there for at all, as opposed to a proxy in front of it.
bool reachable(transfer::http_result const& result) noexcept {
    if (auto const* const failed = std::get_if<transfer::http_failure>(&result))
        return failed->why == transfer::http_failure::kind::too_large;
    auto const* const answer = std::get_if<transfer::http_answer>(&result);
    return answer->status != 429 && answer->status != 502 && answer->status != 503 && answer->status != 504;
}

std::size_t size_of(std::span<tool_description const> tools) noexcept {
    std::size_t size = 0;
    for (auto const& tool : tools) size += tool.name.size() + tool.text.size() + tool.parameters.size() + tool_frame;
    return size;
}

std::array<metrics::counter*, 5> make_outcomes(metrics::registry& registry) {
    std::array<metrics::counter*, 5> out{};
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = &registry.add_counter("recruiting_agent_model_calls_total",
                                       "Calls to the model server and failed checks of it, retries not counted.",
                                       "outcome=\"" + std::string(outcome_names[i]) + "\"");
    return out;
}

metrics::counter& tokens(metrics::registry& registry, std::string const& kind) {
    return registry.add_counter("recruiting_agent_model_tokens_total", "Tokens, as the model server counts them.",
                                "kind=\"" + kind + "\"");
}

} // namespace

remote_model::remote_model(asio::io_context& context, model_settings const& config, metrics::registry& metrics)
    : config_(config), metrics_(metrics), engine_(context), secret_(random_bytes(secret_size)) {}

task<std::optional<model_failure>> remote_model::check() {
    auto const begun = coarse_clock::now();
    if (answered_ && begun - *answered_ < fresh) co_return std::nullopt;
    cancellation never;
    auto request = server_request(config_, "/models", {});
    auto const deadline = begun + config_.connect_timeout;
    auto const outcome = co_await call_server(engine_, std::move(request), 0, deadline, never);
    if (reachable(outcome.result)) co_return std::nullopt;
    auto failed = failure_of(outcome.result).value_or(model_failure{});
    failed.why = model_failure::kind::unavailable; // whatever it was, no run begins
    auto const took = coarse_clock::now() - begun;
    log_failed_call("model_check_failed", failed, 0, duration_cast<milliseconds>(took));
    metrics_.called(failed, 0, took);
    co_return failed;
}

std::string remote_model::body_of(model_request const& request) const {
    auto const prompt = request.history < request.messages.size() ? request.messages[request.history].content : "";
    fence const around_data(fence_nonce(secret_, prompt));
    auto const instructions = system_prompt(around_data, today());
    auto const taken = estimate_tokens(instructions.size() + size_of(request.tools)) + config_.response_tokens;
    auto const messages = fit_context(request.messages, request.history, config_.context_tokens - taken);
    return chat_request_json({config_.name, instructions, messages, request.tools, config_.response_tokens},
                             around_data);
}

model_result remote_model::read(transfer::http_result const& result) {
    if (auto failed = failure_of(result)) return std::move(*failed);
    auto const prefix = "call_" + to_hex(random_bytes(id_size)) + "_";
    return read_chat_answer(std::get<transfer::http_answer>(result).body, prefix);
}

task<model_result> remote_model::complete(model_request const& request) {
    auto const begun = coarse_clock::now();
    auto const deadline = std::min(begun + config_.call_timeout, request.deadline);
    auto asked = server_request(config_, "/chat/completions", body_of(request));
    auto span = begin_span(config_, request.trace);
    auto const outcome = co_await call_server(engine_, std::move(asked), config_.retries, deadline, request.cancel);
    auto result = read(outcome.result);
    end_span(span, outcome, result);
    auto const now = coarse_clock::now();
    auto const* const failed = std::get_if<model_failure>(&result);
    if (failed == nullptr) answered_ = now;
    else answered_.reset();
    if (failed != nullptr)
        log_failed_call("model_call_failed", *failed, outcome.retries, duration_cast<milliseconds>(now - begun));
    metrics_.called(result, outcome.retries, now - begun);
    co_return result;
}

model_metrics::model_metrics(metrics::registry& registry)
    : outcomes_(make_outcomes(registry)),
      retries_(
          registry.add_counter("recruiting_agent_model_retries_total", "Calls to the model server that were retried.")),
      input_tokens_(tokens(registry, "input")), output_tokens_(tokens(registry, "output")),
      seconds_(registry.add_histogram("recruiting_agent_model_call_duration_seconds",
                                      "Duration of calls to the model server, with their retries.", "",
                                      metrics::slow_bounds)) {}

void model_metrics::called(model_result const& result, std::int64_t retries, std::chrono::nanoseconds duration) {
    auto const* const failed = std::get_if<model_failure>(&result);
    outcomes_.at(failed == nullptr ? outcomes_.size() - 1 : static_cast<std::size_t>(failed->why))->add();
    retries_.add(static_cast<std::uint64_t>(retries));
    seconds_.observe(duration);
    auto const* const reply = std::get_if<model_reply>(&result);
    if (reply == nullptr) return;
    input_tokens_.add(static_cast<std::uint64_t>(reply->usage.input));
    output_tokens_.add(static_cast<std::uint64_t>(reply->usage.output));
}

} // namespace recruiting::auth_api::agent
