// The SQL with which an invocation finds what exists and begins a run.
#include "auth/authenticate_store.hpp"
#include "auth/principal.hpp"
#include "auth_api/agent/invoke/invocation.hpp"
#include "auth_api/agent/run/run_store.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace recruiting::auth_api::agent {
namespace {

// An Idempotency-Key belongs to the API key that sent it, in the console to the member. The key is found by its
// secret's hash, under either pepper: other keys of its member may share the transaction.
constexpr std::string_view by_key_sql = R"sql(
FROM recruiting.agent_runs r WHERE r.organization_id = (SELECT recruiting.current_organization_id())
  AND r.credential_id = (SELECT k.id FROM recruiting.api_keys k WHERE k.secret_hash IN ($2, $3)) AND r.idempotency_key = $1
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

// A run, and behind its columns what the tools of the runs `used_by` (a) have read under: scopes and roles, as words.
std::string select_run(std::string_view used_by, std::string_view from) {
    auto const words_of = [used_by](std::string_view column) {
        return ", array_to_string(ARRAY(SELECT " + std::string(column) + " FROM recruiting.agent_runs a WHERE " +
               std::string(used_by) + "), ' ')";
    };
    return "SELECT " + std::string(run_select_list) + words_of("unnest(a.tool_scopes)") + words_of("a.tool_role") +
           std::string(from);
}

auth::access read_used(pg::row row) {
    auto const scopes = split(row.text(), ' ');
    auth::access used{auth::scopes_named(std::vector<std::string>(scopes.begin(), scopes.end())), role::viewer};
    for (auto const name : split(row.text(), ' ')) // an unknown one throws: who may see what it has read is not known
        if (!name.empty()) used.role = std::min(used.role, parse_role(name).value());
    return used;
}

// Beginnings of one organization come one after the other, so that counting its runs and adding one is a single step.
// A caller that does not get the lock asks again: waiting here would delay other runs on this connection.
constexpr auto queue_up_sql = R"sql(
SELECT set_config('recruiting.agent_queue_lock', coalesce(pg_try_advisory_xact_lock(
    hashtextextended('recruiting.agent_runs ' || recruiting.current_organization_id(), 0)), true)::text, true)
)sql";

// Decides, and stores session, run, prompt and audit row only where the decision is 'begin'. 'mine': this segment was
// committed before, and its answer got lost. 'refused' also where a session acts in another organization than when it
// was looked up.
// Parameters: 1 run, 2 session, 3 API key, 4 Idempotency-Key, 5 most runs of the organization, 6 the caller's scopes,
// 7 the roles that are wider than the caller's, 8 organization, 9 title, 10 hash of the prompt, 11 model, 12 lease's
// owner, 13 lease in ms, 14 message, 15 prompt, 16 audit row, 17 to 22 the key's name, the member's e-mail address and
// role, and the client's address, user agent and request id.
constexpr auto begin_sql = R"sql(
WITH decision AS (SELECT CASE
    WHEN recruiting.current_organization_id() IS DISTINCT FROM $8::uuid
         OR NOT recruiting.has_role('admin', 'recruiter', 'hiring_manager')
         OR EXISTS (SELECT FROM recruiting.agent_sessions s WHERE s.id = $2::uuid
                    AND (s.organization_id, s.membership_id)
                        <> (recruiting.current_organization_id(), recruiting.current_member_id())) THEN 'refused'
    WHEN current_setting('recruiting.agent_queue_lock') = 'false' THEN 'queued'
    WHEN EXISTS (SELECT FROM recruiting.agent_runs r WHERE r.id = $1::uuid) THEN 'mine'
    WHEN EXISTS (SELECT FROM recruiting.agent_runs r
                 WHERE r.organization_id = recruiting.current_organization_id()
                   AND r.credential_id = $3::uuid AND r.idempotency_key = $4::text)
         OR ($3::uuid IS NULL AND EXISTS (SELECT FROM recruiting.agent_runs r
                 WHERE r.organization_id = recruiting.current_organization_id()
                   AND r.membership_id = recruiting.current_member_id() AND r.credential_id IS NULL
                   AND r.idempotency_key = $4::text))
         OR EXISTS (SELECT FROM recruiting.agent_runs r WHERE r.session_id = $2::uuid
                    AND (r.status = 'in_progress' OR NOT r.tool_scopes <@ $6::text[] OR r.tool_role = ANY ($7::text[])))
         THEN 'taken'
    WHEN (SELECT count(*) FROM recruiting.agent_runs r
          WHERE r.organization_id = recruiting.current_organization_id() AND r.status = 'in_progress'
            AND r.lease_expires_at > clock_timestamp()) >= $5::bigint THEN 'crowded'
    ELSE 'begin' END AS word),
session AS (
    INSERT INTO recruiting.agent_sessions AS s (id, organization_id, membership_id, credential_id, title, status,
        run_count, message_count, last_run_at)
    SELECT $2::uuid, recruiting.current_organization_id(), recruiting.current_member_id(), $3::uuid, $9::text,
           'in_progress', 1, 1, clock_timestamp()
    FROM decision WHERE word = 'begin'
    ON CONFLICT (id) DO UPDATE SET status = 'in_progress', run_count = s.run_count + 1,
        message_count = s.message_count + 1, last_run_at = clock_timestamp()
    RETURNING s.id, s.organization_id, s.membership_id, s.message_count),
run AS (
    INSERT INTO recruiting.agent_runs (id, organization_id, session_id, membership_id, credential_id, idempotency_key,
        prompt_hash, model, lease_owner, lease_expires_at)
    SELECT $1::uuid, organization_id, id, membership_id, $3::uuid, $4::text, $10::bytea, $11::text, $12::uuid,
           clock_timestamp() + $13::bigint * interval '1 millisecond' FROM session),
prompt AS (
    INSERT INTO recruiting.agent_messages (id, position, organization_id, session_id, run_id, membership_id, role,
        content)
    SELECT $14::uuid, message_count - 1, organization_id, id, $1::uuid, membership_id, 'user', $15::text FROM session),
started AS (
    INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, credential_id, credential_name, actor_type,
        actor_member_id, actor_email, actor_role, action, target_type, target_id, success, ip_address, user_agent,
        request_id, session_id, correlation_id)
    SELECT $16::uuid, clock_timestamp(), organization_id, $3::uuid, nullif($17::text, ''),
           CASE WHEN $3::uuid IS NULL THEN 'member' ELSE 'api_key' END, membership_id, $18::text, $19::text,
           'agent.run_started', 'agent_session', replace(id::text, '-', ''), true, $20::inet, nullif($21::text, ''),
           nullif($22::text, ''), id, $1::uuid FROM session)
SELECT word FROM decision
)sql";

// In the order of begin_outcome.
constexpr std::array<std::string_view, 6> decisions = {"begin", "mine", "refused", "taken", "crowded", "queued"};

std::vector<std::string> roles_wider_than(role held) {
    std::vector<std::string> out;
    for (auto const value : {role::admin, role::recruiter, role::hiring_manager, role::interviewer})
        if (value < held) out.emplace_back(to_string(value));
    return out;
}

} // namespace

pg::statement find_run_by_key(std::string_view key, auth::credential const& of) {
    if (of.kind == auth::principal_kind::member)
        return {select_run("a.id = r.id", by_key_of_member_sql), pg::params().text(key)};
    auto values = pg::params().text(key).bytes(bytes_of(of.hash));
    return {select_run("a.id = r.id", by_key_sql), values.bytes(bytes_of(of.previous_hash.value_or(of.hash)))};
}

pg::statement find_session(uuid const& session_id) {
    return {select_run("a.session_id = s.id", of_session_sql), pg::params().id(session_id)};
}

found_state read_found(pg::rows const& rows) {
    if (rows.empty()) return {};
    return {read_run(rows), true, read_used(rows[0].from(run_select_columns))};
}

std::vector<pg::statement> begin_run(new_run const& run) {
    auto const& context = run.context;
    auto const& caller = context.principal;
    pg::statement begin{begin_sql, {}};
    auto& values = begin.params;
    values.id(context.run_id).id(context.session_id).optional_id(context.key_id()).optional_text(run.key);
    values.integer(run.most_of_organization).text_array(auth::scope_names(caller.effective));
    values.text_array(roles_wider_than(caller.role)).id(caller.organization_id);
    values.text(run.title).bytes(bytes_of(run.prompt_hash)).text(run.model);
    values.id(context.lease_owner).integer(run.lease.count());
    values.id(new_record_id()).text(context.prompt);
    values.id(new_record_id()).text(caller.credential_name).text(caller.member_email).text(to_string(caller.role));
    values.optional_text(context.client ? std::optional(to_string(*context.client)) : std::nullopt);
    values.text(context.user_agent).text(context.request_id);
    return {auth::authenticate(context.presented), as_runner(), {queue_up_sql, {}}, std::move(begin)};
}

begin_outcome read_begin_outcome(std::span<pg::rows const> results) {
    auto const* const found = std::ranges::find(decisions, results.back().text(0, 0));
    if (found == decisions.end()) throw std::logic_error("not a decision of begin_sql");
    return static_cast<begin_outcome>(found - decisions.begin());
}

} // namespace recruiting::auth_api::agent
