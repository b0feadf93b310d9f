#include "audit/seal_store.hpp"

#include "audit/event_store.hpp"
#include "core/text.hpp"
#include "pg/periodic_task.hpp"

#include <algorithm>
#include <stdexcept>

namespace recruiting::audit {
namespace {

constexpr std::string_view event_columns =
    "l.id, l.occurred_at, l.organization_id, l.credential_id, l.credential_name, l.actor_type, l.actor_member_id, "
    "l.actor_email, l.actor_role, l.action, l.method, l.endpoint, l.path, l.target_type, l.target_id, l.status_code, "
    "l.success, l.error_code, l.required_scope, l.ip_address::text, l.user_agent, l.request_id, l.session_id, "
    "l.correlation_id, l.duration_ms, l.request_count";
// Those of stored_event_columns() come first.
struct unsealed_columns {
    enum : int { xid = 26, xid_text, head_sequence, head_hash, is_sealed };
};

// The lock is taken for the session; taking it again only counts up.
constexpr auto elect_sql = R"sql(
SELECT pg_try_advisory_lock(hashtext('recruiting.audit_sealer')), s.inserted_xid::text, s.audit_id,
       recruiting.sealer_was_restored(), waiting.occurred_at, recruiting.sees_transactions(),
       (SELECT l.system IS NOT NULL AND l.timeline IS NOT NULL FROM recruiting.server_line() l)
  FROM recruiting.audit_sealer s
  LEFT JOIN LATERAL (SELECT l.occurred_at FROM recruiting.audit_log l
                      WHERE (l.inserted_xid, l.id) > (s.inserted_xid, s.audit_id)
                      ORDER BY l.inserted_xid, l.id LIMIT 1) waiting ON true
)sql";
struct sealer_columns {
    enum : int { is_elected, inserted_xid, audit_id, was_restored, waiting_since, sees_transactions, knows_server };
};

// Every transaction of this database below the horizon has ended, so no row can appear any more at or before what is
// read here, and a transaction that commits late is not passed over. Rows that have a seal (after restart_sealer) are
// marked. The limit is part of the text, so that a generic plan knows it and reads the index.
constexpr auto unsealed_head = "SELECT batch.*, h.sequence, h.hash, sealed.yes FROM (SELECT ";
constexpr auto unsealed_tail = R"sql(, l.inserted_xid AS xid, l.inserted_xid::text AS xid_text
          FROM recruiting.audit_log l
         WHERE (l.inserted_xid, l.id) > ($1::text::xid8, $2::uuid)
           AND l.inserted_xid < (SELECT recruiting.transaction_horizon())
         ORDER BY l.inserted_xid, l.id LIMIT )sql";
constexpr auto unsealed_end = R"sql() batch
  LEFT JOIN recruiting.audit_heads h ON h.organization_id = batch.organization_id
  LEFT JOIN LATERAL (SELECT true AS yes FROM recruiting.audit_seals e
                      WHERE e.audit_id = batch.id AND e.occurred_at = batch.occurred_at LIMIT 1) sealed ON true
 ORDER BY batch.xid, batch.id
)sql";

// Both locks check the values as they are now, not at the statement's snapshot: of two sealers that read the same
// position only the first finds it unchanged. An organization's first head collides on its primary key.
constexpr auto write_sql = R"sql(
WITH here AS (
    SELECT FROM recruiting.audit_sealer WHERE inserted_xid = $1::text::xid8 AND audit_id = $2::uuid FOR UPDATE
), ends AS (
    SELECT * FROM unnest($5::uuid[], $6::bigint[], $7::bytea[], $8::bigint[], $9::bytea[])
        AS e (organization_id, sequence_before, hash_before, sequence, hash)
), unmoved AS (
    SELECT FROM recruiting.audit_heads h JOIN ends e ON h.organization_id = e.organization_id
     AND h.sequence = e.sequence_before AND h.hash = e.hash_before FOR UPDATE OF h
), go AS MATERIALIZED (
    SELECT WHERE (SELECT count(*) FROM here) = 1
             AND (SELECT count(*) FROM unmoved) = (SELECT count(*) FROM ends WHERE sequence_before > 0)
), moved AS (
    UPDATE recruiting.audit_sealer s SET inserted_xid = $3::text::xid8, audit_id = $4::uuid FROM go
), continued AS (
    UPDATE recruiting.audit_heads h SET sequence = e.sequence, hash = e.hash, updated_at = clock_timestamp()
      FROM go, ends e WHERE h.organization_id = e.organization_id AND e.sequence_before > 0
), begun AS (
    INSERT INTO recruiting.audit_heads (organization_id, sequence, hash)
    SELECT e.organization_id, e.sequence, e.hash FROM go, ends e WHERE e.sequence_before = 0
), sealed AS (
    INSERT INTO recruiting.audit_seals (organization_id, sequence, audit_id, occurred_at, previous_hash, hash)
    SELECT a.* FROM go, unnest($10::uuid[], $11::bigint[], $12::uuid[], $13::timestamptz[], $14::bytea[], $15::bytea[])
        AS a (organization_id, sequence, audit_id, occurred_at, previous_hash, hash)
)
SELECT EXISTS (SELECT FROM go)
)sql";

struct write_columns {
    enum : int { is_written };
};

constexpr auto restart_sql = "SELECT recruiting.restart_sealer()";
struct restart_columns {
    enum : int { rows };
};

void read_column(pg::rows const& from, int row, int column, uuid& to) { to = from.id(row, column); }
void read_column(pg::rows const& from, int row, int column, timestamp& to) { to = from.time(row, column); }
void read_column(pg::rows const& from, int row, int column, bool& to) { to = from.boolean(row, column); }
void read_column(pg::rows const& from, int row, int column, std::int64_t& to) { to = from.integer(row, column); }
void read_column(pg::rows const& from, int row, int column, std::string_view& to) { to = from.text(row, column); }
template <class T>
void read_column(pg::rows const& from, int row, int column, std::optional<T>& to) {
    if (!from.is_null(row, column)) read_column(from, row, column, to.emplace());
}

void append_bytes(std::string& literal, digest const& value) {
    literal += "\"\\\\x";
    literal += to_hex(bytes_of(value));
    literal += '"';
}

void add_ends(pg::params& p, std::map<uuid, sealed_batch::moved_end> const& ends) {
    add_array(p, ends, [](std::string& out, auto const& e) { append_id(out, e.first); });
    add_array(p, ends, [](std::string& out, auto const& e) { append_number(out, e.second.before.sequence); });
    add_array(p, ends, [](std::string& out, auto const& e) { append_bytes(out, e.second.before.hash); });
    add_array(p, ends, [](std::string& out, auto const& e) { append_number(out, e.second.after.sequence); });
    add_array(p, ends, [](std::string& out, auto const& e) { append_bytes(out, e.second.after.hash); });
}

void add_seals(pg::params& p, std::vector<seal> const& seals) {
    add_array(p, seals, [](std::string& out, seal const& s) { append_id(out, s.organization_id); });
    add_array(p, seals, [](std::string& out, seal const& s) { append_number(out, s.sequence); });
    add_array(p, seals, [](std::string& out, seal const& s) { append_id(out, s.audit_id); });
    add_array(p, seals, [](std::string& out, seal const& s) { out += '"' + format_time_micros(s.occurred_at) + '"'; });
    add_array(p, seals, [](std::string& out, seal const& s) { append_bytes(out, s.previous_hash); });
    add_array(p, seals, [](std::string& out, seal const& s) { append_bytes(out, s.hash); });
}

} // namespace

std::string_view stored_event_columns() noexcept { return event_columns; }

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

pg::statement as_sealer() { return pg::as_worker("sealer"); }

pg::statement elect_sealer() { return {elect_sql, {}}; }

sealer_state read_sealer_state(pg::rows const& rows) {
    if (rows.empty()) throw std::runtime_error("recruiting.audit_sealer has lost its row");
    using columns = sealer_columns;
    return {rows.boolean(0, columns::is_elected),
            rows.boolean(0, columns::was_restored),
            {std::string(rows.text(0, columns::inserted_xid)), rows.id(0, columns::audit_id)},
            rows.optional_time(0, columns::waiting_since),
            rows.boolean(0, columns::sees_transactions),
            rows.boolean(0, columns::knows_server)};
}

pg::statement select_unsealed(seal_position const& after, std::int64_t most) {
    pg::statement out{unsealed_head + std::string(event_columns) + unsealed_tail + std::to_string(most) + unsealed_end,
                      {}};
    out.params.text(after.inserted_xid).id(after.audit_id);
    return out;
}

unsealed_batch seal_unsealed(pg::rows const& rows) {
    using columns = unsealed_columns;
    unsealed_batch out;
    out.rows = rows.size();
    for (int row = 0; row < rows.size(); ++row) {
        auto const event = read_stored_event(rows, row);
        if (row + 1 == rows.size()) out.last = {std::string(rows.text(row, columns::xid_text)), event.id};
        if (!rows.is_null(row, columns::is_sealed)) continue;
        chain_end end;
        if (!rows.is_null(row, columns::head_sequence))
            end = {rows.integer(row, columns::head_sequence), read_digest(rows, row, columns::head_hash)};
        out.sealed.add(event, end);
    }
    return out;
}

pg::statement write_seals(sealed_batch const& batch, seal_position const& from, seal_position const& to) {
    pg::statement out{write_sql, {}};
    out.params.text(from.inserted_xid).id(from.audit_id).text(to.inserted_xid).id(to.audit_id);
    add_ends(out.params, batch.ends());
    add_seals(out.params, batch.seals());
    return out;
}

bool read_seals_written(pg::rows const& rows) { return rows.boolean(0, write_columns::is_written); }

pg::statement restart_sealer() { return {restart_sql, {}}; }

std::optional<std::int64_t> read_restarted(pg::rows const& rows) {
    return rows.optional_integer(0, restart_columns::rows);
}

} // namespace recruiting::audit
