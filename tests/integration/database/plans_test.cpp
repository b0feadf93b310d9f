// Every statement a read can issue is planned on large tables: none reads a table from end to end, and a page in its
// list's own order is read from an index, not sorted. So answers cost the same at any number of rows.
#include "auth/authenticate_store.hpp"
#include "auth_api/agent/invoke/invocation.hpp"
#include "auth_api/agent/run/run_store.hpp"
#include "auth_api/routes.hpp"
#include "integration/support/planner.hpp"
#include "public_api/catalogue/catalogue_store.hpp"
#include "support/catch.hpp"

#include <array>
#include <set>

namespace plans_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

struct question {
    std::string path;
    std::string query;
    order wanted{order::any};
    std::string accept{};
};

std::string const id = "00000005000070008000000000000001";
std::string const other = "00000005000070008000000000000002";
http::token_signer const signer("a secret of thirty-two bytes or so");

std::vector<question> const questions = {
    {"/me", ""},
    {"/scopes", ""},
    {"/organization", ""},
    {"/members", "", order::from_index},
    {"/members", "sort=updatedAt", order::from_index},
    {"/members", "role=admin", order::from_index},
    {"/members", "status=removed", order::from_index},
    {"/members", "role=admin,recruiter&status=active,removed", order::from_index},
    {"/members", "syncToken=", order::from_index},
    {"/jobs", "", order::from_index},
    {"/jobs", "sort=updatedAt", order::from_index},
    {"/jobs", "sort=-title", order::from_index},
    {"/jobs", "status=open&department=Sales", order::from_index},
    {"/jobs", "status=open,on_hold", order::from_index},
    {"/jobs", "externalId=job-4711"},
    {"/jobs", "published=true&q=senior+engineer", order::from_index},
    {"/jobs", "createdAfter=2026-01-01T00:00:00Z&updatedBefore=2027-01-01T00:00:00Z"},
    {"/jobs", "syncToken="}, // merges two lists, each in the order of an index
    {"/jobs", "include=stages,description&sort=title", order::from_index},
    {"/jobs", "include=stages,description&syncToken="},
    {"/jobs/" + id, ""},
    {"/jobs/" + id + "/candidates", "", order::from_index},
    {"/jobs/" + id + "/candidates", "sort=name"},
    {"/jobs/" + id + "/candidates", "status=active&stageId=" + id},
    {"/jobs/" + id + "/candidates", "status=active,hired", order::from_index},
    {"/jobs/" + id + "/candidates", "status=active,hired&stageId=" + id + "," + other},
    {"/jobs/" + id + "/candidates", "externalId=candidate-4711"},
    {"/jobs/" + id + "/candidates", "applicationExternalId=application-4711"},
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
    {"/candidates", "status=active,hired"}, // and what follows: the page is read in order, and then joined to its end
    {"/candidates", "updatedAfter=2026-01-01T00:00:00Z"},
    {"/candidates", "status=active,hired&include=applications"},
    {"/candidates", "q=maria+lopez&include=applications&sort=name"},
    {"/candidates", "q=maria&tag=senior&source=referral&status=hired"},
    {"/candidates", "jobId=" + id + "," + other},
    {"/candidates", "jobId=" + id + "," + other + "&stageId=" + id + "&status=active,hired"},
    {"/candidates", "externalId=candidate-4711"},
    {"/candidates", "applicationExternalId=application-4711"},
    {"/candidates", "syncToken="}, // merges some, each in the order of an index
    {"/candidates", "include=applications"},
    {"/candidates", "syncToken=&include=applications"},
    {"/jobs/" + id + "/candidates", "syncToken="},
    {"/jobs/" + id + "/candidates", "syncToken=&include=applications"},
    {"/candidates/" + id, ""},
    {"/pipeline", "jobId=" + id},
    {"/agent/sessions", "", order::from_index},
    {"/agent/sessions", "sort=updatedAt"},
    {"/agent/sessions", "sort=title"},
    {"/agent/sessions", "memberId=" + id, order::from_index},
    {"/agent/sessions", "status=completed", order::from_index},
    {"/agent/sessions", "status=in_progress", order::from_index},
    {"/agent/sessions", "status=failed", order::from_index},
    {"/agent/sessions", "status=failed&memberId=" + id, order::from_index},
    {"/agent/sessions", "status=failed,in_progress", order::from_index},
    {"/agent/sessions", "status=failed,completed&memberId=" + id + "," + other},
    {"/agent/sessions", "createdAfter=2026-01-01T00:00:00Z&updatedBefore=2027-01-01T00:00:00Z"},
    {"/agent/sessions/" + id, "", order::from_index},
    {"/agent/sessions/" + id, "messagesLimit=10&messagesBefore=" + id, order::from_index},
    {"/billing", ""},
    {"/audit", "", order::from_index},
    {"/audit", "order=asc", order::from_index},
    {"/audit", "occurredAfter=2026-01-01T00:00:00Z&occurredBefore=2027-01-01T00:00:00Z", order::from_index},
    {"/audit", "credentialId=" + id, order::from_index},
    {"/audit", "memberId=" + id},
    {"/audit", "sessionId=" + id, order::from_index},
    {"/audit", "credentialId=" + id + "," + other},
    {"/audit", "memberId=" + id + "," + other},
    {"/audit", "statusCode=401,403&action=api.request,key.created&endpoint=/api/v1/me,/api/v1/jobs"},
    {"/audit", "requestId=0123456789abcdef"},
    {"/audit", "success=false&statusCode=404&action=api.request&ipAddress=10.0.0.1"},
    {"/audit", "success=false", order::from_index},
    {"/audit", "action=key.revoked", order::from_index},
    {"/audit", "action=key.revoked&order=asc", order::from_index},
    {"/audit", "endpoint=/api/v1/me", order::any, "text/csv"},
    {"/audit", "", order::from_index, "text/csv"},
};

std::vector<pg::statement> statements_of(question const& asked) {
    std::string const path = std::string(auth_api::base_path) + asked.path;
    auto const match = auth_api::find_route("GET", path);
    REQUIRE(match.found != nullptr);
    http::query_reader query(asked.query);
    auth_api::bind_input in{match.params, query, signer, asked.accept};
    auto bound = match.found->action.read(in);
    REQUIRE(bound.has_value());
    auto statements = std::move(bound->statements);
    if (bound->pages) statements.push_back(bound->pages->next_page());
    return statements;
}

} // namespace

TEST_CASE("every route is asked", "[plans]") {
    std::set<std::string_view> asked;
    for (auto const& one : questions)
        asked.insert(auth_api::find_route("GET", std::string(auth_api::base_path) + one.path).found->path);
    for (auto const& route : auth_api::routes()) {
        if (route.action.read == nullptr) continue; // POST /agent/invoke: below; the OpenAPI document: no statement
        INFO(route.path);
        CHECK(asked.contains(route.path));
    }
}

TEST_CASE("auth-api's reads scan no large table and sort no list", "[plans]") {
    planner plans(large_database().auth_url(), planner::program::auth_api);
    for (auto const* role : {"admin", "hiring_manager"}) {
        plans.become(role);
        for (auto const& asked : questions) {
            INFO(role << ": GET " << asked.path << "?" << asked.query);
            auto wanted = asked.wanted;
            for (auto const& statement : statements_of(asked)) {
                check_plan(plans, statement, wanted);
                if (asked.path == "/candidates") wanted = order::any; // behind the list, a hiring manager's few
            }
        }
    }
}

TEST_CASE("sessions: an admin's page comes from the list's index, a member's own are found by the member", "[plans]") {
    planner plans(large_database().auth_url(), planner::program::auth_api);
    plans.become("recruiter");
    for (auto const* sort : {"sort=createdAt", "sort=-updatedAt", "sort=title"}) {
        auto const statements = statements_of({"/agent/sessions", sort});
        REQUIRE(statements.size() == 2);
        check_plan(plans, statements[0], order::from_index);
        auto const own = plans.explain(statements[1]);
        INFO(own);
        CHECK(own.find("agent_sessions_by_member") != std::string::npos);
        CHECK(own.find("One-Time Filter") != std::string::npos);
    }
}

TEST_CASE("what runs of the agent read and write is found by index", "[plans]") {
    namespace agent = auth_api::agent;
    planner plans(large_database().auth_url(), planner::program::auth_api);
    plans.become("recruiter");
    agent::run_context const run;
    digest hash;
    hash.fill('x'); // goes into the text of a statement
    check_plan(plans, agent::find_run_by_key("key", hash), order::from_index);
    check_plan(plans, agent::find_session(uuid{}), order::from_index);
    for (auto const& one : agent::begin_run({run, "key", hash, "title", "model", std::chrono::seconds{30}, 20}))
        check_plan(plans, one, order::from_index);
    plans.set("worker", "agent");
    std::array<uuid, 2> const runs{};
    std::array<agent::message, 1> const said{};
    check_plan(plans, agent::find_run(uuid{}), order::from_index);
    check_plan(plans, agent::read_history(uuid{}, uuid{}, 500, 1'000'000),
               order::any); // the newest, put into their order
    check_plan(plans, agent::renew_leases(uuid{}, runs, std::chrono::seconds{30}), order::from_index);
    check_plan(plans, agent::add_progress({uuid{}, uuid{}, {uuid{}}, said, {}, 1, {}}), order::from_index);
    check_plan(plans, agent::complete_run(uuid{}, uuid{}, "reply", std::chrono::seconds{30}), order::from_index);
    check_plan(plans, agent::fail_run(uuid{}, uuid{}, "why"), order::from_index);
    check_plan(plans, agent::fail_expired_runs(100), order::from_index);
}

TEST_CASE("authenticating looks keys up", "[plans]") {
    planner plans(large_database().auth_url(), planner::program::auth_api);
    check_plan(plans, auth::authenticate(digest{}), order::from_index);
    std::vector<auth::credential> const several(3, digest{});
    check_plan(plans, auth::authenticate_all(several), order::from_index);
}

TEST_CASE("public-api reads what has changed without scanning a large table", "[plans]") {
    planner plans(large_database().public_url(), planner::program::catalogue);
    std::vector<uuid> const some(3);
    check_plan(plans, public_api::select_organizations(some), order::any);
    check_plan(plans, public_api::select_job_versions(some), order::any);
    check_plan(plans, public_api::select_jobs(some), order::any);
    check_plan(plans, public_api::select_stages(some), order::any); // ordered by job: they are few
}

TEST_CASE("public-api reads a page of organizations without those of other pages, however many there are", "[plans]") {
    test_database database;
    database.owner().script(
        "INSERT INTO recruiting.organizations (id, slug, name) "
        "SELECT lpad(to_hex(n), 32, '0')::uuid, 'o' || n, 'One of many' FROM generate_series(1, 3000) AS n; "
        "INSERT INTO recruiting.jobs (id, organization_id, title, status, published) "
        "SELECT gen_random_uuid(), id, 'Engineer', 'open', true FROM recruiting.organizations, generate_series(1, 2); "
        "ANALYZE recruiting.organizations, recruiting.jobs, recruiting.published_changes");
    planner plans(database.public_url(), planner::program::catalogue);
    auto const id = [](std::uint8_t high, std::uint8_t low) {
        uuid made;
        made.bytes[14] = high;
        made.bytes[15] = low;
        return made;
    };
    public_api::organization_range const page{id(0x08, 0), id(0x08, 100)};
    CHECK(plans.rows_read({public_api::select_organizations(page)}) <= 2 * public_api::organizations_at_once);
    CHECK(plans.rows_read({public_api::select_job_versions(page)}) <= 2 * 2 * public_api::organizations_at_once);
    CHECK(plans.rows_read({public_api::select_logged(*parse_time("2100-01-01T00:00:00Z"))}) <= 2);
}

TEST_CASE("a large organization's records are looked up, however many small ones there are", "[plans]") {
    test_database database;
    database.owner().script(R"sql(
        CREATE FUNCTION pg_temp.id(kind integer, n integer) RETURNS uuid LANGUAGE sql IMMUTABLE AS
            $$ SELECT (lpad(to_hex(kind), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid $$;
        INSERT INTO recruiting.organizations (id, slug, name)
        SELECT pg_temp.id(1, n), 'o' || n, 'One of many' FROM generate_series(1, 3000) n;
        INSERT INTO recruiting.candidates (id, organization_id, name)
        SELECT pg_temp.id(7, n), pg_temp.id(1, least(n, 3000)), 'Person ' || md5(n::text) FROM generate_series(2, 3000) n
        UNION ALL SELECT pg_temp.id(8, n), pg_temp.id(1, 1), CASE n WHEN 77 THEN 'Rare' ELSE 'Maria' END || ' Lopez'
          FROM generate_series(1, 3000) n;
        INSERT INTO recruiting.jobs (id, organization_id, title)
        SELECT pg_temp.id(5, n), pg_temp.id(1, least(n, 3000)), 'Engineer' FROM generate_series(2, 3000) n
        UNION ALL SELECT pg_temp.id(6, n), pg_temp.id(1, 1), 'Engineer' FROM generate_series(1, 1000) n;
        CREATE FUNCTION pg_temp.owner(n integer) RETURNS uuid LANGUAGE sql IMMUTABLE AS
            $$ SELECT pg_temp.id(1, CASE WHEN n > 3000 THEN 1 ELSE n END) $$;
        INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, credential_id, actor_type, actor_member_id,
                                          action, success, request_id, session_id, sequence, hash)
        SELECT pg_temp.id(9, n), now(), pg_temp.owner(n), pg_temp.id(4, n % 1000), 'api_key', pg_temp.id(3, n % 1000),
               'api.request', true, 'request' || n, pg_temp.id(10, n % 1000), n, '\x00' FROM generate_series(1, 6000) n;
        INSERT INTO recruiting.users (id, email_key, name) SELECT pg_temp.id(2, n), n || '@plans.example', 'Member' FROM generate_series(1, 6000) n;
        INSERT INTO recruiting.memberships (id, organization_id, user_id, email, role)
        SELECT pg_temp.id(3, n), pg_temp.owner(n), pg_temp.id(2, n), n || '@plans.example', 'admin' FROM generate_series(1, 6000) n;
        INSERT INTO recruiting.agent_sessions (id, organization_id, membership_id, title, status, last_run_at)
        SELECT pg_temp.id(10, n), pg_temp.owner(n), pg_temp.id(3, n), 'Session', 'completed', now() FROM generate_series(1, 6000) n;
        ANALYZE)sql");
    planner plans(database.auth_url(), planner::program::auth_api);
    plans.become("admin");
    constexpr std::int64_t few = 50;
    CHECK(plans.rows_read(statements_of({"/candidates", "q=rare"})) < few);
    CHECK(plans.rows_read(statements_of({"/jobs/00000006000070008000000000000005", ""})) < few);
    CHECK(plans.rows_read(statements_of({"/agent/sessions/0000000a000070008000000000001001", ""})) < few);
    CHECK(plans.rows_read(statements_of({"/agent/sessions", "memberId=00000003000070008000000000001001"})) < few);
    for (std::string const filter : {"requestId=request5000", "credentialId=00000004000070008000000000000005",
                                     "sessionId=0000000a000070008000000000000005"}) {
        INFO(filter);
        CHECK(plans.rows_read(statements_of({"/audit", filter})) < few);
    }
}

} // namespace plans_test
