// What POST /agent/invoke asks for (the body and the Idempotency-Key), the statements that find what exists and begin a
// run (begin_store.cpp), and how it is answered. Pure.
#pragma once
#include "auth_api/agent/run/run.hpp"
#include "auth_api/agent/toolbox.hpp"
#include "core/error.hpp"
#include "core/ids.hpp"
#include "crypto/digest.hpp"
#include "http/message.hpp"
#include "pg/params.hpp"
#include "pg/rows.hpp"

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::auth_api::agent {

struct invocation {
    std::string prompt; // UTF-8 without NUL; an API key's secret in it is masked
    digest prompt_hash{};
    std::optional<uuid> session_id;
    std::optional<std::string> key; // the Idempotency-Key as it is stored
};

/// invalid_request with every problem at once, or unsupported_media_type. most_characters bounds the prompt.
[[nodiscard]] result<invocation> read_invocation(http::request const& req, std::int64_t most_characters);

/// The value of an Idempotency-Key field: 1 to 255 printable ASCII characters; an RFC 8941 string ("abc", section
/// 3.3.3) is the same key as its content. nullopt: anything else.
[[nodiscard]] std::optional<std::string> read_idempotency_key(std::string_view field);

/// The first words of a prompt, on one line: what a session is called.
[[nodiscard]] std::string session_title(std::string_view prompt);

/// The response for a run as it is stored.
struct run_view {
    bool with_reply; // false, of the console: 202 while the run goes on, and no reply, which the session has
    bool replay;
    bool other_prompt;
};
[[nodiscard]] http::response render_run(run_record const& run, run_view const& view);

/// Behind auth::authenticate: the run with this Idempotency-Key of the caller (an API key; in the console the member),
/// and what its tools have read under.
[[nodiscard]] pg::statement find_run_by_key(std::string_view key, auth::credential const& of);
/// Behind auth::authenticate: the caller's own session, the run that is going on in it if there is one, and what the
/// tools of all its runs have read under.
[[nodiscard]] pg::statement find_session(uuid const& session_id);
/// Reads what find_run_by_key or find_session found.
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
    taken,        // a run with that key, or another one of that session, was quicker, perhaps with wider access
    crowded,      // the organization has as many runs as it may
    queued,       // another one of the organization is just beginning: ask again
};
/// A whole segment: authenticates, and stores session, run, prompt and the audit row agent.run_started, or nothing. The
/// same segment sent again after it was committed returns begun_before.
[[nodiscard]] std::vector<pg::statement> begin_run(new_run const& run);
[[nodiscard]] begin_outcome read_begin_outcome(std::span<pg::rows const> results);

} // namespace recruiting::auth_api::agent
