// A run as stored, and what an invocation that finds one is answered (specification: Agent invocation status). Pure.
#pragma once
#include "auth/principal.hpp"
#include "core/ids.hpp"
#include "crypto/digest.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace recruiting::auth_api::agent {

/// What a client is told of a failed run, whatever it died of (specification: Agent invocation, error).
inline constexpr std::string_view run_error = "The agent run did not complete.";

enum class run_status { in_progress, completed, failed };

[[nodiscard]] run_status parse_run_status(std::string_view text);
[[nodiscard]] std::string_view to_string(run_status status) noexcept;

struct run_record {
    uuid id;
    uuid session_id;
    run_status status{run_status::in_progress};
    bool lease_expired{false}; // in progress, and nobody works on it any more
    std::string reply;         // completed
    std::string failure;       // failed: for operators
    digest prompt_hash{};
};

/// What the database's state asks the next step of an invocation to be.
enum class next_move {
    begin,        // nothing stands in the way
    answer,       // a run has this key: its state is the answer
    fail_expired, // a run in the way died: write that down, then look again
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
/// allowed: what the caller may read now. A run that did not complete has no reply, so its state is told to any caller
/// of its key.
[[nodiscard]] next_move decide(bool names_session, found_state const& found, auth::reach const& allowed) noexcept;

/// The status a client is told: a run whose lease ran out is dead, whether that is written down yet or not.
[[nodiscard]] run_status told_status(run_record const& run) noexcept;

} // namespace recruiting::auth_api::agent
