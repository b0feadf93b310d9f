// GET /agent/sessions, GET /agent/sessions/{id}. Row-level security decides whose sessions the caller may read.
#include "auth_api/agent/run/run.hpp"
#include "auth_api/http/list_builder.hpp"
#include "auth_api/resources/endpoints.hpp"
#include "auth_api/resources/shared_fields.hpp"

#include <algorithm>

namespace recruiting::auth_api {
namespace {

// The columns of a session's record.
#define RECRUITING_SESSION_COLUMNS(status)                                                                             \
    "s.id, s.title, " status ", s.membership_id, s.credential_id, s.run_count, s.message_count, s.input_tokens, "      \
    "s.output_tokens, s.created_at, s.updated_at, s.last_run_at"

#define RECRUITING_RUN_STATUS                                                                                          \
    "CASE WHEN status = 'in_progress' AND lease_expires_at <= now() THEN 'failed' ELSE status END"

// GET /agent/sessions/{id}: the session, and of its last run or of the one asked for the status, id and reply. A
// session has a run from its beginning on, so there is no last run only when the one asked for is none of the
// session's.
constexpr std::string_view session_sql = "SELECT l.id::text, l.reply, l.status, " RECRUITING_SESSION_COLUMNS(
    "l.status") " FROM recruiting.agent_sessions s "
                "LEFT JOIN LATERAL (SELECT id, reply, " RECRUITING_RUN_STATUS " AS status FROM recruiting.agent_runs n "
                "WHERE n.session_id = s.id{} ORDER BY n.started_at DESC, n.id "
                "DESC LIMIT 1) AS l ON true WHERE s.id = $1::uuid";
constexpr std::string_view of_run_condition = " AND n.id = $2::uuid";

// The latest runs, the newest first. A correlation id is shown as a UUID of RFC 9562, other ids without dashes.
constexpr auto runs_sql = "SELECT id::text, " RECRUITING_RUN_STATUS R"sql(,
       model, started_at, finished_at, tool_call_count, input_tokens, output_tokens, credential_id
FROM recruiting.agent_runs WHERE session_id = $1::uuid ORDER BY started_at DESC, agent_runs.id DESC LIMIT $2::bigint
)sql";
constexpr int most_runs_shown = 200;

// No row when the message is not of this session.
constexpr auto message_position_sql = R"sql(
SELECT position FROM recruiting.agent_messages WHERE id = $2::uuid AND session_id = $1::uuid
)sql";

// The newest first, up to so many bytes: tool results are large, and writing an answer blocks its thread.
// found: how many there are up to the limit, the one past it included.
constexpr std::string_view messages_sql = R"sql(
SELECT m.found, m.id, m.role, m.content, m.tool_calls, m.tool_name, m.created_at
FROM (SELECT n.*, count(*) OVER () AS found,
             sum(octet_length(n.content)) OVER (ORDER BY n.position DESC) - octet_length(n.content) AS bytes_before
      FROM (SELECT * FROM recruiting.agent_messages l WHERE l.session_id = $1::uuid AND l.position < ({})
            ORDER BY l.position DESC LIMIT $2::bigint) AS n) AS m
WHERE m.bytes_before < $3::bigint ORDER BY m.position DESC
)sql";

constexpr std::int64_t most_message_bytes = 1024 * 1024;
constexpr std::string_view every_position = "2147483647";
constexpr std::string_view position_of_sql = "SELECT b.position FROM recruiting.agent_messages b "
                                             "WHERE b.id = $4::uuid AND b.session_id = $1::uuid";

// A run whose lease ran out is dead before the reaper writes it down: a session that is not completed has failed,
// unless one of its runs (one at most) is alive.
#define RECRUITING_SESSION_STATUS                                                                                      \
    "CASE WHEN (SELECT r.lease_expires_at > now() FROM recruiting.agent_runs r WHERE r.session_id = s.id "             \
    "AND r.status = 'in_progress') THEN 'in_progress' ELSE 'failed' END"
constexpr std::string_view session_is_completed = "s.status = ?";
constexpr std::string_view session_is_not_completed = "s.status <> 'completed' AND " RECRUITING_SESSION_STATUS " = ?";
constexpr std::string_view session_is_completed_or =
    "CASE WHEN s.status = 'completed' THEN s.status ELSE " RECRUITING_SESSION_STATUS " END = ?";

// GET /agent/sessions. Conditions repeat what row-level security adds: the organization's so that the planner reads the
// list's own index in its order, and the role's, asked once, so that nothing is read for the other callers. Members who
// are no admins read their own sessions, found by the member, however many sessions others have.
#define RECRUITING_SESSIONS                                                                                            \
    "FROM recruiting.agent_sessions s WHERE s.organization_id = (SELECT recruiting.current_organization_id()) AND "
#define RECRUITING_EVERY_SESSION "(SELECT recruiting.has_role('admin'))"
list_shape const session_list = {
    .route = "/agent/sessions",
    .columns = RECRUITING_SESSION_COLUMNS(
        "CASE WHEN s.status = 'completed' THEN s.status ELSE " RECRUITING_SESSION_STATUS " END"),
    .from = RECRUITING_SESSIONS RECRUITING_EVERY_SESSION,
    .live = "",
    .id = "s.id",
    .sorts = {{{"createdAt", "s.created_at", true},
               {"updatedAt", "s.updated_at", true, false}, // a member's own are sorted
               {"title", "s.sort_title", false, false}}},
    .own = RECRUITING_SESSIONS "NOT " RECRUITING_EVERY_SESSION
                               " AND s.membership_id = (SELECT recruiting.current_member_id())",
};
#undef RECRUITING_SESSIONS
#undef RECRUITING_EVERY_SESSION

constexpr list_filter session_filters[] = {
    {"memberId", http::read_ids, "s.membership_id = ?::uuid", filter_index::ordered},
};

pg::statement session_record(uuid const& id, std::optional<uuid> const& run) {
    pg::statement out{std::string(session_sql), {}};
    out.sql.replace(out.sql.find("{}"), 2, run ? of_run_condition : "");
    out.params.id(id);
    if (run) out.params.id(*run);
    return out;
}

pg::statement session_messages(uuid const& session, std::optional<uuid> const& before, std::int64_t limit) {
    pg::statement out{std::string(messages_sql), {}};
    out.sql.replace(out.sql.find("{}"), 2, before ? position_of_sql : every_position);
    out.params.id(session).integer(limit + 1).integer(most_message_bytes);
    if (before) out.params.id(*before);
    return out;
}

void write_usage(http::json_writer& json, pg::row& row) {
    json.key("usage");
    write_object(json, row, {"inputTokens", "outputTokens"});
}

void write_message(http::json_writer& json, pg::row row) {
    json.open_object();
    write_columns(json, row, {"id", "role", "content"});
    json.key("toolCalls").raw(row.optional_text().value_or("null"));
    write_columns(json, row, {"toolName", "createdAt"});
    json.close_object();
}

void write_session_members(http::json_writer& json, pg::row row) {
    write_columns(json, row, {"id", "title", "status", "memberId", "credentialId", "runCount", "messageCount"});
    write_usage(json, row);
    write_columns(json, row, {"createdAt", "updatedAt", "lastRunAt"});
}

// The session, and what a client that polls waits for: the run (correlationId) that status is of, its reply, and when
// it failed error and failedCorrelationId.
void write_session_and_outcome(http::json_writer& json, pg::row record) {
    auto const run = record.text();
    auto const reply = record.optional_text();
    bool const has_failed = record.text() == "failed";
    write_session_members(json, record);
    json.field("correlationId", run).field("reply", reply);
    if (has_failed) json.field("error", agent::run_error).field("failedCorrelationId", run);
}

// Runs and messages come newest first and are shown in the order of the conversation.
void write_session_runs(http::json_writer& json, pg::rows const& runs) {
    json.key("runs").open_array();
    for (int number = runs.size() - 1; number >= 0; --number) {
        auto row = runs[number];
        json.open_object();
        write_columns(json, row, {"correlationId", "status", "model", "startedAt", "finishedAt", "toolCallCount"});
        write_usage(json, row);
        write_columns(json, row, {"credentialId"});
        json.close_object();
    }
    json.close_array();
}

void write_session_messages(http::json_writer& json, pg::rows const& messages, int shown) {
    json.key("messages").open_array();
    for (int number = shown - 1; number >= 0; --number) write_message(json, messages[number].from(1));
    json.close_array();
}

constexpr std::int64_t most_messages = 1000;
constexpr std::int64_t default_messages = 500;

// Whether a session has failed depends on its last run's lease: read only where the filter may mean a failed one.
std::string_view session_has_status(http::value_list const& statuses) {
    bool const completed = std::ranges::find(statuses, "completed") != statuses.end();
    if (!completed) return session_is_not_completed;
    return statuses.size() == 1 ? session_is_completed : session_is_completed_or;
}

void write_session(http::json_writer& json, list_record const& record) {
    json.open_object();
    write_session_members(json, record.row);
    json.close_object();
}

// results: record, runs, messages, and where the message of messagesBefore stands when it was given.
result<void> render_session(std::span<pg::rows const> results, std::int64_t limit, http::response& answer) {
    auto const& record = results[0];
    auto const& messages = results[2];
    if (record.empty()) return make_error(error_code::not_found);
    if (record.is_null(0, 0))
        return invalid_request({{"query", "correlationId", "unknown", "This session has no such run."}});
    if (results.size() > 3 && results[3].empty())
        return invalid_request({{"query", "messagesBefore", "invalid", "This session has no such message."}});
    http::json_writer json(answer.body);
    json.open_object().key("data").open_object();
    write_session_and_outcome(json, record[0]);
    write_session_runs(json, results[1]);
    int const shown = std::min(messages.size(), static_cast<int>(limit));
    bool const more = shown > 0 && messages.integer(0, 0) > shown;
    write_session_messages(json, messages, shown);
    json.field("hasMoreMessages", more).close_object().close_object();
    return {};
}

} // namespace

result<prepared_read> list_sessions(bind_input& in) {
    list_builder list(in, session_list);
    if (auto const statuses = http::read_choices(in.query, "status", {"in_progress", "completed", "failed"}))
        list.filter({"status", nullptr, session_has_status(*statuses)}, *statuses);
    list.filter(session_filters);
    return list.read(write_session);
}

result<prepared_read> get_session(bind_input& in) {
    auto const limit = in.query.integer("messagesLimit", 1, most_messages).value_or(default_messages);
    auto const before = in.query.id("messagesBefore");
    auto const run = in.query.id("correlationId");
    if (auto const checked = finish_query(in); !checked) return checked.error();
    auto const id = path_id(in);
    if (!id) return id.error();
    std::vector<pg::statement> statements{session_record(*id, run),
                                          {runs_sql, pg::params().id(*id).integer(most_runs_shown)},
                                          session_messages(*id, before, limit)};
    if (before) statements.push_back({message_position_sql, pg::params().id(*id).id(*before)});
    return prepared_read{std::move(statements),
                         [limit](std::span<pg::rows const> results, render_context const&, http::response& answer) {
                             return render_session(results, limit, answer);
                         }};
}

} // namespace recruiting::auth_api
