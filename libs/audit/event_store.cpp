#include "audit/event_store.hpp"

#include "core/ip.hpp"

#include <algorithm>
#include <concepts>
#include <limits>

namespace recruiting::audit {
namespace {

constexpr auto event_type_sql = "SELECT 'recruiting.audit_event'::regtype::oid::bigint";

// Every waiting request's row in one row of the intake, and so in one commit.
constexpr auto insert_sql =
    "INSERT INTO recruiting.audit_intake (event_count, events) "
    "SELECT cardinality(b.events), b.events FROM (SELECT $1::recruiting.audit_event[] AS events) b";

// Requests of refused keys: all are counted, and those that the count names get a row. The result is their ids.
constexpr auto count_refused_sql = R"sql(
WITH event AS MATERIALIZED (
    SELECT e FROM unnest($1::recruiting.audit_event[]) AS e
), single AS MATERIALIZED (
    SELECT recruiting.count_refused_requests($3::integer, $2::uuid[], array_agg((e).id), array_agg((e).occurred_at),
               array_agg((e).organization_id), array_agg((e).credential_id), array_agg((e).status_code),
               array_agg((e).error_code), array_agg((e).ip_address)) AS id
      FROM event
), written AS (
    INSERT INTO recruiting.audit_intake (event_count, events)
    SELECT count(*), array_agg(e) FROM event WHERE (e).id IN (SELECT id FROM single) HAVING count(*) > 0
)
SELECT id FROM single
)sql";

constexpr auto write_counts_sql = "SELECT recruiting.write_refused_counts()";

std::optional<std::string_view> text_or_null(std::string const& text) {
    return text.empty() ? std::nullopt : std::optional<std::string_view>(text);
}

template <std::signed_integral Int>
std::optional<Int> narrowed(std::optional<std::int64_t> const& number) {
    if (!number) return std::nullopt;
    return static_cast<Int>(
        std::clamp<std::int64_t>(*number, std::numeric_limits<Int>::min(), std::numeric_limits<Int>::max()));
}

// Refers to the event's texts.
stored_event to_stored(event const& e) {
    stored_event out;
    out.id = e.id;
    out.occurred_at = e.occurred_at;
    out.organization_id = e.organization_id;
    out.credential_id = e.credential_id;
    out.credential_name = text_or_null(e.credential_name);
    out.actor_type = e.actor_type;
    out.actor_member_id = e.actor_member_id;
    out.actor_email = text_or_null(e.actor_email);
    out.actor_role = text_or_null(e.actor_role);
    out.action = e.action;
    out.method = text_or_null(e.method);
    out.endpoint = text_or_null(e.endpoint);
    out.path = text_or_null(e.path);
    out.target_type = text_or_null(e.target_type);
    out.target_id = text_or_null(e.target_id);
    out.status_code = narrowed<std::int16_t>(e.status_code);
    out.success = e.success;
    out.error_code = text_or_null(e.error_code);
    out.required_scope = text_or_null(e.required_scope);
    if (parse_ip(e.ip_address)) out.ip_address.emplace(e.ip_address);
    out.user_agent = text_or_null(e.user_agent);
    out.request_id = text_or_null(e.request_id);
    out.session_id = e.session_id;
    out.correlation_id = e.correlation_id;
    out.duration_ms = narrowed<std::int32_t>(e.duration_ms);
    return out;
}

// The binary form of an array of recruiting.audit_event, as array_recv reads it: dimensions, whether it has NULLs,
// type, length and first index, then of each event the length of its record and the record.
std::string event_array(std::span<event const> events, std::uint32_t type) {
    std::string out;
    out.reserve(32 + events.size() * 640);
    append_network_order(out, std::int32_t{1});
    append_network_order(out, std::int32_t{0});
    append_network_order(out, type);
    append_network_order(out, static_cast<std::int32_t>(events.size()));
    append_network_order(out, std::int32_t{1});
    std::string record;
    for (auto const& each : events) {
        record.clear();
        append_record(record, to_stored(each));
        append_network_order(out, static_cast<std::int32_t>(record.size()));
        out += record;
    }
    return out;
}

} // namespace

pg::statement select_event_type() { return {event_type_sql, {}}; }

std::uint32_t read_event_type(pg::rows const& rows) { return static_cast<std::uint32_t>(rows.integer(0, 0)); }

pg::statement insert_events(std::span<event const> events, std::uint32_t event_type) {
    pg::statement out{insert_sql, {}};
    out.params.bytes(event_array(events, event_type));
    return out;
}

pg::statement count_refused_events(std::span<event const> events, std::uint32_t event_type,
                                   std::span<uuid const> counters, std::int64_t single_rows) {
    pg::statement out{count_refused_sql, {}};
    out.params.bytes(event_array(events, event_type)).id_array(counters).integer(single_rows);
    return out;
}

pg::statement write_refused_counts() { return {write_counts_sql, {}}; }

std::int64_t read_counts_written(pg::rows const& rows) { return rows.integer(0, 0); }

namespace {

constexpr auto seal_sql = "SELECT recruiting.seal_audit_rows($1::integer)";

constexpr auto state_sql = R"sql(
SELECT floor(extract(epoch FROM clock_timestamp() - recruiting.audit_waiting_since()) * 1000)::bigint,
       recruiting.sees_transactions(),
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

std::optional<std::int64_t> read_sealed(pg::rows const& rows) { return rows[0].optional_integer(); }

pg::statement select_intake_state() { return {state_sql, {}}; }

intake_state read_intake_state(pg::rows const& rows) {
    auto row = rows[0];
    auto const waiting = row.optional_integer();
    intake_state state{std::nullopt, row.boolean(), row.boolean()};
    if (waiting) state.oldest_waits = std::chrono::milliseconds{std::max<std::int64_t>(*waiting, 0)};
    return state;
}

std::string_view stored_event_columns() noexcept { return event_columns; }

std::string_view chained_rows() noexcept { return chained_rows_sql; }

stored_event read_stored_event(pg::row from) {
    stored_event e;
    for_each_column(e, [&](std::string_view, auto& column) { from.read(column); });
    return e;
}

} // namespace recruiting::audit
