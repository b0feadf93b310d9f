// How long audit rows wait, and whether the newest are as they were sealed. `recruitctl audit verify` checks them all;
// this is quick whatever the log holds. And the queues that the workers empty, and the organizations that they leave
// alone.
#include "audit/seal_store.hpp"
#include "audit/verify.hpp"
#include "recruitctl/doctor/database.hpp"

namespace recruiting::recruitctl::doctor {
namespace {

constexpr std::string_view waiting_sql = R"sql(
SELECT coalesce(extract(epoch FROM clock_timestamp() - recruiting.audit_waiting_since()), 0)::bigint,
       coalesce(extract(epoch FROM clock_timestamp() - (SELECT max(updated_at) FROM recruiting.audit_heads)), -1)::bigint,
       (SELECT count(*) FROM recruiting.audit_set_aside)
)sql";
struct waiting_columns {
    enum : int { unsealed_seconds, last_seal_seconds, set_aside };
};

constexpr std::string_view heads_sql = R"sql(
SELECT organization_id, sequence, hash FROM recruiting.audit_heads ORDER BY updated_at DESC LIMIT $1::bigint
)sql";
struct head_columns {
    enum : int { organization, sequence, hash };
};

// A chain's newest rows, the oldest of them first.
constexpr auto rows_head = "SELECT l.sequence, l.id, l.occurred_at, l.hash, l.kept, ";
constexpr auto rows_from = " FROM (SELECT * FROM ";
constexpr auto rows_tail = R"sql(
         WHERE organization_id = $1::uuid AND sequence IS NOT NULL ORDER BY sequence DESC LIMIT $2::bigint) l
 ORDER BY l.sequence
)sql";
struct row_columns {
    enum : int { sequence, id, occurred_at, hash, is_kept, first_of_event };
};

// One moment for heads and rows, while more are sealed.
constexpr std::string_view snapshot_sql = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY";

// One row more is read than checked: its hash is what the first one continues.
void check_chain(pg::client& database, uuid const& organization, audit::chain_end const& head, std::int64_t most,
                 sealer_facts& into) {
    static auto const sql = rows_head + std::string(audit::stored_event_columns()) + rows_from +
                            std::string(audit::chained_rows()) + rows_tail;
    auto const rows = database.run(sql, pg::params{}.id(organization).integer(most + 1));
    if (rows.empty()) return; // retention took them all
    int next = 0;
    std::optional<audit::chain_start> start;
    if (auto const first = rows.integer(0, row_columns::sequence); first > 1) {
        start = {{first, audit::read_digest(rows, 0, row_columns::hash)}, timestamp::max()};
        ++next;
    }
    audit::chain_check check(organization, start, {}, [&](audit::discrepancy const& found) {
        into.wrong.push_back(std::string(to_string(found.kind)) + ": organization " + to_string(organization) + ": " +
                             found.message);
    });
    for (; next < rows.size(); ++next) {
        auto const event = audit::read_stored_event(rows, next, row_columns::first_of_event);
        check.add({rows.integer(next, row_columns::sequence), rows.id(next, row_columns::id),
                   rows.time(next, row_columns::occurred_at), rows.bytes(next, row_columns::hash)},
                  rows.boolean(next, row_columns::is_kept) ? nullptr : &event);
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
    out.unsealed_seconds = waiting.integer(0, waiting_columns::unsealed_seconds);
    out.last_seal_seconds = waiting.integer(0, waiting_columns::last_seal_seconds);
    out.set_aside = waiting.integer(0, waiting_columns::set_aside);
    auto const heads = database.run(heads_sql, pg::params{}.integer(ask.chains));
    for (int i = 0; i < heads.size(); ++i)
        check_chain(database, heads.id(i, head_columns::organization),
                    {heads.integer(i, head_columns::sequence), audit::read_digest(heads, i, head_columns::hash)},
                    ask.rows_per_chain, out);
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
