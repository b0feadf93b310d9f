#include "audit/seal_store.hpp"

namespace recruiting::audit {
namespace {

constexpr auto seal_sql = "SELECT recruiting.seal_audit_rows($1::integer)";

constexpr auto state_sql = R"sql(
SELECT recruiting.audit_waiting_since(), recruiting.sees_transactions(),
       (SELECT l.system IS NOT NULL AND l.timeline IS NOT NULL FROM recruiting.server_line() l)
)sql";

constexpr std::string_view event_columns =
    "l.id, l.occurred_at, l.organization_id, l.credential_id, l.credential_name, l.actor_type, l.actor_member_id, "
    "l.actor_email, l.actor_role, l.action, l.method, l.endpoint, l.path, l.target_type, l.target_id, l.status_code, "
    "l.success, l.error_code, l.required_scope, l.ip_address::text, l.user_agent, l.request_id, l.session_id, "
    "l.correlation_id, l.duration_ms, l.request_count";

constexpr std::string_view chained_rows_sql = R"sql(
(SELECT id, occurred_at, organization_id, credential_id, credential_name, actor_type, actor_member_id, actor_email,
        actor_role, action, method, endpoint, path, target_type, target_id, status_code, success, error_code,
        required_scope, ip_address, user_agent, request_id, session_id, correlation_id, duration_ms, request_count,
        sequence, hash, false AS kept
   FROM recruiting.audit_log
  UNION ALL
 SELECT audit_id, occurred_at, organization_id, NULL, NULL, '', NULL, NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL,
        false, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, sequence, hash, true
   FROM recruiting.audit_seals_kept) l
)sql";

} // namespace

pg::statement seal_rows(std::int64_t most) { return {seal_sql, pg::params().integer(most)}; }

std::optional<std::int64_t> read_sealed(pg::rows const& rows) { return rows.optional_integer(0, 0); }

pg::statement select_intake_state() { return {state_sql, {}}; }

intake_state read_intake_state(pg::rows const& rows) {
    auto row = rows[0];
    return {row.optional_time(), row.boolean(), row.boolean()};
}

std::string_view stored_event_columns() noexcept { return event_columns; }

std::string_view chained_rows() noexcept { return chained_rows_sql; }

stored_event read_stored_event(pg::row from) {
    stored_event e;
    for_each_column(e, [&](std::string_view, auto& column) { from.read(column); });
    return e;
}

} // namespace recruiting::audit
