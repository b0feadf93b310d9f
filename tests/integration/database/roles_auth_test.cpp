// A taken-over auth-api: what its database role can read, write and undo whatever it sets, and what stays out of its
// reach (threat_model.md). Reading is organization by organization, of any it names: that is said there, and held here,
// so that nobody takes the policies for more than they are.
#include "integration/auth_api/background/booking_harness.hpp"
#include "pg/error.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

#include <set>

namespace roles_auth_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

constexpr auto denied = "42501";

/// An organization with an admin and a revoked key, and a connection as recruiting_auth.
struct taken_over {
    test_database database;
    std::string slug = new_slug();
    directory::organization organization = make_organization(database.owner(), slug);
    directory::created_api_key key = make_key(database.owner(), slug, "admin@" + slug + ".example", {"*"});
    pg::client attacker{database.auth_url(), "tests"};

    taken_over() { database.owner().run("UPDATE recruiting.api_keys SET revoked_at = now()"); }

    /// A run in progress of the organization's key, with its prompt; returns its id.
    uuid begin_run() {
        auto const run = new_record_id();
        auto& owner = database.owner();
        auto const of_key = pg::params{}.id(run).id(key.key.id);
        owner.run(
            "INSERT INTO recruiting.agent_sessions (id, organization_id, membership_id, credential_id, title, status, "
            "last_run_at) SELECT $1, organization_id, membership_id, id, 'Hello', 'in_progress', now() FROM "
            "recruiting.api_keys WHERE id = $2",
            of_key);
        owner.run(
            "INSERT INTO recruiting.agent_runs (id, organization_id, session_id, membership_id, credential_id, "
            "prompt_hash, model, lease_owner, lease_expires_at) SELECT $1, organization_id, $1, membership_id, id, "
            "sha256(''), 'm', $1, now() FROM recruiting.api_keys WHERE id = $2",
            of_key);
        owner.run("INSERT INTO recruiting.agent_messages (id, position, organization_id, session_id, run_id, "
                  "membership_id, role, content) SELECT $1, 0, organization_id, $1, $1, membership_id, 'user', 'Hello' "
                  "FROM recruiting.api_keys WHERE id = $2",
                  of_key);
        return run;
    }
    void set(std::string const& name, std::string const& value) {
        attacker.run("SELECT set_config('recruiting.' || $1, $2, false)", pg::params().text(name).text(value));
    }
    /// "" when it succeeds, else the SQLSTATE.
    std::string state_of(std::string const& sql) {
        try {
            static_cast<void>(attacker.run(sql));
            return {};
        } catch (pg::query_error const& error) {
            return error.sqlstate();
        }
    }
};

/// What recruiting_auth has this right on: "table" as a whole, else "table: column…".
std::set<std::string> granted(pg::client& db, std::string const& right) {
    auto const found = db.run(
        "SELECT CASE WHEN has_table_privilege('recruiting_auth', c.oid, $1) THEN c.relname::text "
        "ELSE c.relname || ': ' || string_agg(a.attname, ' ' ORDER BY a.attname) END "
        "FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped "
        "WHERE c.relnamespace = 'recruiting'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f') "
        "AND CASE WHEN $1 IN ('INSERT', 'UPDATE') THEN has_column_privilege('recruiting_auth', c.oid, a.attnum, $1) "
        "ELSE has_table_privilege('recruiting_auth', c.oid, $1) END GROUP BY c.relname, c.oid",
        pg::params().text(right));
    std::set<std::string> out;
    for (int row = 0; row < found.size(); ++row) out.emplace(found.text(row, 0));
    return out;
}

} // namespace

TEST_CASE("recruiting_auth writes exactly these tables and columns", "[roles]") {
    test_database database;
    auto& db = database.owner();
    using names = std::set<std::string>;
    CHECK(
        granted(db, "INSERT") ==
        names{
            "agent_messages",
            "agent_runs: credential_id id idempotency_key lease_expires_at lease_owner membership_id model "
            "organization_id prompt_hash session_id",
            "agent_sessions: credential_id id last_run_at membership_id message_count organization_id run_count status "
            "title",
            "api_keys: allowed_ips displayed_prefix environment expires_at id membership_id name organization_id "
            "pepper_fingerprint scopes secret_hash",
            "audit_intake: event_count events",
            "audit_log: action actor_email actor_member_id actor_role actor_type correlation_id credential_id "
            "credential_name "
            "duration_ms endpoint error_code id ip_address method occurred_at organization_id path request_count "
            "request_id "
            "required_scope session_id status_code success target_id target_type user_agent",
            "booking_mail_counts",
            "booking_tokens",
            "bookings: application_id calendar_uid candidate_id id job_id language organization_id room_url "
            "slot_id stage_id "
            "status time_zone wanted_starts_at",
            "decline_tokens: booking_id calendar_uid ends_at expires_at hash membership_id organization_id starts_at",
            "interview_slots: ends_at id job_id join_url membership_id organization_id stage_id starts_at",
            "mail_outbox: audience booking_id calendar_uid ends_at id invited_by kind language membership_id "
            "organization_id sequence starts_at time_zone user_id wanted_starts_at",
            "memberships: email id invitation_open invited_name organization_id role status title user_id",
            "sign_in_counts",
            "sign_in_requests: email_key language",
            "sign_in_tokens: email_key expires_at hash membership_id user_id",
            "unmatched_booking_requests: email email_key first_received_at id job_id last_received_at "
            "organization_id stage_id "
            "starts_at time_zone",
            "usage_records: id input_tokens kind organization_id output_tokens subject_id",
            "webhook_messages",
            "webhook_positions",
            "webhooks: description id organization_id resources secret url"});
    CHECK(
        granted(db, "UPDATE") ==
        names{"agent_runs: failure finished_at input_tokens lease_expires_at output_tokens reply status "
              "tool_call_count tool_role tool_scopes",
              "agent_sessions: input_tokens last_run_at message_count output_tokens run_count status",
              "api_keys: last_used_at last_used_ip revoked_at revoked_by updated_at",
              "booking_mail_counts: mails replies", "booking_requests: attempts leased_until",
              "bookings: language room_url slot_id status time_zone wanted_starts_at",
              "console_sessions: idle_expires_at last_seen_at", "interview_slots: closed_at",
              "mail_outbox: attempts counted_on finished_at first_attempt_at held_until last_error lease "
              "leased_until next_attempt_at status",
              "memberships: email invitation_open invited_name removed_at role status title",
              "organizations: updated_at", "sign_in_counts: requests", "sign_in_requests: received_at",
              "unmatched_booking_requests: email last_received_at requests starts_at time_zone",
              "webhook_messages: next_attempt_at",
              "webhooks: failing_since failures lease leased_until previous_secret previous_secret_expires_at retry_at "
              "secret status updated_at"});
    CHECK(granted(db, "DELETE") == names{"booking_mail_counts", "booking_requests", "booking_tokens",
                                         "console_sessions", "decline_tokens", "mail_outbox", "sign_in_counts",
                                         "sign_in_requests", "sign_in_tokens", "unmatched_booking_requests",
                                         "webhooks"});
    for (auto const* right : {"TRUNCATE", "REFERENCES", "TRIGGER"}) CHECK(granted(db, right).empty());
}

TEST_CASE("what is written in the audit log can't be changed or taken out", "[roles]") {
    taken_over t;
    for (auto const* worker : {"", "sealer"}) {
        INFO(worker);
        t.set("worker", worker);
        for (auto const* sql :
             {"UPDATE recruiting.audit_log SET success = true", "DELETE FROM recruiting.audit_log",
              "TRUNCATE recruiting.audit_log", "UPDATE recruiting.audit_heads SET sequence = 0",
              "DELETE FROM recruiting.audit_heads",
              "INSERT INTO recruiting.audit_heads (organization_id, sequence, hash) VALUES (gen_random_uuid(), 0, '')",
              "INSERT INTO recruiting.audit_log (id, sequence, hash) VALUES (gen_random_uuid(), 1, '')",
              "SELECT FROM recruiting.audit_intake", "SELECT FROM recruiting.audit_set_aside",
              "DELETE FROM recruiting.audit_intake", "UPDATE recruiting.audit_intake SET events = events",
              "TRUNCATE recruiting.audit_intake", "ALTER TABLE recruiting.audit_log DISABLE ROW LEVEL SECURITY",
              "DROP TABLE recruiting.audit_log",
              "INSERT INTO recruiting.audit_chain_starts (organization_id) VALUES (NULL)"}) {
            INFO(sql);
            CHECK(t.state_of(sql) == denied);
        }
    }
    // Months may be dropped, as retention does: none that the owner keeps.
    CHECK(t.state_of("SELECT recruiting.drop_audit_partitions('29 days')") == "22023");
    CHECK(t.state_of("SELECT recruiting.drop_audit_partitions('-1 day')") == "22023");
    CHECK(t.state_of("SELECT recruiting.drop_audit_partitions(NULL)") == "22023");
    // As an interval 31 days, for there a month is 30; as a moment years ahead.
    CHECK(t.state_of("SELECT recruiting.drop_audit_partitions('-2400 months 72031 days')") == "22023");
    CHECK(t.state_of("SELECT recruiting.drop_audit_partitions('31 days')").empty());
    t.database.owner().run("UPDATE recruiting.audit_retention SET at_least = '400 days'");
    CHECK(t.state_of("SELECT recruiting.drop_audit_partitions('399 days')") == "22023");
    CHECK(t.state_of("SELECT recruiting.drop_audit_partitions('-2400 months 72400 days')") == "22023");
    CHECK(t.state_of("SELECT recruiting.drop_audit_partitions('400 days')").empty());
    t.attacker.run("SET timezone = 'Europe/Berlin'"); // where 400 days may be an hour less
    CHECK(t.state_of("SELECT recruiting.drop_audit_partitions(make_interval(secs => 400 * 86400))").empty());
    for (auto const* sql :
         {"UPDATE recruiting.audit_retention SET at_least = '30 days'", "DELETE FROM recruiting.audit_retention",
          "SELECT recruiting.drop_audit_months('31 days')", "SELECT recruiting.keep_audit_chain_starts(now())"}) {
        INFO(sql);
        CHECK(t.state_of(sql) == denied);
    }
}

// Conversations of all organizations, as retention deletes them: the owner's floor holds whatever is asked for, and
// whatever the rows were made to say.
TEST_CASE("no conversation younger than the owner's floor is deleted", "[roles]") {
    taken_over t;
    t.begin_run();
    auto& owner = t.database.owner();
    t.set("worker", "agent");
    CHECK(
        t.state_of("UPDATE recruiting.agent_sessions SET status = 'failed', last_run_at = now() - interval '900 days'")
            .empty());
    CHECK(t.state_of("UPDATE recruiting.agent_runs SET status = 'failed', failure = 'f', finished_at = now()").empty());
    CHECK(t.state_of("UPDATE recruiting.agent_runs SET finished_at = now() - interval '900 days'").empty());
    for (auto const* sql :
         {"UPDATE recruiting.agent_sessions SET updated_at = '2001-01-01'",
          "UPDATE recruiting.agent_sessions SET organization_id = gen_random_uuid()",
          "UPDATE recruiting.agent_messages SET content = ''", "DELETE FROM recruiting.agent_messages",
          "DELETE FROM recruiting.agent_runs", "DELETE FROM recruiting.agent_sessions",
          "UPDATE recruiting.retention_floors SET agent_sessions = '1 day'",
          "DELETE FROM recruiting.retention_floors"}) {
        INFO(sql);
        CHECK(t.state_of(sql) == denied);
    }
    for (auto const* interval : {"'1 day'", "'29 days'", "'-900 days'", "'-2400 months 72029 days'", "NULL"}) {
        INFO(interval);
        CHECK(t.state_of("SELECT recruiting.drop_agent_sessions(" + std::string(interval) + ", 1000)") == "22023");
    }
    CHECK(t.state_of("SELECT recruiting.drop_agent_sessions('30 days', 1000)").empty());
    CHECK(owner.run("SELECT count(*) FROM recruiting.agent_sessions").integer(0, 0) == 1);
    CHECK(owner.run("SELECT count(*) FROM recruiting.agent_messages").integer(0, 0) == 1);
    owner.run("UPDATE recruiting.retention_floors SET agent_sessions = '400 days'");
    CHECK(t.state_of("SELECT recruiting.drop_agent_sessions('399 days', 1000)") == "22023");
    CHECK(t.state_of("SELECT recruiting.drop_agent_sessions('400 days', 1000)").empty());
    CHECK_THROWS_AS(owner.run("UPDATE recruiting.retention_floors SET agent_sessions = '23 hours'"), pg::query_error);
}

TEST_CASE("usage is metered once for a run of its organization, now and with the run's tokens", "[roles]") {
    taken_over t;
    auto const run = t.begin_run();
    auto const other_slug = new_slug();
    auto const other = make_organization(t.database.owner(), other_slug);
    t.set("worker", "agent");
    REQUIRE(t.state_of("UPDATE recruiting.agent_runs SET input_tokens = 7, output_tokens = 2").empty());
    auto const meter = [&](uuid const& organization, std::string const& subject, std::string const& kind = "agent_run",
                           std::string const& tokens = "7, 2") {
        return t.state_of("INSERT INTO recruiting.usage_records (id, organization_id, kind, subject_id, input_tokens, "
                          "output_tokens) VALUES (gen_random_uuid(), '" +
                          to_string(organization) + "', '" + kind + "', " + subject + ", " + tokens + ")");
    };
    auto const of_run = "'" + to_string(run) + "'";
    CHECK(meter(t.organization.id, "gen_random_uuid()") == denied);
    CHECK(meter(t.organization.id, "NULL") == denied);
    CHECK(meter(other.id, of_run) == denied);
    CHECK(meter(t.organization.id, of_run, "booking") == denied);
    CHECK(meter(t.organization.id, of_run, "agent_run", "9000000, 2") == denied);
    CHECK(t.state_of("INSERT INTO recruiting.usage_records (id, organization_id, kind, subject_id, occurred_at) SELECT "
                     "gen_random_uuid(), organization_id, 'agent_run', id, '2001-01-01' FROM recruiting.agent_runs") ==
          denied);
    CHECK(meter(t.organization.id, of_run).empty());
    CHECK(meter(t.organization.id, of_run) == "23505");
    for (auto const* sql :
         {"UPDATE recruiting.usage_records SET input_tokens = 0", "DELETE FROM recruiting.usage_records"})
        CHECK(t.state_of(sql) == denied);
    CHECK(t.database.owner().run("SELECT count(*) FROM recruiting.usage_records").integer(0, 0) == 1);
}

TEST_CASE("a mail stays in the outbox until it was sent or is dead, and for as long as the owner wants", "[roles]") {
    booking_system s;
    s.add_candidate("ann@mail.example");
    s.open_slot(s.add_interviewer(), 48);
    s.ask("ann@mail.example", 48);
    s.work();
    REQUIRE(s.value("SELECT count(*) FROM recruiting.mail_outbox WHERE status = 'waiting'") == "2");
    pg::client attacker(s.database.auth_url(), "tests");
    auto const act_as = [&](std::string const& worker) {
        attacker.run("SELECT set_config('recruiting.worker', $1, false)", pg::params{}.text(worker));
    };
    auto const deletes = [&] { return attacker.run("DELETE FROM recruiting.mail_outbox").affected(); };
    for (auto const* worker : {"booking", "sign_in", "console", "mailer"}) {
        INFO(worker);
        act_as(worker);
        CHECK(deletes() == 0);
    }
    // Held back, without a later mail that tells more.
    CHECK(attacker.run("UPDATE recruiting.mail_outbox SET held_until = now() + interval '1 day'").affected() == 2);
    CHECK(deletes() == 0);
    // Said to be sent long ago: they stay, with the time at which it was said.
    CHECK(attacker.run("UPDATE recruiting.mail_outbox SET status = 'sent', finished_at = '2001-01-01'").affected() ==
          2);
    CHECK(deletes() == 0);
    CHECK(attacker.run("UPDATE recruiting.mail_outbox SET finished_at = '2001-01-01'").affected() == 2);
    CHECK(deletes() == 0);
    CHECK(s.value("SELECT bool_and(finished_at > now() - interval '10 minutes') FROM recruiting.mail_outbox") ==
          "true");
    s.change("UPDATE recruiting.mail_outbox SET finished_at = now() - interval '2 days'");
    s.change("UPDATE recruiting.retention_floors SET finished_mails = '3 days'");
    CHECK(deletes() == 0);
    s.change("UPDATE recruiting.retention_floors SET finished_mails = '1 day'");
    CHECK(deletes() == 2); // as retention does
}

// With a session that lives it is what the session's member may do (console_changes_test).
TEST_CASE("no key is made, widened, prolonged or taken back from its revocation without a session", "[roles]") {
    taken_over t;
    t.set("organization_id", to_string(t.organization.id));
    t.set("role", "admin");
    for (auto const* worker :
         {"", "last_use", "agent", "booking", "mailer", "sealer", "console", "sign_in", "session_use"}) {
        INFO(worker);
        t.set("worker", worker);
        for (auto const* sql :
             {"INSERT INTO recruiting.api_keys (id) VALUES (gen_random_uuid())", "DELETE FROM recruiting.api_keys",
              "UPDATE recruiting.api_keys SET scopes = '{*}'", "UPDATE recruiting.api_keys SET expires_at = 'infinity'",
              "UPDATE recruiting.api_keys SET secret_hash = ''", "UPDATE recruiting.api_keys SET allowed_ips = NULL",
              "UPDATE recruiting.api_keys SET membership_id = NULL",
              "INSERT INTO recruiting.memberships (id) VALUES (NULL)",
              "INSERT INTO recruiting.users (id) VALUES (NULL)", "UPDATE recruiting.organizations SET name = ''"}) {
            INFO(sql);
            CHECK(t.state_of(sql) == denied);
        }
        for (auto const* sql : {"UPDATE recruiting.memberships SET role = 'viewer'",
                                "UPDATE recruiting.memberships SET status = 'removed', removed_at = now()"})
            CHECK(t.attacker.run(sql).affected() == 0);
        static_cast<void>(t.state_of("UPDATE recruiting.api_keys SET revoked_at = NULL"));
        CHECK(t.database.owner().run("SELECT FROM recruiting.api_keys WHERE revoked_at IS NULL").empty());
    }
}

TEST_CASE("no mail names a member as the sender of an invitation who is not presented", "[roles]") {
    taken_over t;
    for (auto const* const worker : {"sign_in", "mailer", "console"}) {
        CAPTURE(worker);
        t.set("worker", worker);
        CHECK(t.state_of(
                  "INSERT INTO recruiting.mail_outbox (id, audience, kind, user_id, time_zone, invited_by) VALUES "
                  "(gen_random_uuid(), 'member', 'sign_in', gen_random_uuid(), 'UTC', gen_random_uuid())") == denied);
    }
}

TEST_CASE("records of jobs, candidates and billing are not written", "[roles]") {
    taken_over t;
    t.set("organization_id", to_string(t.organization.id));
    t.set("role", "admin");
    for (std::string const table : {"jobs", "stages", "hiring_teams", "candidates", "applications", "candidate_terms",
                                    "subscriptions", "invoices", "interview_slots", "schema_migrations"})
        for (std::string const& sql : {"DELETE FROM recruiting." + table, "TRUNCATE recruiting." + table,
                                       "INSERT INTO recruiting." + table + " DEFAULT VALUES"}) {
            INFO(sql);
            CHECK(t.state_of(sql) == denied);
        }
    CHECK(t.state_of("UPDATE recruiting.candidates SET name = ''") == denied);
    CHECK(t.state_of("UPDATE recruiting.jobs SET published = true") == denied);
}

TEST_CASE("recruiting_auth becomes nobody else and reaches no file or program of the server", "[roles]") {
    taken_over t;
    for (auto const* sql :
         {"SET ROLE recruiting_owner", "SET ROLE recruiting_public", "SET SESSION AUTHORIZATION postgres",
          "COPY (SELECT 1) TO PROGRAM 'true'", "COPY (SELECT 1) TO '/tmp/recruiting'",
          "SELECT pg_read_file('PG_VERSION')", "CREATE TABLE recruiting.mine (id int)",
          "CREATE TABLE public.mine (id int)", "ALTER ROLE recruiting_auth BYPASSRLS", "CREATE EXTENSION dblink"}) {
        INFO(sql);
        CHECK_FALSE(t.state_of(sql).empty());
    }
}

TEST_CASE("not defended: whoever has recruiting_auth reads any organization they name", "[roles]") {
    taken_over t;
    CHECK(t.attacker.run("SELECT FROM recruiting.api_keys").empty());
    t.set("organization_id", to_string(t.organization.id));
    t.set("role", "admin");
    auto const seen = t.attacker.run("SELECT length(secret_hash) FROM recruiting.api_keys");
    REQUIRE(seen.size() == 1);
    CHECK(seen.integer(0, 0) == 32); // hashes under a pepper that is not in the database
}

TEST_CASE("outside of a rotation no key's hash is changed, and the installation's pepper is not either", "[roles]") {
    taken_over t;
    auto& owner = t.database.owner();
    make_key(owner, t.slug, "admin@" + t.slug + ".example", {"*"}); // active
    auto const hash_of_key = [&] {
        auto const found = owner.run("SELECT secret_hash FROM recruiting.api_keys WHERE revoked_at IS NULL");
        return to_hex(found.bytes(0, 0));
    };
    auto const before = hash_of_key();
    auto const move = "SELECT recruiting.move_keys(ARRAY[sha256('mine')], ARRAY['\\x" + before + "'::bytea], ";
    for (auto const* const to : {"1)", "(SELECT pepper_fingerprint FROM recruiting.presented_credential))"})
        static_cast<void>(t.state_of(move + to));
    auto const home = owner.run("SELECT fingerprint FROM recruiting.key_pepper").integer(0, 0);
    static_cast<void>(t.state_of(move + std::to_string(home) + ")"));
    CHECK(hash_of_key() == before);
    static_cast<void>(t.state_of("SELECT recruiting.learn_pepper(1)"));
    CHECK(owner.run("SELECT fingerprint FROM recruiting.key_pepper").integer(0, 0) == home);
    for (auto const* sql : {"UPDATE recruiting.key_pepper SET fingerprint = 1", "DELETE FROM recruiting.key_pepper",
                            "UPDATE recruiting.api_keys SET pepper_fingerprint = 1"})
        CHECK(t.state_of(sql) == denied);
}

} // namespace roles_auth_test
