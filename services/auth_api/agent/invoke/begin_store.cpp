#include "auth_api/agent/invoke/begin_store.hpp"

#include "auth/authenticate_store.hpp"
#include "auth/principal.hpp"
#include "auth_api/agent/run/run_store.hpp"
#include "core/text.hpp"

#include <algorithm>

namespace recruiting::auth_api::agent {
namespace {

// An Idempotency-Key belongs to the API key that sent it, in the console to the member. The key is found by its
// secret's hash: other keys of its member may share the transaction.
constexpr std::string_view by_key_sql = R"sql(
FROM recruiting.agent_runs r WHERE r.organization_id = (SELECT recruiting.current_organization_id())
  AND r.credential_id = (SELECT k.id FROM recruiting.api_keys k WHERE k.secret_hash = $2) AND r.idempotency_key = $1
)sql";
constexpr std::string_view by_key_of_member_sql = R"sql(
FROM recruiting.agent_runs r WHERE r.organization_id = (SELECT recruiting.current_organization_id())
  AND r.membership_id = (SELECT recruiting.current_member_id()) AND r.credential_id IS NULL AND r.idempotency_key = $1
)sql";

// Without a run that goes on the row is one of NULLs.
constexpr std::string_view of_session_sql = R"sql(
FROM recruiting.agent_sessions s
LEFT JOIN recruiting.agent_runs r ON r.session_id = s.id AND r.status = 'in_progress'
WHERE s.id = $1 AND s.organization_id = (SELECT recruiting.current_organization_id())
  AND s.membership_id = (SELECT recruiting.current_member_id())
)sql";

// What tools read under in these runs (a): the scopes, and the roles. Stands behind the columns of the run.
std::string used_select_list(std::string const& which) {
    auto const words_of = [&which](std::string_view column) {
        return ", array_to_string(ARRAY(SELECT " + std::string(column) + " FROM recruiting.agent_runs a WHERE " +
               which + "), ' ')";
    };
    return words_of("unnest(a.tool_scopes)") + words_of("a.tool_role");
}

std::string select_run(std::string const& used_by, std::string_view from) {
    return "SELECT " + std::string(run_select_list) + used_select_list(used_by) + std::string(from);
}

std::vector<std::string> words(std::string_view text) {
    std::vector<std::string> out;
    for (auto const word : split(text, ' '))
        if (!word.empty()) out.emplace_back(word);
    return out;
}

auth::reach read_used(pg::rows const& rows) {
    if (rows.empty()) return {};
    auto row = rows[0].from(run_select_columns);
    auth::reach used{auth::scopes_named(words(row.text())), role::viewer};
    for (auto const& name : words(row.text())) used.role = std::min(used.role, parse_role(name).value());
    return used;
}

// Beginnings of one organization come one after the other, so that counting its runs and adding one is a single step.
// A caller that does not get the lock asks again: waiting here would delay other runs on this connection.
constexpr auto queue_up_sql = R"sql(
SELECT set_config('recruiting.agent_queue_lock', coalesce(pg_try_advisory_xact_lock(
    hashtextextended('recruiting.agent_runs ' || recruiting.current_organization_id(), 0)), true)::text, true)
)sql";

// What the statements after it act on. 'mine': this segment was committed before, and its answer got lost. 'refused'
// also where a session acts in another organization than when it was looked up.
constexpr auto decide_sql = R"sql(
SELECT set_config('recruiting.agent_decision', CASE
    WHEN recruiting.current_organization_id() IS DISTINCT FROM $8::uuid
         OR NOT recruiting.has_role('admin', 'recruiter', 'hiring_manager')
         OR EXISTS (SELECT FROM recruiting.agent_sessions s WHERE s.id = $3::uuid
                    AND (s.organization_id, s.membership_id)
                        <> (recruiting.current_organization_id(), recruiting.current_member_id())) THEN 'refused'
    WHEN current_setting('recruiting.agent_queue_lock') = 'false' THEN 'queued'
    WHEN EXISTS (SELECT FROM recruiting.agent_runs r WHERE r.id = $1::uuid) THEN 'mine'
    WHEN EXISTS (SELECT FROM recruiting.agent_runs r
                 WHERE r.organization_id = recruiting.current_organization_id()
                   AND r.credential_id = $5::uuid AND r.idempotency_key = $2::text)
         OR ($5::uuid IS NULL AND EXISTS (SELECT FROM recruiting.agent_runs r
                 WHERE r.organization_id = recruiting.current_organization_id()
                   AND r.membership_id = recruiting.current_member_id() AND r.credential_id IS NULL
                   AND r.idempotency_key = $2::text))
         OR EXISTS (SELECT FROM recruiting.agent_runs r WHERE r.session_id = $3::uuid
                    AND (r.status = 'in_progress' OR NOT r.tool_scopes <@ $6::text[] OR r.tool_role = ANY ($7::text[])))
         THEN 'taken'
    WHEN (SELECT count(*) FROM recruiting.agent_runs r
          WHERE r.organization_id = recruiting.current_organization_id() AND r.status = 'in_progress'
            AND r.lease_expires_at > clock_timestamp()) >= $4::bigint THEN 'crowded'
    ELSE 'begin' END, true)
)sql";

constexpr auto open_session_sql = R"sql(
INSERT INTO recruiting.agent_sessions AS s (id, organization_id, membership_id, credential_id, title, status, run_count,
    message_count, last_run_at)
SELECT $1::uuid, recruiting.current_organization_id(), recruiting.current_member_id(), $2::uuid, $3::text,
       'in_progress', 1, 1, clock_timestamp()
WHERE current_setting('recruiting.agent_decision') = 'begin'
ON CONFLICT (id) DO UPDATE SET status = 'in_progress', run_count = s.run_count + 1,
    message_count = s.message_count + 1, last_run_at = clock_timestamp()
)sql";

constexpr auto insert_run_sql = R"sql(
INSERT INTO recruiting.agent_runs (id, organization_id, session_id, membership_id, credential_id, idempotency_key,
    prompt_hash, model, lease_owner, lease_expires_at)
SELECT $1::uuid, recruiting.current_organization_id(), $2::uuid, recruiting.current_member_id(), $3::uuid, $4::text,
       $5::bytea, $6::text, $7::uuid, clock_timestamp() + $8::bigint * interval '1 millisecond'
WHERE current_setting('recruiting.agent_decision') = 'begin'
)sql";

constexpr auto insert_prompt_sql = R"sql(
INSERT INTO recruiting.agent_messages (id, position, organization_id, session_id, run_id, membership_id, role, content)
SELECT $1::uuid, s.message_count - 1, s.organization_id, s.id, $2::uuid, s.membership_id, 'user', $4::text
FROM recruiting.agent_sessions s
WHERE s.id = $3::uuid AND current_setting('recruiting.agent_decision') = 'begin'
)sql";

constexpr auto insert_started_sql = R"sql(
INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, credential_id, credential_name, actor_type,
    actor_member_id, actor_email, actor_role, action, target_type, target_id, success, ip_address, user_agent,
    request_id, session_id, correlation_id)
SELECT $1::uuid, clock_timestamp(), recruiting.current_organization_id(), $2::uuid, nullif($3::text, ''),
       CASE WHEN $2::uuid IS NULL THEN 'member' ELSE 'api_key' END,
       recruiting.current_member_id(), $4::text, $5::text, 'agent.run_started', 'agent_session', $6::text, true,
       $7::inet, $8::text, $9::text, $10::uuid, $11::uuid
WHERE current_setting('recruiting.agent_decision') = 'begin'
)sql";

constexpr auto decision_sql = "SELECT current_setting('recruiting.agent_decision')";

std::optional<std::string> text_or_null(std::string const& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

std::vector<std::string> roles_wider_than(role held) {
    std::vector<std::string> out;
    for (auto const value : {role::admin, role::recruiter, role::hiring_manager, role::interviewer})
        if (value < held) out.emplace_back(to_string(value));
    return out;
}

pg::statement started_row(run_context const& run) {
    pg::statement out{insert_started_sql, {}};
    out.params.id(new_record_id())
        .optional_id(run.key_id())
        .text(run.principal.credential_name)
        .text(run.principal.member_email);
    out.params.text(to_string(run.principal.role)).text(to_string(run.session_id));
    out.params.optional_text(run.client ? std::optional(to_string(*run.client)) : std::nullopt);
    out.params.optional_text(text_or_null(run.user_agent)).optional_text(text_or_null(run.request_id));
    out.params.id(run.session_id).id(run.run_id);
    return out;
}

} // namespace

pg::statement find_run_by_key(std::string_view key, auth::credential const& of) {
    if (of.kind == auth::principal_kind::member)
        return {select_run("a.id = r.id", by_key_of_member_sql), pg::params().text(key)};
    return {select_run("a.id = r.id", by_key_sql), pg::params().text(key).bytes(bytes_of(of.hash))};
}

found_state read_run_by_key(pg::rows const& rows) {
    found_state found;
    found.by_key = read_run(rows);
    found.used = read_used(rows);
    return found;
}

pg::statement find_session(uuid const& session_id) {
    return {select_run("a.session_id = s.id", of_session_sql), pg::params().id(session_id)};
}

found_state read_session_state(pg::rows const& rows) {
    found_state found;
    found.session_known = !rows.empty();
    found.active_run = read_run(rows);
    found.used = read_used(rows);
    return found;
}

std::vector<pg::statement> begin_run(new_run const& run) {
    auto const& context = run.context;
    auto const credential = context.key_id();
    auto decide = pg::params().id(context.run_id).optional_text(run.key).id(context.session_id);
    decide.integer(run.most_of_organization).optional_id(credential);
    decide.text_array(auth::scope_names(context.principal.effective));
    decide.text_array(roles_wider_than(context.principal.role)).id(context.principal.organization_id);
    auto const session = pg::params().id(context.session_id).optional_id(credential).text(run.title);
    auto row = pg::params().id(context.run_id).id(context.session_id).optional_id(credential).optional_text(run.key);
    row.bytes(bytes_of(run.prompt_hash)).text(run.model).id(context.lease_owner).integer(run.lease.count());
    auto const prompt = pg::params().id(new_record_id()).id(context.run_id).id(context.session_id).text(context.prompt);
    return {auth::authenticate(context.presented),
            as_runner(),
            {queue_up_sql, {}},
            {decide_sql, decide},
            {open_session_sql, session},
            {insert_run_sql, row},
            {insert_prompt_sql, prompt},
            started_row(context),
            {decision_sql, {}}};
}

begin_outcome read_begin_outcome(std::span<pg::rows const> results) {
    auto const decision = results.back().text(0, 0);
    if (decision == "begin") return begin_outcome::begun;
    if (decision == "mine") return begin_outcome::begun_before;
    if (decision == "taken") return begin_outcome::taken;
    if (decision == "crowded") return begin_outcome::crowded;
    return decision == "queued" ? begin_outcome::queued : begin_outcome::refused;
}

} // namespace recruiting::auth_api::agent
