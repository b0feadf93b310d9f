#pragma once
#include "auth_api/http/list_query.hpp"

#include <cstdint>

namespace recruiting::auth_api {

/// Everybody's sessions: of an admin.
extern list_shape const session_list;
/// The same page of the caller's own sessions, of everybody else: found by the member, however many sessions others
/// have.
[[nodiscard]] pg::statement own_sessions(pg::statement const& of_all);

// A run whose lease ran out is dead before the reaper writes it down: whoever is not completed has failed unless a run
// of it, of which there is one at most, is alive.
#define RECRUITING_SESSION_STATUS                                                                                      \
    "CASE WHEN (SELECT r.lease_expires_at > now() FROM recruiting.agent_runs r WHERE r.session_id = s.id "             \
    "AND r.status = 'in_progress') THEN 'in_progress' ELSE 'failed' END"
inline constexpr std::string_view session_is_completed = "s.status = ?";
inline constexpr std::string_view session_is_not_completed =
    "s.status <> 'completed' AND " RECRUITING_SESSION_STATUS " = ?";
inline constexpr std::string_view session_is_completed_or =
    "CASE WHEN s.status = 'completed' THEN s.status ELSE " RECRUITING_SESSION_STATUS " END = ?";
inline constexpr list_filter session_of_member{"memberId", "s.membership_id = ?::uuid", filter_index::ordered};

inline constexpr int most_runs_shown = 200;
inline constexpr std::int64_t most_message_bytes = 1024 * 1024;

/// The list's columns (but the status is the run's), then the id and reply of the session's last run, or of that run;
/// NULL when it is none of the session's.
[[nodiscard]] pg::statement session_record(uuid const& id, std::optional<uuid> const& run);
/// The latest runs, the newest first.
[[nodiscard]] pg::statement session_runs(uuid const& session);
/// Where a message stands in its session; no row when it is not of this session.
[[nodiscard]] pg::statement message_position(uuid const& session, uuid const& message);
/// The latest messages before that one (or of all), the newest first, of most_message_bytes together (the one that
/// passes it is the last). The last column tells how many there are, up to one more than limit.
[[nodiscard]] pg::statement session_messages(uuid const& session, std::optional<uuid> const& before,
                                             std::int64_t limit);

} // namespace recruiting::auth_api
