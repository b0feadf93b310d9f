#include "recruitctl/erasure/organization_store.hpp"

#include "recruitctl/command.hpp"

#include <chrono>
#include <thread>

namespace recruiting::recruitctl::erasure {
namespace {

constexpr std::string_view count_rows = R"(
SELECT (SELECT count(*) FROM recruiting.memberships WHERE organization_id = $1 AND status <> 'removed'),
       (SELECT count(*) FROM recruiting.api_keys
         WHERE organization_id = $1 AND revoked_at IS NULL AND expires_at > clock_timestamp()),
       (SELECT count(*) FROM recruiting.jobs WHERE organization_id = $1),
       (SELECT count(*) FROM recruiting.candidates WHERE organization_id = $1),
       (SELECT count(*) FROM recruiting.agent_sessions WHERE organization_id = $1),
       (SELECT count(*) FROM recruiting.bookings
         WHERE organization_id = $1 AND status = 'confirmed' AND starts_at > now()))";

constexpr std::string_view disabling[] = {
    "SELECT FROM recruiting.organizations WHERE id = $1 FOR UPDATE",
    "INSERT INTO recruiting.erasures (subject_id, organization_id) VALUES ($1, $1) ON CONFLICT DO NOTHING",
    R"(UPDATE recruiting.api_keys SET revoked_at = clock_timestamp(), updated_at = clock_timestamp()
        WHERE organization_id = $1 AND revoked_at IS NULL)",
    R"(UPDATE recruiting.memberships SET status = 'removed', removed_at = clock_timestamp()
        WHERE organization_id = $1 AND status <> 'removed')",
    R"(UPDATE recruiting.agent_runs SET status = 'failed', failure = 'organization_deleted', finished_at = clock_timestamp()
        WHERE organization_id = $1 AND status = 'in_progress')",
    "DELETE FROM recruiting.webhooks WHERE organization_id = $1",
    "UPDATE recruiting.jobs SET published = false WHERE organization_id = $1 AND published",
    "DELETE FROM recruiting.booking_requests WHERE organization_id = $1",
    "DELETE FROM recruiting.mail_outbox WHERE organization_id = $1 AND status = 'waiting'",
};

struct batch {
    std::string_view table;
    std::string_view sql; // $1: the organization; $2: how many rows
};

// Each is repeated until it deletes nothing. A batch of parents takes its children along by their indexes, because most
// tables have none of the organization; foreign keys are checked when the statement has ended. Triggers then find no
// candidate to count or to report. What they write of members' teams goes afterwards.
constexpr batch batches[] = {
    {"agent_sessions", R"(
        WITH s AS MATERIALIZED (SELECT id FROM recruiting.agent_sessions WHERE organization_id = $1 LIMIT $2 FOR UPDATE),
             m AS (DELETE FROM recruiting.agent_messages WHERE session_id = ANY (ARRAY(SELECT id FROM s))),
             r AS (DELETE FROM recruiting.agent_runs WHERE session_id = ANY (ARRAY(SELECT id FROM s)))
        DELETE FROM recruiting.agent_sessions WHERE id = ANY (ARRAY(SELECT id FROM s)))"},
    {"candidates", R"(
        WITH c AS MATERIALIZED (SELECT id FROM recruiting.candidates WHERE organization_id = $1 LIMIT $2 FOR UPDATE),
             k AS MATERIALIZED (SELECT id FROM recruiting.bookings WHERE candidate_id = ANY (ARRAY(SELECT id FROM c))),
             m AS (DELETE FROM recruiting.mail_outbox WHERE booking_id = ANY (ARRAY(SELECT id FROM k))),
             l AS (DELETE FROM recruiting.booking_tokens WHERE booking_id = ANY (ARRAY(SELECT id FROM k))),
             d AS (DELETE FROM recruiting.decline_tokens WHERE booking_id = ANY (ARRAY(SELECT id FROM k))),
             b AS (DELETE FROM recruiting.bookings WHERE id = ANY (ARRAY(SELECT id FROM k))),
             a AS (DELETE FROM recruiting.applications WHERE candidate_id = ANY (ARRAY(SELECT id FROM c))),
             j AS (DELETE FROM recruiting.job_candidates WHERE candidate_id = ANY (ARRAY(SELECT id FROM c))),
             t AS (DELETE FROM recruiting.candidate_terms WHERE candidate_id = ANY (ARRAY(SELECT id FROM c)))
        DELETE FROM recruiting.candidates WHERE id = ANY (ARRAY(SELECT id FROM c)))"},
    {"unmatched_booking_requests", R"(
        DELETE FROM recruiting.unmatched_booking_requests WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM recruiting.unmatched_booking_requests WHERE organization_id = $1 LIMIT $2)))"},
    {"interview_slots", R"(
        DELETE FROM recruiting.interview_slots WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM recruiting.interview_slots WHERE organization_id = $1 LIMIT $2)))"},
    {"hiring_teams", R"(
        DELETE FROM recruiting.hiring_teams WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM recruiting.hiring_teams WHERE organization_id = $1 LIMIT $2)))"},
    {"reach_changes", R"(
        DELETE FROM recruiting.reach_changes WHERE ctid = ANY (ARRAY(
            SELECT r.ctid FROM recruiting.memberships m JOIN recruiting.reach_changes r ON r.membership_id = m.id
             WHERE m.organization_id = $1 LIMIT $2)))"},
    {"jobs", R"(
        WITH j AS MATERIALIZED (SELECT id FROM recruiting.jobs WHERE organization_id = $1 LIMIT $2 FOR UPDATE),
             c AS (DELETE FROM recruiting.stage_counts WHERE job_id = ANY (ARRAY(SELECT id FROM j))),
             n AS (DELETE FROM recruiting.job_counts WHERE job_id = ANY (ARRAY(SELECT id FROM j))),
             s AS (DELETE FROM recruiting.stages WHERE job_id = ANY (ARRAY(SELECT id FROM j)))
        DELETE FROM recruiting.jobs WHERE id = ANY (ARRAY(SELECT id FROM j)))"},
    {"usage_records", R"(
        DELETE FROM recruiting.usage_records WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM recruiting.usage_records WHERE organization_id = $1 LIMIT $2)))"},
    {"invoices", R"(
        DELETE FROM recruiting.invoices WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM recruiting.invoices WHERE organization_id = $1 LIMIT $2)))"},
    {"api_keys", R"(
        DELETE FROM recruiting.api_keys WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM recruiting.api_keys WHERE organization_id = $1 LIMIT $2)))"},
    {"erasures", R"(
        DELETE FROM recruiting.erasures WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM recruiting.erasures WHERE organization_id = $1 AND subject_id <> $1 LIMIT $2)))"},
    {"mail_outbox", "DELETE FROM recruiting.mail_outbox WHERE organization_id = $1 AND $2::bigint > 0"},
    // And the people who are members nowhere else.
    {"memberships", R"(
        WITH m AS (DELETE FROM recruiting.memberships WHERE ctid = ANY (ARRAY(
                       SELECT ctid FROM recruiting.memberships WHERE organization_id = $1 LIMIT $2)) RETURNING user_id),
             u AS MATERIALIZED (SELECT u.id, u.email_key FROM m JOIN recruiting.users u ON u.id = m.user_id
                                 WHERE NOT EXISTS (SELECT FROM recruiting.memberships o
                                                    WHERE o.user_id = u.id AND o.organization_id <> $1)),
             c AS (DELETE FROM recruiting.console_sessions s USING u WHERE s.user_id = u.id),
             t AS (DELETE FROM recruiting.sign_in_tokens t USING u WHERE t.user_id = u.id),
             r AS (DELETE FROM recruiting.sign_in_requests r USING u WHERE r.email_key = u.email_key),
             o AS (DELETE FROM recruiting.mail_outbox o USING u WHERE o.user_id = u.id),
             d AS (DELETE FROM recruiting.users d USING u WHERE d.id = u.id)
        SELECT FROM m)"},
    {"audit_refusals", "DELETE FROM recruiting.audit_refusals WHERE organization_id = $1 AND $2::bigint > 0"},
};

// Deleted jobs and stages have the tables that refer to them read, those of other organizations as well, where the role
// may not switch that off; a superuser may. Nothing is left to chance by it: the batches delete all that refers to
// their rows.
constexpr std::string_view set_triggers = R"(
SELECT set_config('session_replication_role', $1, false)
 WHERE has_parameter_privilege('session_replication_role', 'SET'))";

// Rows that wait are sealed first: sealed later, they would begin another chain.
constexpr std::string_view seal = "SELECT recruiting.seal_audit_rows(100000)";
constexpr batch audit_rows{"audit_log", R"(
    DELETE FROM recruiting.audit_log a USING (
        SELECT occurred_at, id FROM recruiting.audit_log WHERE organization_id = $1 ORDER BY occurred_at, id LIMIT $2) d
     WHERE a.organization_id = $1 AND a.occurred_at = d.occurred_at AND a.id = d.id)"};

constexpr std::string_view last[] = {
    "DELETE FROM recruiting.reach_changes WHERE organization_id = $1", // of members that a move had not copied yet
    "DELETE FROM recruiting.audit_heads WHERE organization_id = $1",
    "DELETE FROM recruiting.audit_chain_starts WHERE organization_id = $1",
    "DELETE FROM recruiting.audit_seals_kept WHERE organization_id = $1",
    "DELETE FROM recruiting.subscriptions WHERE organization_id = $1",
    "DELETE FROM recruiting.organizations WHERE id = $1",
};

constexpr std::int64_t rows_at_once = 500;

void repeat(pg::client& database, uuid const& organization_id, batch const& of,
            std::function<void(std::string_view, std::int64_t)> const& deleted) {
    for (;;) {
        auto const done = database.run(of.sql, pg::params{}.id(organization_id).integer(rows_at_once)).affected();
        if (done == 0) return;
        deleted(of.table, done);
    }
}

void seal_all(pg::client& database) {
    for (;;) {
        auto const sealed = database.run(seal);
        if (sealed.is_null(0, 0)) std::this_thread::sleep_for(std::chrono::milliseconds{100}); // another one seals
        else if (sealed.integer(0, 0) == 0) return;
    }
}

} // namespace

organization_counts count_organization(pg::client& database, uuid const& organization_id) {
    organization_counts counts;
    auto const found = database.run(count_rows, pg::params{}.id(organization_id));
    found[0].read(counts.members, counts.keys, counts.jobs, counts.candidates, counts.sessions,
                  counts.interviews_ahead);
    return counts;
}

void disable_organization(pg::client& database, uuid const& organization_id) {
    pg::transaction transaction(database);
    for (auto const sql : disabling) database.run(sql, pg::params{}.id(organization_id));
    transaction.commit();
}

void delete_organization(pg::client& database, uuid const& organization_id,
                         std::function<void(std::string_view, std::int64_t)> const& deleted) {
    database.run(set_triggers, pg::params{}.text("replica"));
    for (auto const& of : batches) repeat(database, organization_id, of, deleted);
    database.run(set_triggers, pg::params{}.text("origin"));
    seal_all(database);
    repeat(database, organization_id, audit_rows, deleted);
    pg::transaction transaction(database);
    for (auto const sql : last) database.run(sql, pg::params{}.id(organization_id));
    transaction.commit();
}

} // namespace recruiting::recruitctl::erasure
