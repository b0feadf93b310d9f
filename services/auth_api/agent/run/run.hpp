// A run as stored, what an invocation that finds one is answered, the history that a model is given, and the
// conversation of a run as a state machine: the messages so far go in, the next step comes out. Pure.
#pragma once
#include "auth/principal.hpp"
#include "auth_api/agent/model.hpp"
#include "core/ids.hpp"
#include "crypto/digest.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace recruiting::auth_api::agent {

/// The message of a failed run in responses, whatever the cause.
inline constexpr std::string_view run_error = "The agent run did not complete.";

enum class run_status { in_progress, completed, failed };

[[nodiscard]] run_status parse_run_status(std::string_view text);
[[nodiscard]] std::string_view to_string(run_status status) noexcept;

struct run_record {
    uuid id;
    uuid session_id;
    run_status status{run_status::in_progress};
    bool lease_expired{false}; // in progress, but its process has ended
    std::string reply;         // completed
    std::string failure;       // failed: for operators
    digest prompt_hash{};
};

/// What the database's state asks the next step of an invocation to be.
enum class invoke_action {
    begin,         // no other run prevents it
    answer,        // a run has this key: its state is the answer
    fail_expired,  // a run that prevents it died: record that, then read the state again
    not_found,     // no session of the caller has that id
    beyond_access, // the reply or the session holds what the caller may not read
    busy,          // the session's run is going on
};

/// What was found of the key or of the session that the invocation names.
struct found_state {
    std::optional<run_record> run; // with the key, or the one that goes on in the session
    bool session_known{false};     // where a session is named
    auth::access used;             // what tools read under, of the key's run or of the session's runs
};
/// allowed: what the caller may read now. A run that did not complete has no reply, so its state is returned to any
/// caller of its key.
[[nodiscard]] invoke_action decide(bool names_session, found_state const& found, auth::access const& allowed) noexcept;

/// The status in responses: a run whose lease ran out has failed, whether that is recorded yet or not.
[[nodiscard]] run_status effective_status(run_record const& run) noexcept;

/// A message of a session, and how its run ended.
struct stored_message {
    agent::message message;
    run_status of_run{run_status::completed};
};

/// In the order of the conversation. A run that failed may have stopped anywhere: of it only the prompt is kept, with a
/// note in the place of an answer. What stands before the first prompt (the reading was cut there) is left out.
[[nodiscard]] std::vector<message> history_of(std::span<stored_message const> stored);

/// Tool calls as they are stored and shown: [{"id","name","arguments"}]. "" for none.
[[nodiscard]] std::string tool_calls_json(std::span<tool_call const> calls);
/// Text of ours; what can't be read is no call.
[[nodiscard]] std::vector<tool_call> read_tool_calls(std::string_view json);

struct loop_limits {
    std::int64_t rounds{8};
    std::int64_t tool_calls{32};
};

/// Why a run failed; kept for operators, never shown to clients.
namespace failure {
inline constexpr std::string_view model_unavailable = "model_unavailable";
inline constexpr std::string_view model_timed_out = "model_timed_out";
inline constexpr std::string_view model_bad_response = "model_bad_response";
inline constexpr std::string_view empty_answer = "empty_answer";
inline constexpr std::string_view tool_parser_missing = "tool_parser_missing"; // the model's server left calls in text
inline constexpr std::string_view round_limit = "round_limit";
inline constexpr std::string_view run_timed_out = "run_timed_out";
inline constexpr std::string_view database_unavailable = "database_unavailable";
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
    [[nodiscard]] next_step take_result(std::string content, auth::access const& used = {});

    [[nodiscard]] std::span<message const> messages() const noexcept { return messages_; }
    [[nodiscard]] std::size_t history() const noexcept { return history_; }
    /// What is not written down yet: from the message with this index on.
    [[nodiscard]] std::span<message const> messages_from(std::size_t index) const noexcept;

    [[nodiscard]] token_usage usage() const noexcept { return usage_; }
    [[nodiscard]] std::int64_t tool_calls() const noexcept { return tool_calls_; }
    /// The scopes and the role under which the tools have read so far.
    [[nodiscard]] auth::access const& used() const noexcept { return used_; }

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
    auth::access used_;
};

} // namespace recruiting::auth_api::agent
