#include "auth_api/agent/run/run_store.hpp"

#include "auth_api/background/clocks.hpp"
#include "pg/periodic_task.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace recruiting::auth_api::agent {
namespace {

// Only the agent's worker may lock runs (policy runner); the conditions keep it to the caller's own. As all that owners
// write, not in the last tenth of the lease (run_store).
constexpr auto hold_sql = R"sql(
SELECT r.id FROM recruiting.agent_runs r
WHERE r.id = $1::uuid AND r.lease_owner = $2::uuid AND r.status = 'in_progress'
  AND r.lease_expires_at > clock_timestamp() + $3::bigint / 10 * interval '1 millisecond'
  AND r.organization_id = (SELECT recruiting.current_organization_id())
  AND r.membership_id = (SELECT recruiting.current_member_id())
FOR NO KEY UPDATE
)sql";

// The change runs whatever the lock found, so it asks again; row-level security limits it to the organization.
constexpr auto held_condition = R"sql(EXISTS (
    SELECT FROM recruiting.agent_runs r
    WHERE r.id = ?::uuid AND r.lease_owner = ?::uuid AND r.status = 'in_progress'
      AND r.lease_expires_at > clock_timestamp() + ?::bigint / 10 * interval '1 millisecond'
      AND r.membership_id = (SELECT recruiting.current_member_id()))
    AND (SELECT current_setting('recruiting.role', true)) = ANY (?::text[]))sql";

constexpr std::array every_role{role::admin, role::recruiter, role::hiring_manager, role::interviewer, role::viewer};

// The newest messages, of so many bytes together.
constexpr auto history_sql = R"sql(
SELECT m.role, m.content, m.tool_calls, m.tool_call_id, m.tool_name, r.status
FROM (SELECT n.*, sum(octet_length(n.content) + coalesce(octet_length(n.tool_calls), 0))
                  OVER (ORDER BY n.position DESC) AS bytes
      FROM (SELECT * FROM recruiting.agent_messages l WHERE l.session_id = $1 AND l.run_id <> $2
            ORDER BY l.position DESC LIMIT $3) AS n) AS m
JOIN recruiting.agent_runs r ON r.id = m.run_id WHERE m.bytes <= $4::bigint ORDER BY m.position
)sql";

// Owners write nothing in the last tenth of a lease: it may have run out when the transaction commits, and a client
// that then read that the run failed must be right. A row that another transaction holds for the moment keeps none of
// the others waiting: the run is reported as kept, not as renewed.
constexpr auto renew_sql = R"sql(
WITH mine AS (
    SELECT id FROM recruiting.agent_runs
     WHERE id = ANY ($2::uuid[]) AND lease_owner = $1 AND status = 'in_progress'
       AND lease_expires_at > clock_timestamp() + $3::bigint / 10 * interval '1 millisecond'
       FOR NO KEY UPDATE SKIP LOCKED),
renewed AS (
    UPDATE recruiting.agent_runs r SET lease_expires_at = clock_timestamp() + $3::bigint * interval '1 millisecond'
      FROM mine WHERE r.id = mine.id RETURNING r.id)
SELECT r.id, r.id IN (SELECT id FROM renewed) FROM recruiting.agent_runs r
WHERE r.id = ANY ($2::uuid[]) AND r.lease_owner = $1 AND r.status = 'in_progress'
)sql";

// Waits for the transaction that holds the run, so that the statements after it see what was committed meanwhile: one
// sent again after its answer got lost then recognises itself.
constexpr auto lock_run_sql = "SELECT id FROM recruiting.agent_runs WHERE id = $1 FOR NO KEY UPDATE";

// Parameters: 1 run, 2 owner, 3 message ids, 4 roles, 5 contents, 6 tool calls, 7 call ids, 8 tool names, 9 input
// tokens, 10 output tokens, 11 tool calls made, 12 lease in ms, 13 and 14 what the run's tools have read under so far.
// True also when this very statement was committed before and its answer got lost: the first message's id shows it.
constexpr auto progress_sql = R"sql(
WITH held AS (
    UPDATE recruiting.agent_runs r
       SET tool_call_count = tool_call_count + $11::integer, input_tokens = input_tokens + $9::bigint,
           output_tokens = output_tokens + $10::bigint, tool_scopes = $13::text[], tool_role = $14::text,
           lease_expires_at = clock_timestamp() + $12::bigint * interval '1 millisecond'
     WHERE r.id = $1 AND r.lease_owner = $2 AND r.status = 'in_progress'
       AND r.lease_expires_at > clock_timestamp() + $12::bigint / 10 * interval '1 millisecond'
       AND NOT EXISTS (SELECT FROM recruiting.agent_messages m WHERE m.id = ($3::uuid[])[1])
    RETURNING r.id, r.session_id),
session AS (
    UPDATE recruiting.agent_sessions s
       SET message_count = message_count + cardinality($3::uuid[]), input_tokens = s.input_tokens + $9::bigint,
           output_tokens = s.output_tokens + $10::bigint
      FROM held WHERE s.id = held.session_id
    RETURNING s.id, s.organization_id, s.membership_id, s.message_count - cardinality($3::uuid[]) AS before),
added AS (
    INSERT INTO recruiting.agent_messages (id, position, organization_id, session_id, run_id, membership_id, role,
        content, tool_calls, tool_call_id, tool_name)
    SELECT n.id, session.before + n.place - 1, session.organization_id, session.id, $1, session.membership_id, n.role,
           n.content, n.tool_calls, n.tool_call_id, n.tool_name
    FROM session, unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
         WITH ORDINALITY AS n (id, role, content, tool_calls, tool_call_id, tool_name, place))
SELECT EXISTS (SELECT FROM held) OR EXISTS (
    SELECT FROM recruiting.agent_messages m WHERE m.id = ($3::uuid[])[1] AND m.run_id = $1)
)sql";

// However a run ends, its session shows it and it is metered. `ended` stands before this.
constexpr auto after_end = R"sql(
    RETURNING r.id, r.session_id, r.organization_id, r.status, r.input_tokens, r.output_tokens),
session AS (UPDATE recruiting.agent_sessions s SET status = ended.status FROM ended WHERE s.id = ended.session_id)
INSERT INTO recruiting.usage_records (id, organization_id, kind, subject_id, input_tokens, output_tokens)
SELECT gen_random_uuid(), organization_id, 'agent_run', id, input_tokens, output_tokens FROM ended
)sql";

constexpr auto complete_sql = R"sql(
WITH ended AS (
    UPDATE recruiting.agent_runs r SET status = 'completed', reply = $3::text, finished_at = clock_timestamp()
     WHERE r.id = $1 AND r.lease_owner = $2 AND r.status = 'in_progress'
       AND r.lease_expires_at > clock_timestamp() + $4::bigint / 10 * interval '1 millisecond'
)sql";

constexpr auto fail_sql = R"sql(
WITH ended AS (
    UPDATE recruiting.agent_runs r SET status = 'failed', failure = $3::text, finished_at = clock_timestamp()
     WHERE r.id = $1 AND r.status = 'in_progress' AND (r.lease_owner = $2 OR r.lease_expires_at <= clock_timestamp())
)sql";

// The process renews its lease; if it has ended, the run must not wait for the time that the server's clock had shown.
constexpr auto shorten_leases_sql = R"sql(
UPDATE recruiting.agent_runs SET lease_expires_at = clock_timestamp() + $1::bigint * interval '1 millisecond'
 WHERE id IN (SELECT id FROM recruiting.agent_runs
               WHERE status = 'in_progress'
                 AND lease_expires_at > clock_timestamp() + )sql" RECRUITING_LONGEST_WAIT("$1") R"sql(
                 FOR NO KEY UPDATE SKIP LOCKED)
)sql";

// SKIP LOCKED: a run that is just being ended or renewed is not dead.
constexpr auto fail_expired_sql = R"sql(
WITH dead AS (
    SELECT id FROM recruiting.agent_runs WHERE status = 'in_progress' AND lease_expires_at <= clock_timestamp()
    ORDER BY lease_expires_at LIMIT $1::bigint FOR UPDATE SKIP LOCKED),
ended AS (
    UPDATE recruiting.agent_runs r SET status = 'failed', failure = 'lease_expired', finished_at = clock_timestamp()
      FROM dead WHERE r.id = dead.id
)sql";

constexpr std::array<std::string_view, 3> role_names = {"user", "assistant", "tool"};

// One array literal a column; write appends one element.
template <class Elements, class Write>
void add_array(pg::params& params, Elements const& elements, Write const& write) {
    std::string literal = "{";
    for (auto const& element : elements) {
        if (literal.size() > 1) literal += ',';
        write(literal, element);
    }
    params.text(literal + "}");
}

void append_text_or_null(std::string& literal, std::string_view text) {
    if (text.empty()) literal += "NULL";
    else pg::append_array_element(literal, text);
}

} // namespace

std::vector<pg::statement> hold_run(run_context const& run, std::chrono::milliseconds lease) {
    return {as_runner(), {hold_sql, pg::params().id(run.run_id).id(run.lease_owner).integer(lease.count())}};
}

pg::statement run_is_held(run_context const& run, std::chrono::milliseconds lease, std::string_view scope) {
    std::vector<std::string> roles;
    for (auto const held : every_role)
        if (role_allows(held).test(*scope_index(scope))) roles.emplace_back(to_string(held));
    return {held_condition, pg::params().id(run.run_id).id(run.lease_owner).integer(lease.count()).text_array(roles)};
}

pg::statement as_runner() { return pg::as_worker("agent"); }

pg::statement lock_run(uuid const& run_id) { return {lock_run_sql, pg::params().id(run_id)}; }

pg::statement find_run(uuid const& run_id) {
    return {"SELECT " + std::string(run_select_list) + " FROM recruiting.agent_runs r WHERE r.id = $1",
            pg::params().id(run_id)};
}

std::optional<run_record> read_run(pg::rows const& rows) {
    if (rows.empty() || rows.is_null(0, 0)) return std::nullopt;
    run_record run;
    std::string_view status;
    rows[0].read(run.id, run.session_id, status, run.lease_expired, run.reply, run.failure, run.prompt_hash);
    run.status = parse_run_status(status);
    return run;
}

pg::statement read_history(uuid const& session_id, uuid const& before_run, std::int64_t most, std::int64_t most_bytes) {
    return {history_sql, pg::params().id(session_id).id(before_run).integer(most).integer(most_bytes)};
}

std::vector<stored_message> read_stored_messages(pg::rows const& rows) {
    std::vector<stored_message> out;
    for (auto row : rows) {
        auto& [message, of_run] = out.emplace_back();
        std::string_view from, tool_calls, status;
        row.read(from, message.content, tool_calls, message.tool_call_id, message.tool_name, status);
        auto const role = std::find(role_names.begin(), role_names.end(), from);
        message.from = static_cast<message_role>(role - role_names.begin());
        message.tool_calls = read_tool_calls(tool_calls);
        of_run = parse_run_status(status);
    }
    return out;
}

pg::statement renew_leases(uuid const& owner, std::span<uuid const> runs, std::chrono::milliseconds lease) {
    pg::statement out{renew_sql, {}};
    out.params.id(owner);
    add_array(out.params, runs, append_id);
    out.params.integer(lease.count());
    return out;
}

renewal read_renewal(pg::rows const& rows) {
    renewal out;
    for (auto row : rows) {
        out.kept.push_back(row.id());
        if (row.boolean()) out.renewed.push_back(out.kept.back());
    }
    return out;
}

pg::statement add_progress(run_progress const& progress) {
    pg::statement out{progress_sql, {}};
    auto& values = out.params;
    values.id(progress.run_id).id(progress.owner);
    add_array(values, progress.message_ids, append_id);
    auto const add = [&](auto const& text_of, auto const& append) {
        add_array(values, progress.messages,
                  [&](std::string& literal, message const& m) { append(literal, text_of(m)); });
    };
    add([](message const& m) { return role_names[static_cast<std::size_t>(m.from)]; }, pg::append_array_element);
    add([](message const& m) { return std::string_view(m.content); }, pg::append_array_element);
    add([](message const& m) { return tool_calls_json(m.tool_calls); }, append_text_or_null);
    add([](message const& m) { return std::string_view(m.tool_call_id); }, append_text_or_null);
    add([](message const& m) { return std::string_view(m.tool_name); }, append_text_or_null);
    values.integer(progress.usage.input).integer(progress.usage.output).integer(progress.tool_calls);
    values.integer(progress.lease.count()).text_array(auth::scope_names(progress.used.scopes));
    values.text(to_string(progress.used.role));
    return out;
}

bool read_held(pg::rows const& rows) { return rows.boolean(0, 0); }

pg::statement complete_run(uuid const& run_id, uuid const& owner, std::string_view reply,
                           std::chrono::milliseconds lease) {
    return {std::string(complete_sql) + after_end,
            pg::params().id(run_id).id(owner).text(reply).integer(lease.count())};
}

pg::statement fail_run(uuid const& run_id, uuid const& owner, std::string_view why) {
    return {std::string(fail_sql) + after_end, pg::params().id(run_id).id(owner).text(why)};
}

pg::statement shorten_leases(std::chrono::milliseconds lease) {
    return {shorten_leases_sql, pg::params().integer(lease.count())};
}

pg::statement fail_expired_runs(std::int64_t most) {
    return {std::string(fail_expired_sql) + after_end, pg::params().integer(most)};
}

} // namespace recruiting::auth_api::agent
