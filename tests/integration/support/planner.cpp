#include "integration/support/planner.hpp"

#include "auth_api/http/read.hpp"
#include "core/text.hpp"
#include "public_api/catalogue/catalogue_store.hpp"
#include "support/catch.hpp"

#include <boost/json.hpp>

namespace recruiting::test {
namespace {

using namespace std::string_literals;

constexpr auto organization = "00000001-0000-7000-8000-000000000001";

// Eight organizations of one size: 20,000 candidates with an application each to one of 104 jobs, 4,000 jobs in all,
// 2,000 members, this month's 20,000 audit rows with their seals. Enough that an index is cheaper than the table for
// whatever can use one, and than a sort where a page is short of what it is taken from.
constexpr auto fill = R"sql(
CREATE FUNCTION pg_temp.id(kind integer, n integer) RETURNS uuid LANGUAGE sql IMMUTABLE AS
    $$ SELECT (lpad(to_hex(kind), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid $$;
CREATE FUNCTION pg_temp.organization(n integer) RETURNS uuid LANGUAGE sql IMMUTABLE AS
    $$ SELECT pg_temp.id(1, 1 + n % 8) $$;
INSERT INTO recruiting.organizations (id, slug, name)
SELECT pg_temp.id(1, n), 'o' || n, 'Organization ' || n FROM generate_series(1, 3000) n;
INSERT INTO recruiting.users (id, email_key, name)
SELECT pg_temp.id(2, n), 'member' || n || '@plans.example', 'Member ' || n FROM generate_series(1, 2000) n;
INSERT INTO recruiting.memberships (id, organization_id, user_id, email, role)
SELECT pg_temp.id(3, n), pg_temp.organization(n), pg_temp.id(2, n), 'member' || n || '@plans.example', 'hiring_manager' FROM generate_series(1, 2000) n;
INSERT INTO recruiting.api_keys (id, organization_id, membership_id, name, secret_hash, displayed_prefix, environment,
                                 scopes, expires_at)
SELECT pg_temp.id(4, n), pg_temp.organization(n), pg_temp.id(3, n), 'key ' || n, sha256(n::text::bytea), 'sp_test_',
       'test', '{*}', now() + interval '1 day' FROM generate_series(1, 2000) n;
INSERT INTO recruiting.jobs (id, organization_id, title, status, department, published, published_at)
SELECT pg_temp.id(5, n), pg_temp.organization(n), 'Job ' || n, (ARRAY['draft', 'open', 'closed'])[1 + n % 3],
       'Department ' || n % 20, n % 3 = 1, now() FROM generate_series(0, 3999) n;
INSERT INTO recruiting.hiring_teams (organization_id, job_id, membership_id)
SELECT pg_temp.organization(n), pg_temp.id(5, n), pg_temp.id(3, 1 + n % 2000) FROM generate_series(0, 3999) n;
INSERT INTO recruiting.stages (id, organization_id, job_id, name, kind, position, bookable, interview_duration_minutes)
SELECT pg_temp.id(6, n), pg_temp.organization(n), pg_temp.id(5, n % 4000), 'Stage ' || n / 4000, 'screen', n / 4000,
       true, 45
FROM generate_series(0, 11999) n;
INSERT INTO recruiting.candidates (id, organization_id, name, email, email_key, source, tags, created_at)
SELECT pg_temp.id(7, n), pg_temp.organization(n), 'Person ' || md5(n::text), 'p' || n || '@plans.example',
       'p' || n || '@plans.example',
       'source ' || n % 5, ARRAY['tag' || n % 50], now() - n * interval '1 minute' FROM generate_series(1, 20000) n;
INSERT INTO recruiting.applications (id, organization_id, candidate_id, job_id, stage_id)
SELECT pg_temp.id(8, n), pg_temp.organization(n), pg_temp.id(7, n), pg_temp.id(5, n % 104), pg_temp.id(6, n % 104)
FROM generate_series(1, 20000) n;
INSERT INTO recruiting.applications (id, organization_id, candidate_id, job_id, stage_id)
SELECT pg_temp.id(12, n), pg_temp.organization(n), pg_temp.id(7, 1 + n), pg_temp.id(5, n), pg_temp.id(6, n)
FROM generate_series(104, 3999) n;
INSERT INTO recruiting.reach_changes (organization_id, membership_id, candidate_id, job_id, changed_xid, changed_at)
SELECT a.organization_id, pg_temp.id(3, 1 + n % 8 + 8 * (n % 250)), a.candidate_id, a.job_id, pg_current_xact_id(), now()
FROM generate_series(1, 20000) n JOIN recruiting.applications a ON a.id = pg_temp.id(8, n);
INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, credential_id, actor_type, actor_member_id, action,
                                  endpoint, status_code, success, request_id, session_id, sequence, hash)
SELECT pg_temp.id(9, n), date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' + n * interval '1 second',
       pg_temp.organization(n), pg_temp.id(4, 1 + n % 2000), 'api_key', pg_temp.id(3, 1 + n % 2000), 'api.request',
       '/api/v1/jobs', 200, true, 'request' || n, pg_temp.id(10, n % 500), n, '\x00' FROM generate_series(1, 20000) n;
INSERT INTO recruiting.usage_records (id, organization_id, kind, occurred_at)
SELECT pg_temp.id(11, n), pg_temp.organization(n), 'booking', now() - n * interval '1 hour'
FROM generate_series(1, 20000) n;
INSERT INTO recruiting.agent_sessions (id, organization_id, membership_id, credential_id, title, status, last_run_at,
                                       created_at)
SELECT pg_temp.id(10, n), pg_temp.organization(n), pg_temp.id(3, 1 + n % 2000), pg_temp.id(4, 1 + n % 2000),
       'Session ' || md5(n::text), (ARRAY['failed', 'completed', 'completed', 'completed'])[1 + n % 4], now(),
       now() - n * interval '1 minute' FROM generate_series(1, 20000) n;
UPDATE recruiting.agent_sessions SET status = 'in_progress' WHERE id IN (
    SELECT pg_temp.id(10, n * 500) FROM generate_series(1, 40) n);
INSERT INTO recruiting.agent_runs (id, organization_id, session_id, membership_id, credential_id, prompt_hash, status,
                                   model, reply, failure, lease_owner, lease_expires_at, started_at, finished_at)
SELECT gen_random_uuid(), s.organization_id, s.id, s.membership_id, s.credential_id, sha256(''), s.status, 'm',
       CASE WHEN s.status = 'completed' THEN 'r' END, CASE WHEN s.status = 'failed' THEN 'f' END, s.id, now(),
       s.created_at, CASE WHEN s.status <> 'in_progress' THEN now() END FROM recruiting.agent_sessions s;
INSERT INTO recruiting.agent_messages (id, position, organization_id, session_id, run_id, membership_id, role, content)
SELECT gen_random_uuid(), n, r.organization_id, r.session_id, r.id, r.membership_id, 'user', 'p'
FROM recruiting.agent_runs r CROSS JOIN generate_series(0, 1) n;
)sql";

// Interviews of the applications above, without the mails, audit rows and usage that booking them would write.
constexpr auto fill_bookings = R"sql(
INSERT INTO recruiting.interview_slots (id, organization_id, job_id, stage_id, membership_id, starts_at, ends_at)
SELECT pg_temp.id(20, n), pg_temp.organization(n), pg_temp.id(5, n % 104), pg_temp.id(6, n % 104),
       pg_temp.id(3, 1 + n % 2000), now() + (n - 10000) * interval '1 hour',
       now() + (n - 10000) * interval '1 hour' + interval '45 minutes'
FROM generate_series(1, 20000) n;
ALTER TABLE recruiting.bookings DISABLE TRIGGER USER;
INSERT INTO recruiting.bookings (id, organization_id, application_id, candidate_id, job_id, stage_id, status, slot_id,
                                 membership_id, starts_at, ends_at, time_zone, calendar_uid)
SELECT pg_temp.id(21, n), a.organization_id, a.id, a.candidate_id, a.job_id, a.stage_id, 'confirmed',
       pg_temp.id(20, n), pg_temp.id(3, 1 + n % 2000), now() + (n - 10000) * interval '1 hour',
       now() + (n - 10000) * interval '1 hour' + interval '45 minutes', 'UTC', gen_random_uuid()
FROM generate_series(1, 20000) n JOIN recruiting.applications a ON a.id = pg_temp.id(8, n);
ALTER TABLE recruiting.bookings ENABLE TRIGGER USER;
INSERT INTO recruiting.booking_tokens (hash, join_hash, organization_id, booking_id, expires_at)
SELECT sha256(b.id::text::bytea), sha256(b.id::text::bytea), b.organization_id, b.id, b.ends_at FROM recruiting.bookings b;
INSERT INTO recruiting.decline_tokens (hash, organization_id, booking_id, membership_id, calendar_uid, starts_at, ends_at,
                                       expires_at)
SELECT sha256(b.id::text::bytea), b.organization_id, b.id, b.membership_id, b.calendar_uid, b.starts_at, b.ends_at,
       b.ends_at FROM recruiting.bookings b;
INSERT INTO recruiting.mail_outbox (id, organization_id, booking_id, audience, kind, time_zone, calendar_uid, sequence,
                                    status, finished_at)
SELECT gen_random_uuid(), b.organization_id, b.id, 'candidate', 'confirmed', 'UTC', b.calendar_uid, 0,
       CASE WHEN n % 100 = 0 THEN 'waiting' ELSE 'sent' END, CASE WHEN n % 100 <> 0 THEN now() END
FROM generate_series(1, 20000) n JOIN recruiting.bookings b ON b.id = pg_temp.id(21, n);
INSERT INTO recruiting.booking_requests (organization_id, job_id, stage_id, starts_at, email)
SELECT organization_id, job_id, stage_id, starts_at, 'p@plans.example' FROM recruiting.interview_slots;
INSERT INTO recruiting.unmatched_booking_requests (id, organization_id, job_id, stage_id, email, email_key, starts_at,
                                                   first_received_at, last_received_at)
SELECT gen_random_uuid(), organization_id, job_id, stage_id, 'stranger' || id || '@plans.example',
       'stranger' || id || '@plans.example', starts_at, starts_at, starts_at FROM recruiting.interview_slots ORDER BY md5(id::text);
INSERT INTO recruiting.console_sessions (id, hash, user_id, membership_id, expires_at, idle_expires_at)
SELECT gen_random_uuid(), sha256(n::text::bytea), pg_temp.id(2, 1 + n % 2000), pg_temp.id(3, 1 + n % 2000),
       now() + interval '1 day', now() + interval '1 hour' FROM generate_series(1, 20000) n;
INSERT INTO recruiting.sign_in_tokens (hash, user_id, email_key, expires_at)
SELECT sha256(n::text::bytea), u.id, u.email_key, now() + interval '1 hour'
FROM generate_series(1, 20000) n JOIN recruiting.users u ON u.id = pg_temp.id(2, 1 + n % 2000);
ANALYZE;
)sql";

std::string literal(pg::params::bound const& value) {
    if (!value.text) return "NULL";
    std::string out = "'";
    for (char const c : *value.text) out.append(c == '\'' ? "''" : std::string(1, c));
    return out + "'";
}

// Subscriptions (a row an organization), and the partitions of other months, hold nothing here and may be scanned.
bool scans_large_table(std::string const& plan) {
    auto month = format_time(system_time().now()).substr(0, 7); // "2026-11"
    month[4] = '_';
    for (std::string const& table : {"candidates"s,
                                     "candidate_terms"s,
                                     "applications"s,
                                     "jobs"s,
                                     "stages"s,
                                     "hiring_teams"s,
                                     "memberships"s,
                                     "users"s,
                                     "api_keys"s,
                                     "usage_records"s,
                                     "organizations"s,
                                     "job_counts"s,
                                     "stage_counts"s,
                                     "job_candidates"s,
                                     "reach_changes"s,
                                     "agent_sessions"s,
                                     "agent_runs"s,
                                     "agent_messages"s,
                                     "interview_slots"s,
                                     "bookings"s,
                                     "booking_requests"s,
                                     "booking_tokens"s,
                                     "decline_tokens"s,
                                     "mail_outbox"s,
                                     "unmatched_booking_requests"s,
                                     "console_sessions"s,
                                     "sign_in_tokens"s,
                                     "audit_log_" + month})
        if (plan.find("Seq Scan on " + table) != std::string::npos) return true;
    return false;
}

// Of a plan's node and all below it: rows of tables and indexes, those that a filter removes too.
std::int64_t rows_of(boost::json::object const& node) {
    auto const number = [&](std::string_view name) {
        auto const* const found = node.if_contains(name);
        return found == nullptr ? 0.0 : found->to_number<double>();
    };
    double rows = 0;
    if (node.contains("Relation Name"))
        rows = (number("Actual Rows") + number("Rows Removed by Filter") + number("Rows Removed by Index Recheck")) *
               number("Actual Loops");
    auto total = static_cast<std::int64_t>(rows);
    if (auto const* const below = node.if_contains("Plans"))
        for (auto const& one : below->as_array()) total += rows_of(one.as_object());
    return total;
}

bool sorts(std::string const& plan) { return plan.find("Sort Key") != std::string::npos; }

} // namespace

namespace {

std::string_view options_of(planner::program as) {
    if (as == planner::program::auth_api) return auth_api::plan_options;
    return as == planner::program::catalogue ? public_api::plan_options : "-c plan_cache_mode=force_generic_plan";
}

} // namespace

planner::planner(std::string const& url, program as) : database_(url, "plans") {
    for (auto const word : split(options_of(as), ' '))
        if (word != "-c") database_.script("SET " + std::string(word));
}

void planner::set(std::string_view name, std::string_view value) {
    static_cast<void>(
        database_.run("SELECT set_config('recruiting.' || $1, $2, false)", pg::params().text(name).text(value)));
}

void planner::become(std::string_view role) {
    set("organization_id", organization);
    set("member_id", "00000003-0000-7000-8000-000000000001");
    set("role", role);
}

std::string planner::prepare(pg::statement const& what) {
    std::string values;
    for (auto const& value : what.params.values()) values += (values.empty() ? "(" : ", ") + literal(value);
    if (!values.empty()) values += ")";
    auto const name = "planned_" + std::to_string(++planned_);
    static_cast<void>(database_.run("PREPARE " + name + " AS " + what.sql));
    return "EXECUTE " + name + values;
}

std::string planner::explain(pg::statement const& what) {
    auto const lines = database_.run("EXPLAIN (COSTS OFF) " + prepare(what));
    std::string plan;
    for (int row = 0; row < lines.size(); ++row) plan.append(lines.text(row, 0)).append("\n");
    return plan;
}

std::int64_t planner::rows_read(std::vector<pg::statement> const& statements) {
    std::int64_t rows = 0;
    database_.script("BEGIN");
    for (auto const& what : statements) {
        auto const plan = database_.run("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, FORMAT JSON) " + prepare(what));
        rows += rows_of(boost::json::parse(plan.text(0, 0)).at(0).at("Plan").as_object());
    }
    database_.script("COMMIT");
    return rows;
}

void check_plan(planner& plans, pg::statement const& what, order wanted) {
    auto const plan = plans.explain(what);
    INFO(what.sql << "\n" << plan);
    CHECK_FALSE(scans_large_table(plan));
    if (wanted == order::from_index) CHECK_FALSE(sorts(plan));
}

test_database& large_database() {
    static auto const database = [] {
        auto made = std::make_unique<test_database>();
        made->owner().script(fill);
        made->owner().script(fill_bookings);
        return made;
    }();
    return *database;
}

} // namespace recruiting::test
