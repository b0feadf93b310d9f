// The sealer's state, and whether the newest seals are as they were written. `recruitctl audit verify` checks them all;
// this is quick whatever the log holds. And the queues that the workers empty.
#include "audit/seal_store.hpp"
#include "audit/verify.hpp"
#include "recruitctl/doctor/database.hpp"

namespace recruiting::recruitctl::doctor {
namespace {

// Rows of transactions that still run are not the sealer's fault, but they are waited for all the same. Rows with a
// seal don't wait, though the sealer reads them again after a restore: then the newest rows tell. Rows with numbers
// that this server has not reached came with a dump, and the sealer renumbers those without a seal.
constexpr std::string_view waiting_sql = R"sql(
WITH looked_at AS (
    (SELECT l.id, l.occurred_at FROM recruiting.audit_log l, recruiting.audit_sealer s
      WHERE (l.inserted_xid, l.id) > (s.inserted_xid, s.audit_id) ORDER BY l.inserted_xid, l.id LIMIT 2000)
     UNION ALL
    (SELECT l.id, l.occurred_at FROM recruiting.audit_log l
      WHERE l.inserted_xid < pg_snapshot_xmax(pg_current_snapshot())
      ORDER BY l.inserted_xid DESC, l.id DESC LIMIT 2000)
)
SELECT coalesce(extract(epoch FROM clock_timestamp() - min(w.occurred_at)), 0)::bigint,
       coalesce(extract(epoch FROM clock_timestamp() - (SELECT max(updated_at) FROM recruiting.audit_heads)), -1)::bigint,
       (SELECT count(*) FROM recruiting.audit_sealer)
  FROM looked_at w
 WHERE NOT EXISTS (SELECT FROM recruiting.audit_seals e WHERE e.audit_id = w.id AND e.occurred_at = w.occurred_at)
)sql";
struct waiting_columns {
    enum : int { unsealed_seconds, last_seal_seconds, sealers };
};

// hide_statistics.sql takes it from whoever is no member of pg_monitor.
constexpr std::string_view sees_locks_sql = "SELECT has_function_privilege('pg_lock_status()', 'EXECUTE')";
struct lock_view_columns {
    enum : int { is_open };
};
// An advisory lock of one key is shown in two halves.
constexpr std::string_view elected_sql = R"sql(
SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
                  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                  AND ((classid::bigint << 32) | objid::bigint) = hashtext('recruiting.audit_sealer')::bigint)
)sql";
struct elected_columns {
    enum : int { is_elected };
};

constexpr std::string_view heads_sql = R"sql(
SELECT organization_id, sequence, hash FROM recruiting.audit_heads ORDER BY updated_at DESC LIMIT $1::bigint
)sql";
struct head_columns {
    enum : int { organization, sequence, hash };
};

// A chain's newest seals with their rows, the oldest of them first. Where retention took the row it kept the seal.
constexpr auto seals_head =
    "SELECT s.sequence, s.audit_id, s.occurred_at, s.previous_hash, s.hash, s.kept, l.id IS NOT NULL, ";
constexpr auto seals_tail = R"sql(
  FROM (SELECT * FROM (SELECT *, false AS kept FROM recruiting.audit_seals
                        UNION ALL
                       SELECT *, true FROM recruiting.audit_seals_kept) both_kinds
         WHERE organization_id = $1::uuid ORDER BY sequence DESC LIMIT $2::bigint) s
  LEFT JOIN recruiting.audit_log l ON l.id = s.audit_id AND l.occurred_at = s.occurred_at
 ORDER BY s.sequence
)sql";
struct seal_columns {
    enum : int { sequence, audit_id, occurred_at, previous_hash, hash, is_kept, has_event, first_of_event };
};

// One moment for heads, seals and rows, while the sealer works on.
constexpr std::string_view snapshot_sql = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY";

void check_chain(pg::client& database, uuid const& organization, audit::chain_end const& head, std::int64_t most,
                 sealer_facts& into) {
    static auto const sql = seals_head + std::string(audit::stored_event_columns()) + seals_tail;
    auto const rows = database.run(sql, pg::params{}.id(organization).integer(most));
    if (rows.empty()) return; // retention took them all
    audit::chain_start const start{
        {rows.integer(0, seal_columns::sequence) - 1, audit::read_digest(rows, 0, seal_columns::previous_hash)},
        timestamp::max()};
    audit::chain_check check(organization, start, {}, [&](audit::discrepancy const& found) {
        into.wrong.push_back(std::string(to_string(found.kind)) + ": organization " + to_string(organization) + ": " +
                             found.message);
    });
    for (int i = 0; i < rows.size(); ++i) {
        audit::stored_seal const seal{
            rows.integer(i, seal_columns::sequence), rows.id(i, seal_columns::audit_id),
            rows.time(i, seal_columns::occurred_at), rows.bytes(i, seal_columns::previous_hash),
            rows.bytes(i, seal_columns::hash),       rows.boolean(i, seal_columns::is_kept)};
        if (!rows.boolean(i, seal_columns::has_event)) {
            check.add(seal, nullptr);
            continue;
        }
        auto const event = audit::read_stored_event(rows, i, seal_columns::first_of_event);
        check.add(seal, &event);
    }
    check.finish(head);
    into.checked += check.checked();
}

constexpr std::string_view mails_sql = R"sql(
SELECT count(*) FILTER (WHERE status = 'waiting'), count(*) FILTER (WHERE status = 'dead'),
       coalesce(extract(epoch FROM clock_timestamp()
                - min(next_attempt_at) FILTER (WHERE status = 'waiting')), 0)::bigint
  FROM recruiting.mail_outbox WHERE status IN ('waiting', 'dead')
)sql";
struct mail_queue_columns {
    enum : int { waiting, dead, due_seconds };
};
constexpr std::string_view requests_sql = R"sql(
SELECT count(*), coalesce(extract(epoch FROM clock_timestamp() - min(received_at)), 0)::bigint,
       count(*) FILTER (WHERE attempts >= 5)
  FROM recruiting.booking_requests
)sql";
struct request_queue_columns {
    enum : int { waiting, oldest_seconds, tried_often };
};
constexpr std::string_view runs_sql = R"sql(
SELECT count(*), count(*) FILTER (WHERE lease_expires_at < clock_timestamp() - interval '1 minute')
  FROM recruiting.agent_runs WHERE status = 'in_progress'
)sql";
struct run_queue_columns {
    enum : int { in_progress, overdue };
};
constexpr std::string_view exposures_sql = R"sql(
SELECT coalesce(extract(epoch FROM clock_timestamp() - min(seen_at)), 0)::bigint FROM recruiting.exposed_credentials
)sql";
struct exposure_columns {
    enum : int { waiting_seconds };
};

} // namespace

sealer_facts read_sealer(pg::client& database, database_questions const& ask) {
    sealer_facts out;
    pg::transaction const moment(database);
    database.run(snapshot_sql);
    auto const waiting = database.run(waiting_sql);
    if (waiting.integer(0, waiting_columns::sealers) == 0) {
        out.wrong.emplace_back("recruiting.audit_sealer has lost its row");
        return out;
    }
    out.unsealed_seconds = waiting.integer(0, waiting_columns::unsealed_seconds);
    out.last_seal_seconds = waiting.integer(0, waiting_columns::last_seal_seconds);
    if (database.run(sees_locks_sql).boolean(0, lock_view_columns::is_open))
        out.elected = database.run(elected_sql).boolean(0, elected_columns::is_elected);
    auto const heads = database.run(heads_sql, pg::params{}.integer(ask.chains));
    for (int i = 0; i < heads.size(); ++i)
        check_chain(database, heads.id(i, head_columns::organization),
                    {heads.integer(i, head_columns::sequence), audit::read_digest(heads, i, head_columns::hash)},
                    ask.seals_per_chain, out);
    return out;
}

queue_facts read_queues(pg::client& database) {
    queue_facts out;
    auto const mails = database.run(mails_sql);
    out.mails_waiting = mails.integer(0, mail_queue_columns::waiting);
    out.mails_dead = mails.integer(0, mail_queue_columns::dead);
    out.mails_due_seconds = mails.integer(0, mail_queue_columns::due_seconds);
    auto const requests = database.run(requests_sql);
    out.requests_waiting = requests.integer(0, request_queue_columns::waiting);
    out.requests_oldest_seconds = requests.integer(0, request_queue_columns::oldest_seconds);
    out.requests_tried_often = requests.integer(0, request_queue_columns::tried_often);
    auto const runs = database.run(runs_sql);
    out.runs_in_progress = runs.integer(0, run_queue_columns::in_progress);
    out.runs_overdue = runs.integer(0, run_queue_columns::overdue);
    out.exposures_waiting_seconds = database.run(exposures_sql).integer(0, exposure_columns::waiting_seconds);
    return out;
}

} // namespace recruiting::recruitctl::doctor
