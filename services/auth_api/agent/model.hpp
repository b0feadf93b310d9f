// A model as the run loop sees it, and what the two exchange, in the shapes of the OpenAI chat-completions protocol. A
// model is a server that speaks this protocol, or the built-in responder; each thread has one.
#pragma once
#include "async/task.hpp"
#include "async/ticker.hpp"
#include "core/time.hpp"
#include "telemetry/span.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace recruiting::auth_api::agent {

enum class message_role { user, assistant, tool };

struct tool_call {
    std::string id; // never empty: made here when the model gave none
    std::string name;
    std::string arguments; // JSON text as the model gave it, not checked yet
    bool operator==(tool_call const&) const = default;
};

struct message {
    message_role from{message_role::user};
    std::string content;
    std::vector<tool_call> tool_calls; // assistant
    std::string tool_call_id;          // tool: which call it answers
    std::string tool_name;             // tool
    bool operator==(message const&) const = default;
};

struct token_usage {
    std::int64_t input{0};
    std::int64_t output{0};
    token_usage& operator+=(token_usage const& more) {
        input += more.input;
        output += more.output;
        return *this;
    }
    bool operator==(token_usage const&) const = default;
};

/// One answer of a model: tool calls, or a text, or both. A model's thoughts are no part of it.
struct model_reply {
    std::string content;
    std::vector<tool_call> tool_calls;
    token_usage usage;         // zero where the model does not report it
    bool calls_in_text{false}; // the text was nothing but tool calls that the model's server did not parse
};

/// A tool as it is offered to a model.
struct tool_description {
    std::string_view name;
    std::string_view text;       // for the model: what it does
    std::string_view parameters; // JSON Schema of the arguments: an object
};

/// Why no answer came. It is logged, so it holds nothing of the model's text.
struct model_failure {
    enum class kind {
        unavailable, // could not be reached, or answered 429 or 503 to the end of the retries
        timed_out,
        bad_response, // another status, not JSON, too large, of another shape
        cancelled,
    };
    kind why{kind::unavailable};
    std::string detail; // "status 500", "connect failed"
};

using model_result = std::variant<model_reply, model_failure>;

/// Ends a run from outside (lease lost, process going down): an operation that waits for long registers here.
class cancellation {
public:
    [[nodiscard]] bool requested() const noexcept { return requested_; }
    void request() {
        requested_ = true;
        if (auto const act = on_request_) act();
    }
    /// One at a time; called at once when it was requested already.
    void on_request(std::function<void()> act) {
        on_request_ = std::move(act);
        if (requested_ && on_request_) on_request_();
    }
    void forget() { on_request_ = nullptr; }

private:
    bool requested_{false};
    std::function<void()> on_request_;
};

struct model_request {
    std::span<message const> messages; // the session's history, then this run's; results of tools as they came
    std::size_t history{0};            // how many of them are the history
    std::span<tool_description const> tools;
    coarse_clock::time_point deadline;
    cancellation& cancel;
    timestamp started_at; // of the run: what "today" is counted from in each of its rounds
    tracing::parent trace{};
};

// A model decides itself what it sends besides the messages (system prompt, fences around data) and how much of the
// history fits.
class model {
public:
    virtual ~model() = default;
    /// Shown as `model` of a run.
    [[nodiscard]] virtual std::string_view name() const noexcept = 0;
    /// Asked before a run is stored: a failure means that nothing begins (503 model_unavailable).
    [[nodiscard]] virtual task<std::optional<model_failure>> check() = 0;
    /// The request's views must live until it returns.
    [[nodiscard]] virtual task<model_result> complete(model_request const& request) = 0;
};

} // namespace recruiting::auth_api::agent
