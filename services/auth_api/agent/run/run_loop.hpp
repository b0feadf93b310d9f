// The conversation of one run as a state machine without I/O: what was said so far goes in, the next step comes out.
// The limits hold whatever a model says: rounds (calls of the model) and tool calls.
#pragma once
#include "auth/principal.hpp"
#include "auth_api/agent/chat.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace recruiting::auth_api::agent {

struct loop_limits {
    std::int64_t rounds{8};
    std::int64_t tool_calls{32};
};

/// Why a run failed; kept for operators, never shown to clients.
namespace failure {
inline constexpr std::string_view model_unavailable = "model_unavailable";
inline constexpr std::string_view model_timed_out = "model_timed_out";
inline constexpr std::string_view model_bad_answer = "model_bad_answer";
inline constexpr std::string_view empty_answer = "empty_answer";
inline constexpr std::string_view round_limit = "round_limit";
inline constexpr std::string_view run_timed_out = "run_timed_out";
inline constexpr std::string_view database_away = "database_away";
inline constexpr std::string_view lease_lost = "lease_lost";
inline constexpr std::string_view lease_expired = "lease_expired"; // written by the reaper
inline constexpr std::string_view shut_down = "shut_down";
inline constexpr std::string_view internal = "internal_error";
} // namespace failure

struct ask_model {
    bool with_tools{true}; // false: the last round, only a text can come of it
};
struct call_tool {
    tool_call wanted;
};
struct run_completed {
    std::string reply;
};
struct run_failed {
    std::string_view why; // one of failure::
};
using next_step = std::variant<ask_model, call_tool, run_completed, run_failed>;

class run_loop {
public:
    run_loop(std::vector<message> history, std::string prompt, loop_limits limits);

    /// The first step.
    [[nodiscard]] next_step start();
    /// Each takes what the last step brought and gives the next one.
    [[nodiscard]] next_step take_reply(model_reply reply);
    [[nodiscard]] next_step take_result(std::string content, auth::reach const& used = {});

    [[nodiscard]] std::span<message const> messages() const noexcept { return messages_; }
    [[nodiscard]] std::size_t history() const noexcept { return history_; }
    /// What is not written down yet: from the message with this index on.
    [[nodiscard]] std::span<message const> messages_from(std::size_t index) const noexcept;

    [[nodiscard]] token_usage usage() const noexcept { return usage_; }
    [[nodiscard]] std::int64_t tool_calls() const noexcept { return tool_calls_; }
    /// Under which the tools have read so far.
    [[nodiscard]] auth::reach const& used() const noexcept { return used_; }

private:
    [[nodiscard]] next_step next_call_or_round();
    void add_result(tool_call const& answered, std::string content);

    std::vector<message> messages_;
    std::size_t history_;
    loop_limits limits_;
    std::vector<tool_call> pending_; // of the last reply, the next one first
    std::size_t next_pending_{0};
    std::int64_t rounds_{0};
    std::int64_t tool_calls_{0};
    token_usage usage_;
    auth::reach used_;
};

} // namespace recruiting::auth_api::agent
