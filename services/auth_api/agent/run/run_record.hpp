// A run as stored, what an invocation that finds one is answered, and the history that a model is given. Pure.
#pragma once
#include "auth/principal.hpp"
#include "auth_api/agent/chat.hpp"
#include "core/ids.hpp"
#include "crypto/digest.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
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
    bool lease_expired{false}; // in progress, and no process works on it any more
    std::string reply;         // completed
    std::string failure;       // failed: for operators
    digest prompt_hash{};
};

/// What the database's state asks the next step of an invocation to be.
enum class next_move {
    begin,        // nothing stands in the way
    answer,       // a run has this key: its state is the answer
    fail_expired, // a run in the way died: record that, then look it up again
    not_found,    // no session of the caller has that id
    out_of_reach, // the reply or the session holds what the caller may not read
    busy,         // the session's run is going on
};

/// What was found of the key or of the session that the invocation names.
struct found_state {
    std::optional<run_record> by_key;
    bool session_known{false};
    std::optional<run_record> going_on; // of the session
    auth::reach used;                   // what tools read under, of the key's run or of the session's runs
};
/// allowed: what the caller may read now. A run that did not complete has no reply, so its state is returned to any
/// caller of its key.
[[nodiscard]] next_move decide(bool names_session, found_state const& found, auth::reach const& allowed) noexcept;

/// The status in responses: a run whose lease ran out has failed, whether that is recorded yet or not.
[[nodiscard]] run_status effective_status(run_record const& run) noexcept;

/// A message of a session, and how its run ended.
struct stored_message {
    message said;
    run_status of_run{run_status::completed};
};

/// In the order of the conversation. A run that failed may have stopped anywhere: of it only the prompt is kept, with a
/// note in the place of an answer. What stands before the first prompt (the reading was cut there) is left out.
[[nodiscard]] std::vector<message> history_of(std::span<stored_message const> stored);

/// Tool calls as they are stored and shown: [{"id","name","arguments"}]. "" for none.
[[nodiscard]] std::string tool_calls_json(std::span<tool_call const> calls);
/// Text of ours; what can't be read is no call.
[[nodiscard]] std::vector<tool_call> read_tool_calls(std::string_view json);

} // namespace recruiting::auth_api::agent
