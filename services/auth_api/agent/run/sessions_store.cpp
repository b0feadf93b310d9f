#include "auth_api/agent/run/sessions_store.hpp"

namespace recruiting::auth_api {
namespace {

// The columns of a session's record, in the order sessions_json reads them.
#define RECRUITING_SESSION_COLUMNS(status)                                                                             \
    "s.id, s.created_at, s.updated_at, s.sort_title, s.title, " status ", "                                            \
    "s.membership_id, s.credential_id, s.run_count, s.message_count, s.input_tokens, s.output_tokens, s.last_run_at"

#define RECRUITING_RUN_STATUS                                                                                          \
    "CASE WHEN status = 'in_progress' AND lease_expires_at <= now() THEN 'failed' ELSE status END"

// GET /agent/sessions/{id}: the session, and of its last run or of the one asked for the status, id and reply. A
// session has a run from its beginning on, so there is no last run only when the one asked for is none of the
// session's. Of its id the digits that hold version and variant are not compared: they are shown as RFC 9562 has them,
// and runs of an older version have others.
constexpr std::string_view record_sql =
    "SELECT " RECRUITING_SESSION_COLUMNS("l.status") ", l.id, l.reply FROM recruiting.agent_sessions s "
                                                     "LEFT JOIN LATERAL (SELECT id, reply, " RECRUITING_RUN_STATUS
                                                     " AS status FROM recruiting.agent_runs n "
                                                     "WHERE n.session_id = s.id{} ORDER BY n.started_at DESC, n.id "
                                                     "DESC LIMIT 1) AS l ON true WHERE s.id = $1::uuid";
constexpr std::string_view of_run_sql =
    " AND n.id::text LIKE overlay(overlay($2::uuid::text PLACING '_' FROM 15 FOR 1) PLACING '_' FROM 20 FOR 1)";

constexpr auto runs_sql = "SELECT id, " RECRUITING_RUN_STATUS R"sql(,
       model, started_at, finished_at, tool_call_count, input_tokens, output_tokens, credential_id
FROM recruiting.agent_runs WHERE session_id = $1::uuid ORDER BY started_at DESC, id DESC LIMIT $2::bigint
)sql";

constexpr auto position_sql = R"sql(
SELECT position FROM recruiting.agent_messages WHERE id = $2::uuid AND session_id = $1::uuid
)sql";

// The newest first, and no more than fits in so many bytes: tool results are large, and an answer holds up its thread.
// found: how many there are up to the limit, the one past it included.
constexpr std::string_view messages_sql = R"sql(
SELECT m.id, m.role, m.content, m.tool_calls, m.tool_name, m.created_at, m.found
FROM (SELECT n.*, count(*) OVER () AS found,
             sum(octet_length(n.content)) OVER (ORDER BY n.position DESC) - octet_length(n.content) AS bytes_before
      FROM (SELECT * FROM recruiting.agent_messages l WHERE l.session_id = $1::uuid AND l.position < ({})
            ORDER BY l.position DESC LIMIT $2::bigint) AS n) AS m
WHERE m.bytes_before < $3::bigint ORDER BY m.position DESC
)sql";

constexpr std::string_view every_position = "2147483647";
constexpr std::string_view position_of_sql = "SELECT b.position FROM recruiting.agent_messages b "
                                             "WHERE b.id = $4::uuid AND b.session_id = $1::uuid";

} // namespace

// GET /agent/sessions. The organization's condition repeats what row-level security adds, so that the planner reads the
// list's own index in its order. So does the role's: it is asked once, and for others nothing is read.
#define RECRUITING_EVERY_SESSION "(SELECT recruiting.has_role('admin'))"
list_shape const session_list = {
    .route = "/agent/sessions",
    .columns = RECRUITING_SESSION_COLUMNS(
        "CASE WHEN s.status = 'completed' THEN s.status ELSE " RECRUITING_SESSION_STATUS " END"),
    .from = "FROM recruiting.agent_sessions s WHERE s.organization_id = (SELECT recruiting.current_organization_id()) "
            "AND " RECRUITING_EVERY_SESSION,
    .live = "",
    .id = "s.id",
    .sorts = {{{"createdAt", "s.created_at", 1, true},
               {"updatedAt", "s.updated_at", 2, true, false}, // a member's own are sorted
               {"title", "s.sort_title", 3, false, false}}},
};

pg::statement own_sessions(pg::statement const& of_all) {
    constexpr std::string_view every = RECRUITING_EVERY_SESSION;
    constexpr std::string_view own =
        "NOT " RECRUITING_EVERY_SESSION " AND s.membership_id = (SELECT recruiting.current_member_id())";
    auto out = of_all;
    out.sql.replace(out.sql.find(every), every.size(), own);
    return out;
}

pg::statement session_record(uuid const& id, std::optional<uuid> const& run) {
    pg::statement out{std::string(record_sql), {}};
    out.sql.replace(out.sql.find("{}"), 2, run ? of_run_sql : "");
    out.params.id(id);
    if (run) out.params.id(*run);
    return out;
}

pg::statement session_runs(uuid const& session) {
    pg::statement out{runs_sql, {}};
    out.params.id(session).integer(most_runs_shown);
    return out;
}

pg::statement message_position(uuid const& session, uuid const& message) {
    pg::statement out{position_sql, {}};
    out.params.id(session).id(message);
    return out;
}

pg::statement session_messages(uuid const& session, std::optional<uuid> const& before, std::int64_t limit) {
    pg::statement out{std::string(messages_sql), {}};
    out.sql.replace(out.sql.find("{}"), 2, before ? position_of_sql : every_position);
    out.params.id(session).integer(limit + 1).integer(most_message_bytes);
    if (before) out.params.id(*before);
    return out;
}

} // namespace recruiting::auth_api
