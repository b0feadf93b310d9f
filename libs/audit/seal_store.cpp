#include "audit/seal_store.hpp"

#include <algorithm>
#include <concepts>
#include <stdexcept>

namespace recruiting::audit {
namespace {

constexpr auto seal_sql = "SELECT recruiting.seal_audit_rows($1::integer)";
struct sealed_columns {
    enum : int { rows };
};

constexpr auto state_sql = R"sql(
SELECT recruiting.audit_waiting_since(), recruiting.sees_transactions(),
       (SELECT l.system IS NOT NULL AND l.timeline IS NOT NULL FROM recruiting.server_line() l)
)sql";
struct state_columns {
    enum : int { waiting_since, sees_transactions, knows_server };
};

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

void read_column(pg::rows const& from, int row, int column, uuid& to) { to = from.id(row, column); }
void read_column(pg::rows const& from, int row, int column, timestamp& to) { to = from.time(row, column); }
void read_column(pg::rows const& from, int row, int column, bool& to) { to = from.boolean(row, column); }
void read_column(pg::rows const& from, int row, int column, std::string_view& to) { to = from.text(row, column); }
template <std::signed_integral Int>
void read_column(pg::rows const& from, int row, int column, Int& to) {
    to = static_cast<Int>(from.integer(row, column));
}
template <class T>
void read_column(pg::rows const& from, int row, int column, std::optional<T>& to) {
    if (!from.is_null(row, column)) read_column(from, row, column, to.emplace());
}

} // namespace

pg::statement seal_rows(std::int64_t most) { return {seal_sql, pg::params().integer(most)}; }

std::optional<std::int64_t> read_sealed(pg::rows const& rows) { return rows.optional_integer(0, sealed_columns::rows); }

pg::statement select_intake_state() { return {state_sql, {}}; }

intake_state read_intake_state(pg::rows const& rows) {
    using columns = state_columns;
    return {rows.optional_time(0, columns::waiting_since), rows.boolean(0, columns::sees_transactions),
            rows.boolean(0, columns::knows_server)};
}

std::string_view stored_event_columns() noexcept { return event_columns; }

std::string_view chained_rows() noexcept { return chained_rows_sql; }

stored_event read_stored_event(pg::rows const& source, int row, int first_column) {
    int next = first_column;
    stored_event e;
    for_each_column(e, [&](std::string_view, auto& column) { read_column(source, row, next++, column); });
    return e;
}

digest read_digest(pg::rows const& source, int row, int column) {
    auto const bytes = source.bytes(row, column);
    digest value;
    if (bytes.size() != value.size()) throw std::logic_error("a hash of the audit chain has not 32 bytes");
    std::transform(bytes.begin(), bytes.end(), value.begin(), [](char c) { return static_cast<std::uint8_t>(c); });
    return value;
}

} // namespace recruiting::audit
