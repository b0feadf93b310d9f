// The SQL with which an invocation finds what exists and begins a run, in segments that begin with auth::authenticate.
#pragma once
#include "auth_api/agent/run/run.hpp"
#include "auth_api/agent/toolbox.hpp"
#include "pg/params.hpp"
#include "pg/rows.hpp"

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::auth_api::agent {

/// The run with this Idempotency-Key of the caller (an API key; in the console the member), and what its tools have
/// read under.
[[nodiscard]] pg::statement find_run_by_key(std::string_view key, auth::credential const& of);
/// The caller's own session, the run that is going on in it if there is one, and what the tools of all its runs have
/// read under.
[[nodiscard]] pg::statement find_session(uuid const& session_id);
/// Of either.
[[nodiscard]] found_state read_found(pg::rows const& rows);

struct new_run {
    run_context const& context;
    std::optional<std::string> key;
    digest prompt_hash{};
    std::string title; // of a new session
    std::string_view model;
    std::chrono::milliseconds lease{};
    std::int64_t most_of_organization{0};
};
enum class begin_outcome {
    begun,
    begun_before, // by this very segment, whose answer got lost
    refused,      // the key or the role stopped allowing it meanwhile
    taken,        // a run with that key, or another one of that session, was quicker, perhaps with a wider reach
    crowded,      // the organization has as many runs as it may
    queued,       // another one of the organization is just beginning: ask again
};
/// A whole segment: authenticates, and stores session, run, prompt and the audit row agent.run_started, or nothing. The
/// same segment sent again after it was committed returns begun_before.
[[nodiscard]] std::vector<pg::statement> begin_run(new_run const& run);
[[nodiscard]] begin_outcome read_begin_outcome(std::span<pg::rows const> results);

} // namespace recruiting::auth_api::agent
