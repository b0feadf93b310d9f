#include "audit/event_store.hpp"

#include "core/text.hpp"

#include <tuple>

namespace recruiting::audit {
namespace {

// Every waiting request's row in one INSERT and so in one commit; one array per column.
constexpr std::string_view insert_into = R"sql(
INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, credential_id, credential_name, actor_type,
    actor_member_id, actor_email, actor_role, action, method, endpoint, path, target_type, target_id, status_code,
    success, error_code, required_scope, ip_address, user_agent, request_id, session_id, correlation_id, duration_ms)
SELECT e.* FROM unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::uuid[],
    $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[],
    $16::smallint[], $17::boolean[], $18::text[], $19::text[], $20::inet[], $21::text[], $22::text[], $23::uuid[],
    $24::uuid[], $25::integer[]) AS e (id)
)sql";

// Requests of refused keys: all are counted, and those that the count names get a row. The result is their ids; INSERT
// can't return them, because no tenant is set and row-level security shows no row.
constexpr std::string_view count_refused = R"sql(
WITH single AS MATERIALIZED (
    SELECT recruiting.count_refused_requests($27::integer, $26::uuid[], $1::uuid[], $2::timestamptz[], $3::uuid[],
                                             $4::uuid[], $16::smallint[], $18::text[], $20::inet[]) AS id
), written AS ()sql";
constexpr std::string_view if_single = R"sql( WHERE e.id IN (SELECT id FROM single)
)
SELECT id FROM single
)sql";

constexpr auto write_counts_sql = "SELECT recruiting.write_refused_counts()";
struct write_counts_columns {
    enum : int { rows };
};

// The text of one array element. Empty texts are NULL.
void append_element(std::string& out, std::string const& value) {
    if (value.empty()) out += "NULL";
    else pg::append_array_element(out, value);
}
void append_element(std::string& out, uuid const& value) { append_id(out, value); }
void append_element(std::string& out, timestamp value) { out += '"' + format_time_micros(value) + '"'; }
void append_element(std::string& out, bool value) { out += value ? 't' : 'f'; }
void append_element(std::string& out, std::int64_t value) { append_number(out, value); }
template <class T>
void append_element(std::string& out, std::optional<T> const& value) {
    if (value) append_element(out, *value);
    else out += "NULL";
}

// In the order of insert_into.
constexpr std::tuple inserted_columns{&event::id,
                                      &event::occurred_at,
                                      &event::organization_id,
                                      &event::credential_id,
                                      &event::credential_name,
                                      &event::actor_type,
                                      &event::actor_member_id,
                                      &event::actor_email,
                                      &event::actor_role,
                                      &event::action,
                                      &event::method,
                                      &event::endpoint,
                                      &event::path,
                                      &event::target_type,
                                      &event::target_id,
                                      &event::status_code,
                                      &event::success,
                                      &event::error_code,
                                      &event::required_scope,
                                      &event::ip_address,
                                      &event::user_agent,
                                      &event::request_id,
                                      &event::session_id,
                                      &event::correlation_id,
                                      &event::duration_ms};

void add_columns(pg::params& params, std::span<event const> events) {
    auto const add = [&](auto member) {
        add_array(params, events, [member](std::string& out, event const& e) { append_element(out, e.*member); });
    };
    std::apply([&](auto... members) { (add(members), ...); }, inserted_columns);
}

} // namespace

pg::statement insert_events(std::span<event const> events) {
    pg::statement out{std::string(insert_into), {}};
    add_columns(out.params, events);
    return out;
}

pg::statement count_refused_events(std::span<event const> events, std::span<uuid const> counters,
                                   std::int64_t single_rows) {
    static std::string const sql = std::string(count_refused).append(insert_into).append(if_single);
    pg::statement out{sql, {}};
    add_columns(out.params, events);
    add_array(out.params, counters, append_id);
    out.params.integer(single_rows);
    return out;
}

pg::statement write_refused_counts() { return {write_counts_sql, {}}; }

std::int64_t read_counts_written(pg::rows const& rows) { return rows.integer(0, write_counts_columns::rows); }

namespace {

struct exposure_key_columns {
    enum : int { public_key };
};

// While the pepper is being changed there can be two keys; the newest one stays.
constexpr auto exposure_key_sql = "SELECT public_key FROM recruiting.exposure_keys ORDER BY created_at DESC LIMIT 1";

constexpr auto insert_exposure_sql = R"sql(
INSERT INTO recruiting.exposed_credentials
    (id, sealed, seen_in, endpoint, method, ip_address, user_agent, request_id, seen_at)
VALUES ($1, $2, $3, nullif($4, ''), $5, nullif($6, '')::inet, nullif($7, ''), $8, $9)
)sql";

} // namespace

pg::statement select_exposure_key() { return {exposure_key_sql, {}}; }

std::string_view read_exposure_key(pg::rows const& rows) {
    return rows.empty() ? std::string_view() : rows.bytes(0, exposure_key_columns::public_key);
}

pg::statement insert_exposure_report(exposure_report const& report, std::string_view sealed) {
    pg::statement out{insert_exposure_sql, {}};
    out.params.id(report.id).bytes(sealed).text(report.location).text(report.endpoint).text(report.method);
    out.params.text(report.client).text(report.user_agent).text(report.request_id).time(report.seen_at);
    return out;
}

} // namespace recruiting::audit
