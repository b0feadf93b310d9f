// Every statement a read can issue is planned on large tables: none reads a table from end to end, and a page in its
// list's own order is read from an index, not sorted. So answers cost the same at any number of rows.
#include "audit/event_store.hpp"
#include "auth/authenticate_store.hpp"
#include "auth_api/read.hpp"
#include "auth_api/routes.hpp"
#include "core/text.hpp"
#include "public_api/jobs/job_store.hpp"
#include "public_api/organizations/organization_store.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"

#include <array>
#include <set>

using namespace recruiting;
using namespace std::string_literals;

namespace {

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
INSERT INTO recruiting.users (id, email, name)
SELECT pg_temp.id(2, n), 'member' || n || '@plans.example', 'Member ' || n FROM generate_series(1, 2000) n;
INSERT INTO recruiting.memberships (id, organization_id, user_id, role)
SELECT pg_temp.id(3, n), pg_temp.organization(n), pg_temp.id(2, n), 'hiring_manager' FROM generate_series(1, 2000) n;
INSERT INTO recruiting.api_keys (id, organization_id, membership_id, name, secret_hash, displayed_prefix, environment,
                                 scopes, expires_at)
SELECT pg_temp.id(4, n), pg_temp.organization(n), pg_temp.id(3, n), 'key ' || n, sha256(n::text::bytea), 'sp_test_',
       'test', '{*}', now() + interval '1 day' FROM generate_series(1, 2000) n;
INSERT INTO recruiting.jobs (id, organization_id, title, status, department, published, published_at)
SELECT pg_temp.id(5, n), pg_temp.organization(n), 'Job ' || n, (ARRAY['draft', 'open', 'closed'])[1 + n % 3],
       'Department ' || n % 20, n % 3 = 1, now() FROM generate_series(0, 3999) n;
INSERT INTO recruiting.hiring_teams (organization_id, job_id, membership_id)
SELECT pg_temp.organization(n), pg_temp.id(5, n), pg_temp.id(3, 1 + n % 2000) FROM generate_series(0, 3999) n;
INSERT INTO recruiting.stages (id, organization_id, job_id, name, kind, position)
SELECT pg_temp.id(6, n), pg_temp.organization(n), pg_temp.id(5, n % 4000), 'Stage ' || n / 4000, 'screen', n / 4000
FROM generate_series(0, 11999) n;
INSERT INTO recruiting.candidates (id, organization_id, name, email, source, tags, created_at)
SELECT pg_temp.id(7, n), pg_temp.organization(n), 'Person ' || md5(n::text), 'p' || n || '@plans.example',
       'source ' || n % 5, ARRAY['tag' || n % 50], now() - n * interval '1 minute' FROM generate_series(1, 20000) n;
INSERT INTO recruiting.applications (id, organization_id, candidate_id, job_id, stage_id)
SELECT pg_temp.id(8, n), pg_temp.organization(n), pg_temp.id(7, n), pg_temp.id(5, n % 104), pg_temp.id(6, n % 104)
FROM generate_series(1, 20000) n;
INSERT INTO recruiting.applications (id, organization_id, candidate_id, job_id, stage_id)
SELECT pg_temp.id(12, n), pg_temp.organization(n), pg_temp.id(7, 1 + n), pg_temp.id(5, n), pg_temp.id(6, n)
FROM generate_series(104, 3999) n;
INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, credential_id, actor_type, actor_member_id, action,
                                  endpoint, status_code, success, request_id, session_id)
SELECT pg_temp.id(9, n), date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' + n * interval '1 second',
       pg_temp.organization(n), pg_temp.id(4, 1 + n % 2000), 'api_key', pg_temp.id(3, 1 + n % 2000), 'api.request',
       '/api/v1/jobs', 200, true, 'request' || n, pg_temp.id(10, n % 500) FROM generate_series(1, 20000) n;
INSERT INTO recruiting.audit_seals (organization_id, sequence, audit_id, occurred_at, previous_hash, hash)
SELECT organization_id, row_number() OVER (), id, occurred_at, '\x00', '\x00' FROM recruiting.audit_log;
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
ANALYZE;
)sql";

std::string literal(pg::params::bound const& value) {
    if (!value.text) return "NULL";
    std::string out = "'";
    for (char const c : *value.text) out.append(c == '\'' ? "''" : std::string(1, c));
    return out + "'";
}

class planner {
public:
    enum class program { auth_api, public_api };

    planner(std::string const& url, program as) : database_(url, "plans") {
        auto const options = as == program::auth_api ? auth_api::plan_options : "-c plan_cache_mode=force_generic_plan";
        for (auto const word : split(options, ' '))
            if (word != "-c") database_.script("SET " + std::string(word));
    }
    void become(std::string_view role) {
        auto const set = [&](std::string_view name, std::string_view value) {
            static_cast<void>(database_.run("SELECT set_config($1, $2, false)", pg::params().text(name).text(value)));
        };
        set("recruiting.organization_id", organization);
        set("recruiting.member_id", "00000003-0000-7000-8000-000000000001");
        set("recruiting.role", role);
    }
    /// The generic plan, a node a line.
    std::string explain(pg::statement const& what) {
        std::string values;
        for (auto const& value : what.params.values()) values += (values.empty() ? "(" : ", ") + literal(value);
        if (!values.empty()) values += ")";
        auto const name = "planned_" + std::to_string(++planned_);
        static_cast<void>(database_.run("PREPARE " + name + " AS " + what.sql));
        auto const lines = database_.run("EXPLAIN (COSTS OFF) EXECUTE " + name + values);
        std::string plan;
        for (int row = 0; row < lines.size(); ++row) plan.append(lines.text(row, 0)).append("\n");
        return plan;
    }

private:
    pg::client database_;
    int planned_{0};
};

// Subscriptions (a row an organization), and the partitions of other months, hold nothing here and may be scanned.
bool scans_large_table(std::string const& plan) {
    auto month = format_time(system_time().now()).substr(0, 7); // "2026-11"
    month[4] = '_';
    for (std::string const& table :
         {"candidates"s, "candidate_terms"s, "applications"s, "jobs"s, "stages"s, "hiring_teams"s, "memberships"s,
          "users"s, "api_keys"s, "usage_records"s, "organizations"s, "job_counts"s, "stage_counts"s, "agent_sessions"s,
          "agent_runs"s, "agent_messages"s, "audit_log_" + month, "audit_seals_" + month})
        if (plan.find("Seq Scan on " + table) != std::string::npos) return true;
    return false;
}

bool sorts(std::string const& plan) { return plan.find("Sort Key") != std::string::npos; }

enum class order { any, from_index };

struct question {
    std::string path;
    std::string query;
    order wanted{order::any};
    std::string accept{};
};

std::string const id = "00000005000070008000000000000001";
http::token_signer const signer("a secret of thirty-two bytes or so");

std::vector<question> const questions = {
    {"/me", ""},
    {"/scopes", ""},
    {"/organization", ""},
    {"/members", "", order::from_index},
    {"/members", "sort=updatedAt", order::from_index},
    {"/members", "role=admin", order::from_index},
    {"/members", "status=removed", order::from_index},
    {"/members", "syncToken=", order::from_index},
    {"/jobs", "", order::from_index},
    {"/jobs", "sort=updatedAt", order::from_index},
    {"/jobs", "sort=-title", order::from_index},
    {"/jobs", "status=open&department=Sales", order::from_index},
    {"/jobs", "published=true&q=senior+engineer", order::from_index},
    {"/jobs", "createdAfter=2026-01-01T00:00:00Z&updatedBefore=2027-01-01T00:00:00Z"},
    {"/jobs", "syncToken=", order::from_index},
    {"/jobs/" + id, ""},
    {"/jobs/" + id + "/candidates", "", order::from_index},
    {"/jobs/" + id + "/candidates", "sort=name"},
    {"/jobs/" + id + "/candidates", "status=active&stageId=" + id},
    {"/jobs/" + id + "/candidates", "q=maria&tag=senior&source=referral"},
    {"/candidates", "", order::from_index},
    {"/candidates", "sort=updatedAt", order::from_index},
    {"/candidates", "sort=-name", order::from_index},
    {"/candidates", "createdAfter=2026-01-01T00:00:00Z&createdBefore=2027-01-01T00:00:00Z", order::from_index},
    {"/candidates", "updatedAfter=2026-01-01T00:00:00Z&sort=updatedAt", order::from_index},
    {"/candidates", "email=a%40b.example"},
    {"/candidates", "source=referral", order::from_index},
    {"/candidates", "tag=senior"},
    {"/candidates", "q=maria+lopez"},
    {"/candidates", "jobId=" + id},
    {"/candidates", "stageId=" + id},
    {"/candidates", "status=active"},
    {"/candidates", "syncToken=", order::from_index},
    {"/candidates/" + id, ""},
    {"/pipeline", "jobId=" + id},
    {"/agent/sessions", "", order::from_index},
    {"/agent/sessions", "sort=updatedAt", order::from_index},
    {"/agent/sessions", "sort=title", order::from_index},
    {"/agent/sessions", "memberId=" + id, order::from_index},
    {"/agent/sessions", "status=completed", order::from_index},
    {"/agent/sessions", "status=in_progress", order::from_index},
    {"/agent/sessions", "status=failed", order::from_index},
    {"/agent/sessions", "status=failed&memberId=" + id, order::from_index},
    {"/agent/sessions", "createdAfter=2026-01-01T00:00:00Z&updatedBefore=2027-01-01T00:00:00Z"},
    {"/agent/sessions/" + id, "", order::from_index},
    {"/agent/sessions/" + id, "messagesLimit=10&messagesBefore=" + id, order::from_index},
    {"/billing", ""},
    {"/audit", "", order::from_index},
    {"/audit", "order=asc", order::from_index},
    {"/audit", "occurredAfter=2026-01-01T00:00:00Z&occurredBefore=2027-01-01T00:00:00Z", order::from_index},
    {"/audit", "credentialId=" + id, order::from_index},
    {"/audit", "memberId=" + id, order::from_index},
    {"/audit", "sessionId=" + id},
    {"/audit", "requestId=0123456789abcdef"},
    {"/audit", "success=false&statusCode=404&action=api.request&ipAddress=10.0.0.1", order::from_index},
    {"/audit", "", order::from_index, "text/csv"},
};

std::vector<pg::statement> statements_of(question const& asked) {
    std::string const path = std::string(auth_api::base_path) + asked.path;
    http::request request;
    request.method = "GET";
    request.path = path;
    request.query = asked.query;
    if (!asked.accept.empty()) request.headers.emplace_back("Accept", asked.accept);
    auto const match = auth_api::find_route("GET", path);
    REQUIRE(match.found != nullptr);
    http::query_reader query(request.query);
    auth_api::bind_input in{request, match.params, query, signer};
    auto bound = match.found->bind(in);
    REQUIRE(bound.has_value());
    auto statements = std::move(bound->statements);
    if (bound->pages) statements.push_back(bound->pages->next_page());
    return statements;
}

void check(planner& plans, pg::statement const& what, order wanted) {
    auto const plan = plans.explain(what);
    INFO(what.sql << "\n" << plan);
    CHECK_FALSE(scans_large_table(plan));
    if (wanted == order::from_index) CHECK_FALSE(sorts(plan));
}

test::test_database& large_database() {
    static auto const database = [] {
        auto made = std::make_unique<test::test_database>();
        made->owner().script(fill);
        return made;
    }();
    return *database;
}

} // namespace

TEST_CASE("every route is asked", "[plans]") {
    std::set<std::string_view> asked;
    for (auto const& one : questions)
        asked.insert(auth_api::find_route("GET", std::string(auth_api::base_path) + one.path).found->pattern);
    for (auto const& route : auth_api::routes()) {
        INFO(route.pattern);
        CHECK(asked.contains(route.pattern));
    }
}

TEST_CASE("auth-api's reads scan no large table and sort no list", "[plans]") {
    planner plans(large_database().auth_url(), planner::program::auth_api);
    for (auto const* role : {"admin", "hiring_manager"}) {
        plans.become(role);
        for (auto const& asked : questions) {
            INFO(role << ": GET " << asked.path << "?" << asked.query);
            for (auto const& statement : statements_of(asked)) check(plans, statement, asked.wanted);
        }
    }
}

TEST_CASE("authenticating looks one key up", "[plans]") {
    planner plans(large_database().auth_url(), planner::program::auth_api);
    check(plans, auth::authenticate(digest{}), order::from_index);
}

TEST_CASE("an audit row is inserted without reading", "[plans]") {
    planner plans(large_database().auth_url(), planner::program::auth_api);
    std::array<audit::event, 2> const rows{};
    check(plans, audit::insert_events(rows), order::from_index);
}

TEST_CASE("public-api's reads scan no large table", "[plans]") {
    planner plans(large_database().public_url(), planner::program::public_api);
    public_api::job_filters filters;
    filters.organization_slug = "o1";
    check(plans, public_api::select_job(uuid{}), order::any);
    check(plans, public_api::select_jobs(filters, {}, 51), order::any);
    filters.q = "engineer";
    filters.location = "Berlin";
    check(plans, public_api::select_jobs(filters, public_api::job_position{timestamp{}, uuid{}}, 51), order::any);
    check(plans, public_api::select_organization("o1"), order::any);
}
