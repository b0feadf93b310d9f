// What the database's roles can reach, read from the catalog so that nothing new can be forgotten
// (threat_model.md): recruiting_public its published views and nothing else, recruiting_auth one organization at
// a time.
#include "core/ids.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"

#include <map>
#include <set>

namespace roles_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

using names = std::set<std::string>;

std::string new_id() { return to_string(new_record_id()); }

names column_of(pg::rows const& rows) {
    names out;
    for (int i = 0; i < rows.size(); ++i) out.emplace(rows.text(i, 0));
    return out;
}

/// Every relation outside PostgreSQL's own schemas, "schema.name", of these kinds ('r' table, 'p' partitioned, 'v'
/// view…).
// But for the tests' own view.
names relations(pg::client& db, std::string const& kinds) {
    return column_of(db.run("SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c "
                            "JOIN pg_namespace n ON n.oid = c.relnamespace "
                            "WHERE n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema' "
                            "AND c.oid IS DISTINCT FROM to_regclass('public.audit_rows') "
                            "AND c.relkind = ANY (string_to_array($1, NULL)::\"char\"[])",
                            pg::params().text(kinds)));
}

/// One organization with a row in every table that holds an organization's rows. organization, member and secret_hash
/// are what authenticate would set for its key.
struct tenant {
    std::string organization = new_id(), user = new_id(), member = new_id(), key = new_id();
    std::string secret_hash = new_id() + new_id(); // 32 bytes in hex

    explicit tenant(pg::client& db) {
        auto const job = new_id(), stage = new_id(), candidate = new_id(), audit = new_id();
        auto const session = new_id(), agent_run = new_id(), application = new_id(), slot = new_id();
        auto const booking = new_id(), webhook = new_id();
        auto const run = [&](std::string const& sql, std::initializer_list<std::string> values) {
            pg::params params;
            for (auto const& value : values) params.text(value);
            db.run("INSERT INTO recruiting." + sql, params);
        };
        run("organizations (id, slug, name) VALUES ($1, $2, 'T')", {organization, "t-" + organization.substr(12)});
        run("users (id, email_key, name) VALUES ($1, $2, 'U')", {user, user + "@mail.example"});
        run("memberships (id, organization_id, user_id, email, role) VALUES ($1, $2, $3, $4, 'admin')",
            {member, organization, user, user + "@mail.example"});
        run("api_keys (id, organization_id, membership_id, name, secret_hash, displayed_prefix, environment, scopes, "
            "expires_at) VALUES ($1, $2, $3, 'K', decode($4, 'hex'), 'sp_test_abcd', 'test', '{*}', now() + interval "
            "'1 day')",
            {key, organization, member, secret_hash});
        run("jobs (id, organization_id, title, status, published, published_at) VALUES ($1, $2, 'J', 'open', true, "
            "now())",
            {job, organization});
        run("hiring_teams (organization_id, job_id, membership_id) VALUES ($1, $2, $3)", {organization, job, member});
        run("stages (id, organization_id, job_id, name, kind, position) VALUES ($1, $2, $3, 'S', 'screen', 0)",
            {stage, organization, job});
        run("candidates (id, organization_id, name, tags) VALUES ($1, $2, 'C', '{t}')", {candidate, organization});
        run("applications (id, organization_id, candidate_id, job_id, stage_id) VALUES ($1, $2, $3, $4, $5)",
            {application, organization, candidate, job, stage});
        run("reach_changes (organization_id, membership_id, candidate_id, job_id, changed_xid, changed_at) "
            "VALUES ($1, $2, $3, $4, pg_current_xact_id(), now())",
            {organization, member, candidate, job});
        run("interview_slots (id, organization_id, job_id, stage_id, membership_id, starts_at, ends_at) "
            "VALUES ($1, $2, $3, $4, $5, now() + interval '1 day', now() + interval '25 hours')",
            {slot, organization, job, stage, member});
        run("bookings (id, organization_id, application_id, candidate_id, job_id, stage_id, status, slot_id, "
            "time_zone, "
            "calendar_uid) VALUES ($1, $2, $3, $4, $5, $6, 'confirmed', $7, 'UTC', $1)", // with mails
            {booking, organization, application, candidate, job, stage, slot});
        run("booking_tokens (hash, join_hash, organization_id, booking_id, expires_at) "
            "VALUES (sha256($1::uuid::text::bytea), sha256($1::uuid::text::bytea), $2, $1, now() + interval '1 day')",
            {booking, organization});
        run("decline_tokens (hash, organization_id, booking_id, membership_id, calendar_uid, starts_at, ends_at, "
            "expires_at) "
            "VALUES (sha256($1::uuid::text::bytea), $2, $1, $3, $1, now(), now(), now() + interval '1 day')",
            {booking, organization, member});
        run("booking_requests (organization_id, job_id, stage_id, starts_at, email) "
            "VALUES ($1, $2, $3, now(), 'a@b.example')",
            {organization, job, stage});
        run("unmatched_booking_requests (id, organization_id, job_id, stage_id, email, email_key, starts_at, "
            "first_received_at, last_received_at) "
            "VALUES ($1, $2, $3, $4, 'a@b.example', 'a@b.example', now(), now(), now())",
            {new_id(), organization, job, stage});
        run("subscriptions (organization_id, plan, status, currency, current_period_start, current_period_end, "
            "seats_included) VALUES ($1, 'P', 'active', 'EUR', now(), now() + interval '1 day', 1)",
            {organization});
        run("invoices (id, organization_id, number, status, amount_cents, currency, issued_at) "
            "VALUES ($1, $2, '1', 'open', 1, 'EUR', now())",
            {new_id(), organization});
        run("usage_records (id, organization_id, kind) VALUES ($1, $2, 'booking')", {new_id(), organization});
        run("agent_sessions (id, organization_id, membership_id, credential_id, title, status, last_run_at) "
            "VALUES ($1, $2, $3, $4, 'S', 'completed', now())",
            {session, organization, member, key});
        run("agent_runs (id, organization_id, session_id, membership_id, credential_id, prompt_hash, status, model, "
            "reply, lease_owner, lease_expires_at, finished_at) VALUES ($1, $2, $3, $4, $5, sha256(''), 'completed', "
            "'M', 'R', $1, now(), now())",
            {agent_run, organization, session, member, key});
        run("agent_messages (id, position, organization_id, session_id, run_id, membership_id, role, content) "
            "VALUES ($1, 0, $2, $3, $4, $5, 'user', 'P')",
            {new_id(), organization, session, agent_run, member});
        run("audit_log (id, occurred_at, organization_id, actor_type, action, success, sequence, hash) "
            "VALUES ($1, now(), $2, 'system', 'a', true, 1, '')",
            {audit, organization});
        run("audit_log (id, occurred_at, organization_id, actor_type, action, success) " // goes to the intake
            "VALUES ($1, now(), $2, 'system', 'a', true)",
            {audit, organization});
        run("audit_refusals (credential_id, minute, counter, organization_id, requests, unwritten, last_at) "
            "VALUES ($1, now(), $1, $2, 1, 1, now())",
            {key, organization});
        run("audit_seals_kept (organization_id, sequence, audit_id, occurred_at, hash) "
            "VALUES ($1, 1, $2, now(), '')",
            {organization, audit});
        run("audit_heads (organization_id, sequence, hash) VALUES ($1, 1, '')", {organization});
        run("webhooks (id, organization_id, url, resources, secret) VALUES ($1, $2, 'https://a.example', '{jobs}', "
            "sha256(''))",
            {webhook, organization});
        run("webhook_positions (webhook_id, resource, organization_id, seen_xid) VALUES ($1, 'jobs', $2, '1')",
            {webhook, organization});
        run("webhook_messages (id, webhook_id, organization_id, type) VALUES ($1, $2, $3, 'webhook.test')",
            {new_id(), webhook, organization});
        run("webhook_deliveries (id, webhook_id, organization_id, message_id, type, message_created_at, attempted_at, "
            "status_code, duration_ms, excerpt) VALUES ($1, $2, $3, $1, 'webhook.test', now(), now(), 200, 1, '')",
            {new_id(), webhook, organization});
        run("audit_chain_starts (organization_id, sequence, hash, dropped_before) VALUES ($1, 1, '', now())",
            {organization});
    }
};

/// A migrated database with two organizations, and a superuser's connection to it.
struct two_tenants {
    test_database database;
    pg::client superuser{database.superuser_url()};
    tenant a{superuser};
    tenant b{superuser};
};

// Tables that hold no organization's data; everything else must, and is held to the rules below. Sessions and sign-in
// links are people's, who may belong to several organizations (console_changes_test, console_session_test). The list of
// erasures and the fingerprint of the pepper are the owner's.
names const shared_tables = {
    "recruiting.audit_retention",  "recruiting.audit_set_aside",   "recruiting.booking_mail_counts",
    "recruiting.console_sessions", "recruiting.database_identity", "recruiting.erasures",
    "recruiting.key_pepper",       "recruiting.retention_floors",  "recruiting.schema_migrations",
    "recruiting.search_folding",   "recruiting.sign_in_counts",    "recruiting.sign_in_requests",
    "recruiting.sign_in_tokens"};
// An organization's, and still nobody's to read: their worker's alone; the changes are public-api's.
names const workers_tables = {"recruiting.audit_intake",     "recruiting.audit_refusals", "recruiting.booking_requests",
                              "recruiting.booking_tokens",   "recruiting.decline_tokens", "recruiting.mail_outbox",
                              "recruiting.published_changes"};

// A hiring manager's alone: what entered or left their reach. The tenants' member is one in that role below.
names const hiring_managers_tables = {"recruiting.reach_changes"};

/// How a table's row tells its organization ($1); "" where it does not.
std::string belongs_to(pg::client& db, std::string const& table) {
    if (table == "recruiting.organizations") return "id = $1::uuid";
    if (table == "recruiting.users")
        return "id IN (SELECT user_id FROM recruiting.memberships WHERE organization_id = $1::uuid)";
    if (table == "recruiting.audit_intake")
        return "EXISTS (SELECT FROM unnest(events) AS e WHERE e.organization_id = $1::uuid)";
    auto const has = db.run("SELECT FROM pg_attribute WHERE attrelid = $1::regclass AND attname = 'organization_id' "
                            "AND NOT attisdropped",
                            pg::params().text(table));
    return has.empty() ? "" : "organization_id = $1::uuid";
}

/// Where each row of the organization lies: what identifies it whatever its columns are.
names rows_of(pg::client& db, std::string const& table, std::string const& organization) {
    return column_of(
        db.run("SELECT tableoid::regclass::text || ctid::text FROM " + table + " WHERE " + belongs_to(db, table),
               pg::params().text(organization)));
}

using session_settings = std::map<std::string, std::string>;

/// What recruiting_auth sees of a table under these settings; nothing where it has no right to read at all.
names seen_by_auth(pg::client& superuser, std::string const& table, session_settings const& settings) {
    auto const may =
        superuser.run("SELECT has_any_column_privilege('recruiting_auth', $1, 'SELECT')", pg::params().text(table));
    if (!may.boolean(0, 0)) return {};
    pg::transaction undone(superuser); // never committed: the role and the settings end with it
    superuser.script("SET LOCAL ROLE recruiting_auth");
    for (auto const& [name, value] : settings)
        superuser.run("SELECT set_config('recruiting.' || $1, $2, true)", pg::params().text(name).text(value));
    return column_of(superuser.run("SELECT tableoid::regclass::text || ctid::text FROM " + table));
}

bool meet(names const& one, names const& other) {
    for (auto const& item : one)
        if (other.contains(item)) return true;
    return false;
}

} // namespace

TEST_CASE("every table but the shared ones belongs to organizations, with forced row-level security", "[roles]") {
    two_tenants t;
    auto const tables = relations(t.superuser, "rp");
    REQUIRE(tables.size() > 20);
    for (auto const& table : tables) {
        INFO(table);
        if (shared_tables.contains(table)) continue;
        CHECK_FALSE(belongs_to(t.superuser, table).empty());
        auto const flags =
            t.superuser.run("SELECT relrowsecurity, relforcerowsecurity FROM pg_class WHERE oid = $1::regclass",
                            pg::params().text(table));
        CHECK(flags.boolean(0, 0));
        CHECK(flags.boolean(0, 1));
    }
    for (auto const& table : shared_tables) CHECK(tables.contains(table));
}

TEST_CASE("recruiting_auth without settings sees nothing on any table", "[roles]") {
    two_tenants t;
    for (auto const& table : relations(t.superuser, "rp")) {
        INFO(table);
        if (shared_tables.contains(table)) continue;
        CHECK(seen_by_auth(t.superuser, table, {}).empty());
        CHECK(seen_by_auth(t.superuser, table, {{"role", "admin"}})
                  .empty()); // a role is nothing without its organization
        CHECK(seen_by_auth(t.superuser, table, {{"organization_id", ""}, {"member_id", ""}, {"secret_hash", ""}})
                  .empty());
    }
}

TEST_CASE("one organization's settings never reveal a row of another, on any table, in any role", "[roles]") {
    two_tenants t;
    for (auto const& table : relations(t.superuser, "rp")) {
        INFO(table);
        if (shared_tables.contains(table)) continue;
        bool const partition =
            t.superuser.run("SELECT relispartition FROM pg_class WHERE oid = $1::regclass", pg::params().text(table))
                .boolean(0, 0);
        auto const own = rows_of(t.superuser, table, t.a.organization);
        auto const foreign = rows_of(t.superuser, table, t.b.organization);
        if (!partition) { // most months are empty; their parent is not
            REQUIRE_FALSE(own.empty());
            REQUIRE_FALSE(foreign.empty());
        }
        for (std::string const role : {"admin", "recruiter", "hiring_manager", "interviewer", "viewer", "nonsense"}) {
            INFO(role);
            auto const seen = seen_by_auth(t.superuser, table,
                                           {{"organization_id", t.a.organization},
                                            {"member_id", t.a.member},
                                            {"role", role},
                                            {"secret_hash", t.a.secret_hash}});
            CHECK_FALSE(meet(seen, foreign));
            // The other side: what is its own is there.
            if (workers_tables.contains(table)) CHECK(seen.empty());
            else if (hiring_managers_tables.contains(table)) CHECK(seen == (role == "hiring_manager" ? own : names{}));
            else if (role == "admin" && !partition) CHECK(seen == own);
        }
    }
}

TEST_CASE("a secret's hash alone reveals that key's credential and no table's row", "[roles]") {
    two_tenants t;
    for (auto const& table : relations(t.superuser, "rp")) {
        INFO(table);
        if (shared_tables.contains(table)) continue;
        CHECK(seen_by_auth(t.superuser, table, {{"secret_hash", t.b.secret_hash}}).empty());
    }
    pg::client as_auth(t.database.auth_url(), "tests");
    auto const presented = [&](session_settings const& settings) {
        pg::transaction undone(as_auth);
        for (auto const& [name, value] : settings)
            as_auth.run("SELECT set_config('recruiting.' || $1, $2, true)", pg::params().text(name).text(value));
        return column_of(as_auth.run("SELECT replace(id::text, '-', '') FROM recruiting.presented_credential"));
    };
    CHECK(presented({}).empty());
    CHECK(presented({{"organization_id", t.a.organization}, {"member_id", t.a.member}, {"role", "admin"}}).empty());
    CHECK(presented({{"secret_hash", t.b.secret_hash}}) == names{t.b.key});
    CHECK(presented({{"organization_id", t.a.organization}, {"secret_hash", t.a.secret_hash}}) == names{t.a.key});
    CHECK(presented({{"secret_hash", std::string(64, '0')}}).empty());
    auto const hashes = R"({"\\x)" + t.a.secret_hash + R"(","\\x)" + t.b.secret_hash + R"("})";
    CHECK(presented({{"secret_hashes", hashes}}) == names{t.a.key, t.b.key});
    CHECK(presented({{"secret_hashes", ""}, {"secret_hash", t.b.secret_hash}}) == names{t.b.key});
    for (auto const& table : relations(t.superuser, "rp"))
        if (!shared_tables.contains(table))
            CHECK(seen_by_auth(t.superuser, table, {{"secret_hashes", hashes}}).empty());
}

TEST_CASE("a worker's tables and views are its own: another worker's name shows nothing", "[roles]") {
    two_tenants t;
    std::map<std::string, names> const readers = {{"recruiting.booking_requests", {"booking"}},
                                                  {"recruiting.booking_candidates", {"booking"}},
                                                  {"recruiting.free_slots", {"booking"}},
                                                  {"recruiting.mail_outbox", {"booking", "mailer"}},
                                                  {"recruiting.booking_tokens", {"mailer"}},
                                                  {"recruiting.decline_tokens", {"mailer"}},
                                                  {"recruiting.mail_content", {"mailer"}},
                                                  {"recruiting.bookings", {"booking"}},
                                                  {"recruiting.interview_slots", {}},
                                                  {"recruiting.booking_mail_counts", {"mailer"}},
                                                  {"recruiting.sign_in_people", {"sign_in"}},
                                                  {"recruiting.sign_in_requests", {"sign_in"}},
                                                  {"recruiting.presented_session", {}},
                                                  {"recruiting.presented_sign_in", {}},
                                                  {"recruiting.session_organizations", {}},
                                                  {"recruiting.mail_inviters", {"mailer"}},
                                                  {"recruiting.webhooks", {"webhooks"}},
                                                  {"recruiting.webhook_deliveries", {"webhooks"}},
                                                  {"recruiting.webhook_messages", {"webhooks"}},
                                                  {"recruiting.webhook_positions", {"webhooks"}},
                                                  {"recruiting.unmatched_booking_requests", {"booking"}}};
    t.superuser.script("INSERT INTO recruiting.sign_in_requests (email_key) VALUES ('a@b.example')");
    t.superuser.script("UPDATE recruiting.mail_outbox o SET invited_by = (SELECT m.id FROM recruiting.memberships m "
                       "WHERE m.organization_id = o.organization_id LIMIT 1)");
    t.superuser.script("INSERT INTO recruiting.booking_mail_counts VALUES (sha256('x'), 'today', 1, 0)");
    t.superuser.script(
        "UPDATE recruiting.candidates SET email = 'c@b.example', email_key = 'c@b.example'; "
        "INSERT INTO recruiting.interview_slots "
        "(id, organization_id, job_id, stage_id, membership_id, starts_at, ends_at) SELECT "
        "gen_random_uuid(), organization_id, job_id, stage_id, membership_id, now() + interval '2 days', "
        "now() + interval '49 hours' FROM recruiting.interview_slots");
    for (auto const& [relation, workers] : readers)
        for (std::string const worker :
             {"booking", "mailer", "sealer", "agent", "last_use", "sign_in", "webhooks", "console", ""}) {
            INFO(relation << " to " << worker);
            pg::transaction undone(t.superuser);
            t.superuser.script("SET LOCAL ROLE recruiting_auth");
            t.superuser.run("SELECT set_config('recruiting.worker', $1, true)", pg::params().text(worker));
            CHECK(t.superuser.run("SELECT FROM " + relation).empty() != workers.contains(worker));
        }
}

TEST_CASE("recruiting_auth owns nothing, these views alone run with their owner's rights for it", "[roles]") {
    two_tenants t;
    names readable;
    for (auto const& view : relations(t.superuser, "vm")) {
        INFO(view);
        auto const may =
            t.superuser.run("SELECT has_any_column_privilege('recruiting_auth', $1, 'SELECT'), "
                            "has_any_column_privilege('recruiting_auth', $1, 'INSERT, UPDATE, REFERENCES')",
                            pg::params().text(view));
        if (may.boolean(0, 0)) readable.insert(view);
        CHECK_FALSE(may.boolean(0, 1));
    }
    CHECK(readable == names{"recruiting.presented_credential", // what they show: the cases above
                            "recruiting.booking_candidates", "recruiting.free_slots", "recruiting.mail_content",
                            "recruiting.member_mail_content", "recruiting.mail_inviters",
                            "recruiting.presented_session", "recruiting.presented_sign_in",
                            "recruiting.session_organizations", "recruiting.sign_in_people"});
    auto const owned = t.superuser.run(
        "SELECT FROM pg_class WHERE relowner IN ('recruiting_auth'::regrole, 'recruiting_public'::regrole)");
    CHECK(owned.empty());
    // What runs with its owner's rights returns no row of a table to the caller, but the id of the person whose session
    // is presented, or whom an admin invites; of the candidates in a hiring manager's reach it tells the ids, and of
    // slots and interviews the times and what happened, by the conditions of the policies.
    auto const definer = column_of(
        t.superuser.run("SELECT p.oid::regprocedure::text FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace "
                        "WHERE p.prosecdef AND n.nspname NOT IN ('pg_catalog', 'information_schema') "
                        "AND has_function_privilege('recruiting_auth', p.oid, 'EXECUTE')"));
    CHECK(
        definer ==
        names{"recruiting.count_refused_requests(integer,uuid[],uuid[],timestamp with time zone[],uuid[],uuid[],"
              "smallint[],text[],inet[])",
              "recruiting.drop_agent_sessions(interval,bigint)",
              "recruiting.delete_inactive_candidates(bigint)",
              "recruiting.lock_key_count(uuid)",
              "recruiting.lock_slot_counts(uuid,uuid,uuid)",
              "recruiting.resend_confirmation(uuid,bigint)",
              "recruiting.add_booking_link(uuid,bigint,bytea,bytea,interval)",
              "recruiting.booking_timeline(uuid)",
              "recruiting.may_delete_mail(uuid)",
              "recruiting.drop_audit_partitions(interval)",
              "recruiting.make_audit_partitions(boolean)",
              "recruiting.audit_rows_waiting()",
              "recruiting.audit_waiting_since()",
              "recruiting.seal_audit_rows(integer)",
              "recruiting.sees_transactions()",
              "recruiting.transaction_horizon()",
              "recruiting.first_own_candidates(boolean,timestamp with time zone,timestamp with time zone,"
              "timestamp with time zone,uuid,bigint)",
              "recruiting.has_application_in_reach(uuid)",
              "recruiting.schema_version()",
              "recruiting.server_line()",
              "recruiting.write_refused_counts()",
              "recruiting.write_webhook_messages(integer)",
              "recruiting.conclude_webhook_delivery(uuid,uuid,uuid,timestamp with time zone,integer,text,integer,text,"
              "interval,interval)",
              "recruiting.choose_organization(uuid,inet,text,text)",
              "recruiting.admit_identified(bytea,text,text)",
              "recruiting.current_session_user_id()",
              "recruiting.find_or_add_user(uuid,text,text)",
              "recruiting.open_session(uuid,bytea,bytea,interval,interval,inet,text,text,boolean)",
              "recruiting.presented_by_operator()",
              "recruiting.sign_out(uuid,boolean,inet,text,text)",
              "recruiting.release_expired_key_name(uuid,text)",
              "recruiting.interview_times(uuid,timestamp with time zone,timestamp with time zone)",
              "recruiting.interviewer_times(uuid,timestamp with time zone,timestamp with time zone)",
              "recruiting.change_stage_booking(uuid,boolean,integer)",
              "recruiting.is_pepper_lost(bigint[])",
              "recruiting.learn_pepper(bigint)",
              "recruiting.move_keys(bytea[],bytea[],bigint)",
              "recruiting.stored_session_hash(bytea,bytea)"});
}

TEST_CASE("neither service role has rights beyond the database's objects", "[roles]") {
    two_tenants t;
    for (std::string const role : {"recruiting_auth", "recruiting_public"}) {
        INFO(role);
        auto const flags =
            t.superuser.run("SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls "
                            "FROM pg_roles WHERE rolname = $1",
                            pg::params().text(role));
        CHECK_FALSE(flags.boolean(0, 0));
        CHECK(
            t.superuser.run("SELECT FROM pg_auth_members WHERE member = $1::regrole", pg::params().text(role)).empty());
        CHECK_FALSE(
            t.superuser.run("SELECT has_database_privilege($1, current_database(), 'CREATE')", pg::params().text(role))
                .boolean(0, 0));
        CHECK_FALSE(t.superuser
                        .run("SELECT bool_or(has_schema_privilege($1, oid, 'CREATE')) FROM pg_namespace",
                             pg::params().text(role))
                        .boolean(0, 0));
    }
}

TEST_CASE("recruiting_public: SELECT on exactly the published views, and nothing else", "[roles]") {
    two_tenants t;
    auto& db = t.superuser;
    names const published = {
        "recruiting.published_jobs",         "recruiting.published_organizations", "recruiting.published_stages",
        "recruiting.published_slots",        "recruiting.presented_booking",       "recruiting.presented_decline",
        "recruiting.presented_availability", "recruiting.presented_meeting",       "recruiting.published_changes"};
    // Columns of these, held to the letter in roles_booking_test.
    names const in_part = {"recruiting.booking_requests", "recruiting.bookings"};
    names selectable;
    for (auto const& relation : relations(db, "rpvmf")) {
        INFO(relation);
        auto const may = [&](std::string const& what) {
            return db
                .run("SELECT has_table_privilege('recruiting_public', $1, $2)", pg::params().text(relation).text(what))
                .boolean(0, 0);
        };
        if (may("SELECT")) selectable.insert(relation);
        CHECK_FALSE(may("UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER"));
        CHECK_FALSE(may("INSERT"));
        if (in_part.contains(relation)) continue;
        auto const columns =
            db.run("SELECT has_any_column_privilege('recruiting_public', $1, 'INSERT, UPDATE, REFERENCES'), "
                   "has_any_column_privilege('recruiting_public', $1, 'SELECT')",
                   pg::params().text(relation));
        CHECK_FALSE(columns.boolean(0, 0));
        CHECK(columns.boolean(0, 1) == published.contains(relation));
    }
    CHECK(selectable == published);
    for (auto const& sequence : relations(db, "S")) {
        INFO(sequence);
        CHECK_FALSE(db.run("SELECT has_sequence_privilege('recruiting_public', $1, 'USAGE, SELECT, UPDATE')",
                           pg::params().text(sequence))
                        .boolean(0, 0));
    }
}

TEST_CASE("recruiting_public: schemas and functions", "[roles]") {
    two_tenants t;
    auto const schemas = column_of(t.superuser.run(
        "SELECT nspname::text FROM pg_namespace WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema' "
        "AND has_schema_privilege('recruiting_public', oid, 'USAGE')"));
    CHECK(schemas == names{"public", "recruiting"});
    CHECK(relations(t.superuser, "rpvmfS").size() ==
          column_of(
              t.superuser.run(
                  "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname = 'recruiting' UNION "
                  "SELECT format('%I.%I', schemaname, viewname) FROM pg_views WHERE schemaname = 'recruiting' UNION "
                  "SELECT format('%I.%I', schemaname, sequencename) FROM pg_sequences WHERE schemaname = 'recruiting'"))
              .size()); // none elsewhere
    // What it may call by PostgreSQL's default runs with its own rights, and so touches nothing it can't touch anyway.
    auto const definer =
        t.superuser.run("SELECT p.oid::regprocedure::text FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace "
                        "WHERE p.prosecdef AND n.nspname NOT IN ('pg_catalog', 'information_schema') "
                        "AND has_function_privilege('recruiting_public', p.oid, 'EXECUTE')");
    // The booking whose link it presents, declining that one, ids of organizations whose published data it reads
    // anyway, the schema's number, and which server this is.
    names const callable = {"recruiting.decline_interview()", "recruiting.presented_booking_id()",
                            "recruiting.presented_join()",    "recruiting.published_pages(integer)",
                            "recruiting.schema_version()",    "recruiting.server_line()"};
    CHECK(column_of(definer) == callable);
    auto const granted =
        t.superuser.run("SELECT p.oid::regprocedure::text FROM pg_proc p CROSS JOIN LATERAL aclexplode(p.proacl) a "
                        "WHERE a.grantee = 'recruiting_public'::regrole");
    CHECK(column_of(granted) == callable);
}

TEST_CASE("the published views show what is published, whatever the caller's settings", "[roles]") {
    two_tenants t;
    pg::client as_public(t.database.public_url(), "tests");
    REQUIRE(as_public.run("SELECT FROM recruiting.published_jobs").size() == 2);
    t.superuser.run("UPDATE recruiting.jobs SET published = false WHERE organization_id = $1",
                    pg::params().text(t.a.organization));
    as_public.run(
        "SELECT set_config('recruiting.organization_id', $1, false), set_config('recruiting.role', 'admin', false)",
        pg::params().text(t.a.organization));
    REQUIRE(as_public.run("SELECT FROM recruiting.published_jobs").size() == 1);
    for (auto const* sql :
         {"SELECT FROM recruiting.jobs", "SELECT FROM recruiting.candidates", "SELECT FROM recruiting.audit_log",
          "SELECT FROM recruiting.api_keys", "SELECT FROM recruiting.presented_credential",
          "UPDATE recruiting.published_organizations SET name = 'x'"}) {
        INFO(sql);
        std::string state;
        try {
            as_public.run(sql);
        } catch (pg::query_error const& error) {
            state = error.sqlstate();
        }
        CHECK(state == "42501");
    }
}

} // namespace roles_test
