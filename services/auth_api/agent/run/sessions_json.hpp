#pragma once
#include "http/json_writer.hpp"
#include "pg/rows.hpp"

namespace recruiting::auth_api {

/// The members of a session's record without braces.
void write_session_members(http::json_writer& json, pg::rows const& rows, int row);
/// What a client that polls waits for: the run (correlationId) that status is of, its reply, and when it failed error
/// and failedCorrelationId.
void write_session_outcome(http::json_writer& json, pg::rows const& record);
/// Both come newest first and are shown in the order of the conversation.
void write_session_runs(http::json_writer& json, pg::rows const& runs);
void write_session_messages(http::json_writer& json, pg::rows const& messages, int shown);

} // namespace recruiting::auth_api
