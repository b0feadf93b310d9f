// recruitctl migrate against PostgreSQL.
#include "audit/seal_store.hpp"
#include "audit/verify_store.hpp"
#include "directory/organizations.hpp"
#include "mail/address.hpp"
#include "recruitctl/command.hpp"
#include "recruitctl/commands/address_forms.hpp"
#include "recruitctl/commands/migrations.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

namespace migrate_apply_test {
using namespace recruiting;
using namespace recruiting::recruitctl;
using recruiting::test::migrated;
using recruiting::test::test_database;

namespace {

std::vector<migration> project_files() { return read_migrations(test::migrations_directory()); }

migration made_up(int number, std::string sql) {
    return {number, "000" + std::to_string(number) + "_made_up.sql", std::move(sql),
            "checksum of " + std::to_string(number)};
}

std::vector<migration> with_one_more(std::string sql) {
    auto files = project_files();
    files.push_back(made_up(static_cast<int>(files.size()) + 1, std::move(sql)));
    return files;
}

std::int64_t count(pg::client& database, std::string const& from) {
    return database.run("SELECT count(*) FROM " + from).integer(0, 0);
}

} // namespace

TEST_CASE("migrate applies every file once", "[migrate]") {
    test_database database(migrated::no);
    auto const files = project_files();
    for (auto const& line : migration_status(database.owner(), files)) REQUIRE(line.state == migration_state::pending);
    std::vector<std::string> told;
    auto const listener = [&](migration const& one, std::chrono::milliseconds) { told.push_back(one.name); };
    REQUIRE(apply_migrations(database.owner(), files, listener) == static_cast<int>(files.size()));
    REQUIRE(told.size() == files.size());
    REQUIRE(apply_migrations(database.owner(), files, listener) == 0);
    REQUIRE(told.size() == files.size());
    for (auto const& line : migration_status(database.owner(), files)) {
        REQUIRE(line.state == migration_state::applied);
        REQUIRE(line.applied_at.has_value());
    }
}

TEST_CASE("migrate makes the audit log's partitions of this month and the months ahead", "[migrate]") {
    test_database database;
    auto const partitions = [&] { return count(database.owner(), "recruiting.audit_partitions('audit_log')"); };
    auto const before = partitions();
    REQUIRE(before >= 4);
    auto const newest = database.owner().run("SELECT max(partition) FROM recruiting.audit_partitions('audit_log')");
    database.owner().script("DROP TABLE recruiting." + std::string(newest.text(0, 0)));
    REQUIRE(apply_migrations(database.owner(), project_files()) == 0);
    REQUIRE(partitions() == before);
}

TEST_CASE("a superuser's migrations can be continued by the owner role", "[migrate]") {
    test_database database(migrated::no);
    pg::client superuser(database.superuser_url());
    REQUIRE(apply_migrations(superuser, project_files()) > 0);
    REQUIRE(apply_migrations(database.owner(), with_one_more("CREATE TABLE recruiting.one_more (id int)")) == 1);
}

TEST_CASE("a migration that fails is rolled back, and told with its line", "[migrate]") {
    test_database database;
    auto const wrong = with_one_more("CREATE TABLE recruiting.left_over (id int);\n\nSELECT * FROM nowhere;\n");
    try {
        apply_migrations(database.owner(), wrong);
        FAIL("it was applied");
    } catch (failure const& error) {
        REQUIRE(std::string(error.what()).find("_made_up.sql failed and was rolled back") != std::string::npos);
        REQUIRE(std::string(error.what()).find("line 3") != std::string::npos);
    }
    REQUIRE(count(database.owner(), "pg_class WHERE relname = 'left_over'") == 0);
    REQUIRE(apply_migrations(database.owner(), with_one_more("SELECT 1")) == 1);
}

TEST_CASE("changed, skipped and unknown migrations are refused, and nothing is applied", "[migrate]") {
    test_database database;
    auto const applied = count(database.owner(), "recruiting.schema_migrations");
    auto changed = with_one_more("SELECT 1");
    changed[1].checksum = "another";
    REQUIRE_THROWS_AS(apply_migrations(database.owner(), changed), failure);
    auto newer = project_files();
    newer.pop_back();
    REQUIRE_THROWS_AS(apply_migrations(database.owner(), newer), failure);
    REQUIRE(count(database.owner(), "recruiting.schema_migrations") == applied);
    database.owner().script("DELETE FROM recruiting.schema_migrations WHERE number = 2");
    REQUIRE_THROWS_AS(apply_migrations(database.owner(), project_files()), failure);
}

TEST_CASE("several migrates at once apply every file once", "[migrate]") {
    test_database database(migrated::no);
    auto const files = project_files();
    std::vector<int> counts(4);
    std::vector<std::thread> threads;
    for (auto& counted : counts)
        threads.emplace_back([&] {
            pg::client client(database.owner_url());
            counted = apply_migrations(client, files);
        });
    for (auto& thread : threads) thread.join();
    std::sort(counts.begin(), counts.end());
    REQUIRE(counts == std::vector<int>{0, 0, 0, static_cast<int>(files.size())});
}

TEST_CASE("the command: --status, --json, a database that is away", "[migrate]") {
    test_database database(migrated::no);
    settings environment{{"RECRUITING_DATABASE_URL", database.owner_url()},
                         {"RECRUITING_MIGRATIONS_DIR", test::migrations_directory()}};
    std::ostringstream out;
    std::ostringstream err;
    auto const call = [&](std::vector<std::string> const& arguments) {
        out.str("");
        return run(all_commands(), arguments, environment, out, err);
    };
    REQUIRE(call({"migrate", "--status", "--json"}) == done);
    REQUIRE(boost::json::parse(out.str()).at("migrations").at(0).at("state") == "pending");
    REQUIRE(call({"migrate", "--json"}) == done);
    auto const answer = boost::json::parse(out.str());
    REQUIRE(answer.at("applied").as_array().size() == project_files().size());
    REQUIRE(call({"migrate"}) == done);
    REQUIRE(out.str().starts_with("up to date at 00"));
    environment["RECRUITING_DATABASE_URL"] = "postgresql://nobody@127.0.0.1:1/none";
    REQUIRE(call({"migrate", "--wait", "100ms"}) == database_unavailable);
    REQUIRE(call({"migrate", "--wait", "soon"}) == usage);
}

TEST_CASE("migrate reports joined members whose organization gave them another name", "[migrate]") {
    test_database database(migrated::no);
    auto& owner = database.owner();
    auto const files = project_files();
    auto const at = std::ranges::find_if(
        files, [](migration const& one) { return one.name.find("names_its_members") != one.name.npos; });
    REQUIRE(at != files.end());
    REQUIRE(apply_migrations(owner, {files.begin(), at}) > 0);
    owner.script(R"sql(
INSERT INTO recruiting.organizations (id, slug, name)
SELECT md5(slug)::uuid, slug, slug FROM unnest(ARRAY['here', 'frozen']) AS slug;
INSERT INTO recruiting.users (id, email, name)
SELECT md5(name)::uuid, name || '@old.example', 'theirs' FROM unnest(ARRAY['joined', 'invited', 'same', 'none']) AS name;
INSERT INTO recruiting.memberships (id, organization_id, user_id, role, status, invitation_open, invited_name)
SELECT md5(u.email || o.slug)::uuid, o.id, u.id, 'viewer', 'active', u.email ~ 'invited',
       CASE WHEN u.email ~ 'same' THEN 'theirs' WHEN u.email !~ 'none' THEN 'ours' END
FROM recruiting.users u, recruiting.organizations o;
INSERT INTO recruiting.frozen_organizations (organization_id) VALUES (md5('frozen')::uuid);
CREATE TABLE before AS SELECT id, changed_xid FROM recruiting.memberships)sql");
    REQUIRE(apply_migrations(owner, files) > 0);
    auto const reported = owner.run("SELECT m.email, o.slug FROM recruiting.memberships m JOIN before b USING (id) "
                                    "JOIN recruiting.organizations o ON o.id = m.organization_id "
                                    "WHERE m.changed_xid <> b.changed_xid");
    REQUIRE(reported.size() == 1);
    CHECK(reported.text(0, 0) == "joined@old.example");
    CHECK(reported.text(0, 1) == "here");
}

TEST_CASE("migrate computes canonical addresses, and two people with one stop nothing", "[migrate]") {
    test_database database(migrated::no);
    auto& owner = database.owner();
    auto const files = project_files();
    auto const at = std::ranges::find(files, canonical_addresses_migration, &migration::number);
    REQUIRE(at != files.end());
    REQUIRE(apply_migrations(owner, {files.begin(), at}) > 0);
    owner.script(R"sql(
INSERT INTO recruiting.organizations (id, slug, name)
SELECT md5(slug)::uuid, slug, slug FROM unnest(ARRAY['one', 'two', 'frozen']) AS slug;
INSERT INTO recruiting.users (id, email, name, created_at)
SELECT md5(email)::uuid, email, 'N', now() + n * interval '1 second'
FROM unnest(ARRAY['Ann@Old.example', 'kim@köln.example', 'kim@xn--kln-sna.example', 'ſam@old.example',
                  'ceo@mİnerva.example']) WITH ORDINALITY AS u (email, n);
INSERT INTO recruiting.memberships (id, organization_id, user_id, role)
SELECT md5(u.email || 'm')::uuid, md5(CASE WHEN u.email ~ 'xn--' THEN 'two' ELSE 'one' END)::uuid, u.id, 'viewer'
FROM recruiting.users u;
INSERT INTO recruiting.candidates (id, organization_id, name, email)
SELECT gen_random_uuid(), md5(slug)::uuid, 'C', email
FROM unnest(ARRAY['one', 'frozen']) AS slug, unnest(ARRAY['Jo@mail.example', 'jo@köln.example', 'ſam@old.example']) AS email;
INSERT INTO recruiting.frozen_organizations (organization_id) VALUES (md5('frozen')::uuid);
CREATE TABLE before AS SELECT id, changed_xid FROM recruiting.candidates
    UNION ALL SELECT id, changed_xid FROM recruiting.memberships)sql");
    REQUIRE(apply_migrations(owner, files) > 0);
    auto const value = [&](std::string const& sql) { return std::string(owner.run(sql).text(0, 0)); };
    CHECK(value("SELECT string_agg(m.email || ' ' || coalesce(u.email_key, '-'), ', ' ORDER BY u.created_at) "
                "FROM recruiting.memberships m JOIN recruiting.users u ON u.id = m.user_id") ==
          "Ann@Old.example ann@old.example, kim@köln.example kim@xn--kln-sna.example, kim@xn--kln-sna.example -, "
          "ſam@old.example -, ceo@mİnerva.example -"); // lower() took it for ceo@minerva.example
    CHECK(value("SELECT string_agg(DISTINCT c.email || ' ' || coalesce(c.email_key, '-'), ', ') FROM "
                "recruiting.candidates c") ==
          "Jo@mail.example jo@mail.example, jo@köln.example jo@xn--kln-sna.example, ſam@old.example -");
    // Nothing is reported as changed, and what is stored is what was stored.
    CHECK(value("SELECT count(*)::text FROM before b JOIN (SELECT id, changed_xid FROM recruiting.candidates "
                "UNION ALL SELECT id, changed_xid FROM recruiting.memberships) AS now USING (id) "
                "WHERE now.changed_xid <> b.changed_xid") == "0");
    auto const undecided = select_undecided_people(owner);
    REQUIRE(undecided.size() == 3);
    CHECK(undecided[0].email == "ceo@mİnerva.example");
    CHECK(undecided[1].email == "ſam@old.example");
    CHECK((undecided[0].holder.empty() && undecided[1].holder.empty()));
    CHECK(undecided[2].organization == "two");
    CHECK(undecided[2].holder == "one: kim@köln.example");
    // What doctor advises.
    CHECK(directory::remove_member(owner, "two", "kim@xn--kln-sna.example").has_value());
    directory::new_member again;
    again.email = "kim@xn--kln-sna.example";
    CHECK(directory::add_member(owner, "two", again).has_value());
    for (auto const* address : {"ſam@old.example", "ceo@mİnerva.example"})
        CHECK(directory::remove_member(owner, "one", address).has_value());
    CHECK(select_undecided_people(owner).empty());
}

TEST_CASE("migrate gives older agent runs the role that the audit log has of their beginning", "[migrate]") {
    test_database database(migrated::no);
    auto const files = project_files();
    auto const at = std::find_if(files.begin(), files.end(),
                                 [](migration const& one) { return one.name.find("narrower_reach") != one.name.npos; });
    REQUIRE(at != files.end());
    REQUIRE(apply_migrations(database.owner(), {files.begin(), at}) > 0);
    // In SQL: the directory's operations are those of the newest schema.
    database.owner().run(
        R"sql(WITH o AS (INSERT INTO recruiting.organizations (id, slug, name) VALUES (gen_random_uuid(), 'old', 'Old')
                         RETURNING id),
        u AS (INSERT INTO recruiting.users (id, email, name) VALUES (gen_random_uuid(), 'admin@old.example', 'Admin')
              RETURNING id),
        m AS (INSERT INTO recruiting.memberships (id, organization_id, user_id, role)
              SELECT gen_random_uuid(), o.id, u.id, 'admin' FROM o, u RETURNING id, organization_id)
        INSERT INTO recruiting.api_keys (id, organization_id, membership_id, name, secret_hash, displayed_prefix,
            environment, scopes, expires_at)
        SELECT gen_random_uuid(), organization_id, id, 'old', sha256('old'), 'sp_test_old0', 'test', '{*}',
               now() + interval '1 day' FROM m)sql");
    struct older_run {
        std::string began_as; // "": its audit row is gone
        std::string tool;
        std::string result;
        std::string role; // "": unknown
    };
    std::vector<older_run> const runs = {
        {"admin", "search_candidates", "{}", "recruiter"},
        {"recruiter", "get_pipeline", "{}", "recruiter"},
        {"hiring_manager", "get_candidate", "{}", "viewer"},
        {"recruiter", "get_candidate", R"({"error":{}})", "viewer"},
        {"admin", "list_api_keys", "{}", "admin"},
        {"recruiter", "list_api_keys", "{}", "viewer"},
        {"admin", "list_jobs", "{}", "viewer"},
        {"", "search_candidates", "{}", ""},
    };
    for (std::size_t i = 0; i < runs.size(); ++i)
        database.owner().run(
            R"sql(WITH k AS (SELECT k.id AS key, k.organization_id AS org, k.membership_id AS member,
                                    $1::text::integer AS n, gen_random_uuid() AS session, gen_random_uuid() AS run
                             FROM recruiting.api_keys k),
            s AS (INSERT INTO recruiting.agent_sessions (id, organization_id, membership_id, credential_id, title, status,
                                                         last_run_at)
                  SELECT session, org, member, key, 'T', 'completed', now() FROM k),
            r AS (INSERT INTO recruiting.agent_runs (id, organization_id, session_id, membership_id, credential_id,
                      idempotency_key, prompt_hash, status, model, reply, tool_call_count, lease_owner, lease_expires_at,
                      finished_at, tool_scopes)
                  SELECT run, org, session, member, key, $1::text, sha256(''), 'completed', 'm', 'R', 1,
                         gen_random_uuid(), now(), now(), '{pipeline:read}' FROM k),
            m AS (INSERT INTO recruiting.agent_messages (id, position, organization_id, session_id, run_id, membership_id,
                      role, content, tool_name)
                  SELECT gen_random_uuid(), 0, org, session, run, member, 'tool', $3::text, $2::text FROM k)
            INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, actor_member_id, actor_role,
                                              action, success, correlation_id)
            SELECT gen_random_uuid(), now(), org, 'api_key', member, $4::text, 'agent.run_started', true, run FROM k
            WHERE $4::text <> '')sql",
            pg::params().text(std::to_string(i)).text(runs[i].tool).text(runs[i].result).text(runs[i].began_as));
    REQUIRE(apply_migrations(database.owner(), files) > 0);
    auto const after = database.owner().run("SELECT coalesce(tool_role, ''), tool_scopes IS NULL "
                                            "FROM recruiting.agent_runs ORDER BY idempotency_key");
    REQUIRE(after.size() == static_cast<int>(runs.size()));
    for (int row = 0; row < after.size(); ++row) {
        INFO(row);
        CHECK(after.text(row, 0) == runs[static_cast<std::size_t>(row)].role);
        CHECK(after.boolean(row, 1)); // a pipeline's scopes were too few
    }
}

namespace {

// As the version before 0038 left a log: rows of two months, all but the last sealed in a table of their own.
constexpr auto rows_before_0038 = R"sql(
CREATE TABLE recruiting.audit_log_2025_01 PARTITION OF recruiting.audit_log
    FOR VALUES FROM ('2025-01-01T00:00:00Z') TO ('2025-02-01T00:00:00Z');
CREATE TABLE recruiting.audit_seals_2025_01 PARTITION OF recruiting.audit_seals
    FOR VALUES FROM ('2025-01-01T00:00:00Z') TO ('2025-02-01T00:00:00Z');
INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, action, success, ip_address, path, request_count)
SELECT gen_random_uuid(), CASE WHEN n <= 1000 THEN '2025-01-15T12:00:00Z' ELSE now() - interval '1 hour' END
       + n * interval '1 millisecond', CASE WHEN n % 3 = 0 THEN '00000000000000000000000000000001'::uuid
       ELSE '00000000000000000000000000000002'::uuid END, 'system', 'a' || n, n % 2 = 0, '192.0.2.1', E'p\u00e9\\', nullif(n % 7, 0)
  FROM generate_series(1, 3000) n;
)sql";

void seal_as_before_0038(pg::client& database) {
    auto const rows =
        database.run("SELECT " + std::string(audit::stored_event_columns()) +
                     " FROM recruiting.audit_log l WHERE action <> 'a3000' ORDER BY substr(action, 2)::int");
    std::map<uuid, audit::chain_end> ends;
    std::string scratch;
    pg::transaction together(database);
    for (int row = 0; row < rows.size(); ++row) {
        auto const event = audit::read_stored_event(rows, row);
        auto& end = ends[event.organization_id];
        auto const before = end.hash;
        end = {end.sequence + 1,
               audit::chain_hash(bytes_of(before), event, end.sequence + 1, scratch, audit::canonical_form::lines)};
        database.run("INSERT INTO recruiting.audit_seals VALUES ($1, $2, $3, $4, $5, $6)",
                     pg::params()
                         .id(event.organization_id)
                         .integer(end.sequence)
                         .id(event.id)
                         .time(event.occurred_at)
                         .bytes(bytes_of(before))
                         .bytes(bytes_of(end.hash)));
    }
    for (auto const& [organization, end] : ends)
        database.run("INSERT INTO recruiting.audit_heads (organization_id, sequence, hash) VALUES ($1, $2, $3)",
                     pg::params().id(organization).integer(end.sequence).bytes(bytes_of(end.hash)));
    together.commit();
}

} // namespace

TEST_CASE("0038 and 0039 take existing audit logs over, hashes and rows that were not sealed, also when interrupted",
          "[migrate][audit]") {
    test_database database(migrated::no);
    auto& owner = database.owner();
    auto files = project_files();
    auto const until = [&](int number) {
        auto some = files;
        std::erase_if(some, [number](migration const& one) { return one.number > number; });
        return some;
    };
    static_cast<void>(apply_migrations(owner, until(37)));
    owner.script(rows_before_0038);
    seal_as_before_0038(owner);
    static_cast<void>(apply_migrations(owner, until(38)));
    auto const ignore = [](audit::discrepancy const&) {};
    CHECK_THROWS_AS(audit::verify(owner, std::nullopt, {}, ignore), std::runtime_error);
    CHECK_THROWS_AS(owner.run("SELECT recruiting.drop_audit_partitions('60 days')"), pg::query_error);
    owner.script("CALL recruiting.merge_audit_seals('audit_log_2025_01')"); // and there it was killed

    static_cast<void>(apply_migrations(owner, files));
    CHECK(count(owner, "recruiting.audit_partitions('audit_seals')") == 0);
    std::vector<std::string> found;
    auto const note = [&](audit::discrepancy const& one) { found.push_back(one.message); };
    auto const counts = audit::verify(owner, std::nullopt, {}, note);
    CHECK(counts.sealed == 3000); // the one that was not sealed, too
    CHECK(counts.unsealed == 0);
    CHECK(found.empty());
    owner.run("SELECT recruiting.drop_audit_partitions('60 days')");
    static_cast<void>(audit::verify(owner, std::nullopt, {}, note));
    CHECK(found.empty());
    // Partitions that are made later have the index as well.
    CHECK(count(owner, "pg_index WHERE indrelid = 'recruiting.audit_log'::regclass AND indisunique AND indisvalid") ==
          1);
}

} // namespace migrate_apply_test
