// Retention of candidates: who is due, what is deleted of them, what copies learn, and what a setting costs.
#include "integration/auth_api/background/booking_harness.hpp"
#include "integration/auth_api/sync_copies.hpp"
#include "integration/auth_api/sync_recruiting.hpp"
#include "integration/support/planner.hpp"
#include "support/catch.hpp"

namespace candidate_retention_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

// Without the triggers that stamp times.
void unstamped(pg::client& owner, std::string const& table, std::string const& sql) {
    owner.script("ALTER TABLE recruiting." + table + " DISABLE TRIGGER USER");
    owner.script(sql);
    owner.script("ALTER TABLE recruiting." + table + " ENABLE TRIGGER USER");
}

// As if the setting had been made a week ago.
void set_retention(pg::client& owner, std::string const& slug, int days) {
    owner.script("UPDATE recruiting.organizations SET candidate_retention_days = " + std::to_string(days) +
                 " WHERE slug = '" + slug + "'");
    unstamped(owner, "organizations",
              "UPDATE recruiting.organizations SET candidate_retention_acts_from = now() WHERE slug = '" + slug + "'");
}

std::int64_t delete_inactive(test_database const& database, std::int64_t most = 500) {
    pg::client services(database.auth_url(), "tests");
    return services.run("SELECT recruiting.delete_inactive_candidates($1)", pg::params{}.integer(most)).integer(0, 0);
}

struct records_of_people : booking_system {
    /// A candidate whose record has not changed for so long; their application is rejected.
    void add_inactive(std::string const& name, std::string const& age) {
        add_candidate(name + "@mail.example");
        change("UPDATE recruiting.candidates SET name = '" + name + "' WHERE email = '" + name + "@mail.example'");
        of(name, "applications", "status = 'rejected', rejected_at = now(), rejection_reason = 'told " + name + "'");
        grow_old(name, age);
    }
    void of(std::string const& name, std::string const& table, std::string const& set) {
        auto const column = std::string(table == "candidates" ? "id" : "candidate_id");
        change("UPDATE recruiting." + table + " SET " + set + " WHERE " + column +
               " = (SELECT id FROM recruiting.candidates WHERE name = '" + name + "')");
    }
    void grow_old(std::string const& name, std::string const& age) {
        unstamped(database.owner(), "candidates",
                  "UPDATE recruiting.candidates SET updated_at = now() - interval '" + age + "' WHERE name = '" + name +
                      "'");
    }
    /// The names that are still stored.
    std::string names() {
        return value("SELECT string_agg(name, ' ' ORDER BY name) FROM recruiting.candidates WHERE erased_at IS NULL");
    }
    /// Every row of every table that has the text in any of its columns.
    std::string rows_with(std::string const& text) {
        auto const tables = database.owner().run(
            "SELECT c.oid::regclass::text FROM pg_class c WHERE c.relnamespace = 'recruiting'::regnamespace "
            "AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1");
        pg::client superuser(database.superuser_url(), "tests");
        std::string found;
        for (int i = 0; i < tables.size(); ++i) {
            std::string const table(tables.text(i, 0));
            auto const rows = superuser.run("SELECT t::text FROM " + table + " t WHERE t::text ILIKE '%' || $1 || '%'",
                                            pg::params{}.text(text));
            for (int row = 0; row < rows.size(); ++row) found += table + ": " + std::string(rows.text(row, 0)) + "\n";
        }
        return found;
    }
};

} // namespace

TEST_CASE("due are candidates in whose record nothing has changed for the organization's time", "[retention]") {
    records_of_people s;
    auto const interviewer = s.add_interviewer();
    for (auto const* name : {"rejected", "hired", "withdrawn", "none", "active", "changed", "contacted", "interviewed",
                             "met", "removed", "lately"})
        s.add_inactive(name, "101 days");
    s.of("hired", "applications", "status = 'hired'");
    s.of("withdrawn", "applications", "status = 'withdrawn'");
    s.change("DELETE FROM recruiting.applications WHERE candidate_id = (SELECT id FROM recruiting.candidates WHERE "
             "name = 'none')");
    s.of("active", "applications", "status = 'active'");
    s.of("contacted", "candidates", "last_activity_at = now() - interval '99 days'");
    for (auto const* name : {"removed", "lately"}) s.of(name, "candidates", "deleted_at = now()");
    // Interviews: one that is to come, and one that was long ago.
    for (auto const* name : {"interviewed", "met"}) {
        s.of(name, "applications", "status = 'active'");
        auto const hours = name == std::string("met") ? 48 : 72;
        s.open_slot(interviewer, hours);
        s.ask(std::string(name) + "@mail.example", hours);
        s.work();
        s.of(name, "applications", "status = 'rejected'");
    }
    unstamped(
        s.database.owner(), "bookings",
        "UPDATE recruiting.bookings SET starts_at = now() - interval '102 days', ends_at = now() - interval '101 days' "
        "WHERE starts_at < now() + interval '60 hours'");
    for (auto const* name : {"hired", "withdrawn", "none", "active", "contacted", "interviewed", "met", "removed"})
        s.grow_old(name, "101 days");
    s.grow_old("changed", "99 days");
    auto const acme = s.slug;
    s.add_organization(); // has no setting
    s.add_inactive("elsewhere", "1000 days");

    set_retention(s.database.owner(), acme, 100);
    CHECK(delete_inactive(s.database, 2) == 2); // a batch
    CHECK(delete_inactive(s.database) == 4);
    CHECK(delete_inactive(s.database) == 0);
    CHECK(s.names() == "active changed contacted elsewhere interviewed lately");
    CHECK(s.value("SELECT string_agg(concat_ws(' ', o.slug, a.actor_type, a.request_count, a.target_type, "
                  "a.target_id = replace(o.id::text, '-', '')), ', ' ORDER BY a.occurred_at) "
                  "FROM audit_rows a JOIN recruiting.organizations o ON o.id = a.organization_id "
                  "WHERE a.action = 'candidate.expired'") ==
          acme + " system 2 organization t, " + acme + " system 4 organization t");
}

TEST_CASE("nothing is deleted in the week after the setting was made or changed", "[retention]") {
    records_of_people s;
    s.add_inactive("anna", "900 days");
    auto const acts_in = "SELECT round(extract(epoch FROM candidate_retention_acts_from - now()) / 3600) "
                         "FROM recruiting.organizations WHERE slug = '" +
                         s.slug + "'";
    auto const set = [&](std::string const& days) {
        s.change("UPDATE recruiting.organizations SET candidate_retention_days = " + days + " WHERE slug = '" + s.slug +
                 "'");
    };
    set("730");
    CHECK(s.value(acts_in) == "168");
    CHECK(delete_inactive(s.database) == 0);
    unstamped(s.database.owner(), "organizations",
              "UPDATE recruiting.organizations SET candidate_retention_acts_from = now() + interval '1 second' "
              "WHERE candidate_retention_days IS NOT NULL");
    set("730"); // the same: the week goes on
    CHECK(s.value(acts_in) == "0");
    set("365");
    CHECK(s.value(acts_in) == "168");
    CHECK(delete_inactive(s.database) == 0);
    set("NULL");
    CHECK(s.value("SELECT candidate_retention_acts_from IS NULL FROM recruiting.organizations WHERE slug = '" + s.slug +
                  "'") == "true");
    for (auto const* days : {"29", "3651", "0", "-1"}) CHECK_THROWS_AS(set(days), pg::query_error);
    CHECK(s.names() == "anna");
}

TEST_CASE("all that is known of a due candidate is deleted, everywhere", "[retention]") {
    records_of_people s;
    s.add_inactive("anna", "0 days");
    s.of("anna", "applications", "status = 'active', source = 'anna''s friend', external_id = 'application of anna'");
    s.of("anna", "candidates",
         "external_id = 'anna 4711', phone = 'anna phone', current_title = 'anna title', current_company = 'anna "
         "company', "
         "location_name = 'anna place', location_city = 'anna city', location_region = 'anna region', "
         "location_country_code = 'DE', source = 'anna source', tags = '{anna tag}', last_activity_at = '2020-01-01', "
         "links = '[{\"url\": \"https://anna.example\"}]'");
    s.open_slot(s.add_interviewer(), 48);
    s.ask("anna@mail.example", 48);
    s.work();
    REQUIRE(s.mails() == "candidate confirmed, interviewer confirmed");
    s.change("INSERT INTO recruiting.booking_tokens (hash, join_hash, organization_id, booking_id, expires_at) SELECT "
             "sha256('a'), sha256('b'), organization_id, id, now() + interval '1 day' FROM recruiting.bookings");
    s.change("INSERT INTO recruiting.unmatched_booking_requests (id, organization_id, job_id, stage_id, email, "
             "email_key, starts_at, "
             "first_received_at, last_received_at) SELECT gen_random_uuid(), organization_id, job_id, id, "
             "'anna@mail.example', "
             "'anna@mail.example', now(), now(), now() FROM recruiting.stages");
    unstamped(s.database.owner(), "bookings",
              "UPDATE recruiting.bookings SET starts_at = now() - interval '101 days', ends_at = now() - interval '101 "
              "days' + interval '45 minutes'");
    s.of("anna", "applications", "status = 'rejected', rejected_at = now(), rejection_reason = 'told anna'");
    s.grow_old("anna", "101 days");
    REQUIRE_FALSE(s.rows_with("anna").empty());
    set_retention(s.database.owner(), s.slug, 100);

    delete_expired_until(s.database, [&] { return s.names() == ""; });
    CHECK(s.rows_with("anna") == "");
    CHECK(s.value("SELECT record = '\"id\":\"' || replace(id::text, '-', '') || '\",\"deletedAt\":' || "
                  "recruiting.json_of(deleted_at) "
                  "FROM recruiting.candidates") == "true");
    for (auto const* table :
         {"applications", "bookings", "booking_tokens", "mail_outbox", "unmatched_booking_requests", "candidate_terms"})
        CHECK(s.value(std::string("SELECT count(*) FROM recruiting.") + table) == "0");
    CHECK(s.value("SELECT sum(applications) FROM recruiting.stage_counts") == "0");
    CHECK(s.value("SELECT sum(applications) FROM recruiting.job_counts") == "0");
    CHECK(s.value("SELECT count(*) FROM recruiting.usage_records") == "1"); // is billed all the same
}

TEST_CASE("copies learn that a candidate was deleted by retention, each once", "[retention][sync]") {
    sync_recruiting f(1, 3);
    f.add_member("manager", role::hiring_manager);
    for (int i = 0; i < 3; ++i) f.apply(i, 0);
    f.join("manager", 0);
    f.run("UPDATE recruiting.applications SET status = 'rejected'");
    f.run("UPDATE recruiting.candidates SET deleted_at = now() WHERE external_id = 'C1'");
    auto& owner = f.database.owner();
    auth_api_harness service{f.database.auth_url()};
    auto const job_list = "/jobs/" + f.id("jobs", "J0") + "/candidates";
    std::vector<sync_copy> copies;
    for (auto const* member : {"admin", "manager"})
        for (auto const& path : {std::string("/candidates?include=applications"), job_list})
            copies.emplace_back(service, f.key(member), path, 2);
    for (auto& copy : copies) copy.catch_up(owner);
    auto const deleted = f.id("candidates", "C0");
    unstamped(owner, "candidates",
              "UPDATE recruiting.candidates SET updated_at = now() - interval '101 days' WHERE external_id <> 'C2'");
    set_retention(owner, f.slug, 100);
    REQUIRE(delete_inactive(f.database) == 2);
    for (auto& copy : copies) {
        INFO(copy.path());
        std::vector<std::string> gone;
        for (auto const& record : copy.catch_up(owner)) {
            CHECK(record.size() == 2);
            gone.emplace_back(record.at("id").as_string());
        }
        CHECK(gone == std::vector<std::string>{deleted}); // C1 was gone before
        records list;
        REQUIRE(copy.walk(list));
        CHECK(list.size() == 1);
        CHECK(copy.held() == list);
    }
}

TEST_CASE("a candidate who is being changed is kept, and is active then", "[retention]") {
    records_of_people s;
    s.add_inactive("anna", "900 days");
    s.add_inactive("berta", "900 days");
    set_retention(s.database.owner(), s.slug, 100);
    pg::client recruiter(s.database.owner_url(), "tests");
    pg::transaction change(recruiter);
    recruiter.script("UPDATE recruiting.candidates SET phone = '1' WHERE name = 'anna'");
    CHECK(delete_inactive(s.database) == 1);
    change.commit();
    CHECK(delete_inactive(s.database) == 0);
    CHECK(s.names() == "anna");
}

TEST_CASE("an auth-api that was taken over deletes no candidate earlier than the owner says", "[retention][roles]") {
    records_of_people s;
    s.add_inactive("anna", "99 days");
    set_retention(s.database.owner(), s.slug, 100);
    pg::client services(s.database.auth_url(), "tests");
    services.run("SELECT set_config('recruiting.organization_id', $1, false)", pg::params{}.id(s.organization));
    for (auto const* sql :
         {"UPDATE recruiting.organizations SET candidate_retention_days = 30",
          "UPDATE recruiting.organizations SET candidate_retention_acts_from = now()",
          "UPDATE recruiting.candidates SET updated_at = '2001-01-01'", "DELETE FROM recruiting.candidates",
          "SELECT recruiting.erase_candidates(ARRAY(SELECT id FROM recruiting.candidates))",
          "SELECT recruiting.inactive_candidates(gen_random_uuid(), now(), 1)"}) {
        INFO(sql);
        try {
            services.run(sql);
            FAIL("not refused");
        } catch (pg::query_error const& error) {
            CHECK(error.sqlstate() == "42501");
        }
    }
    services.run("SET timezone = 'Pacific/Kiritimati'");
    CHECK(services.run("SELECT recruiting.delete_inactive_candidates(1000000)").integer(0, 0) == 0);
    CHECK(s.names() == "anna");
}

TEST_CASE("without a setting no candidate is looked at, with one only the first that are due", "[plans][retention]") {
    pg::client superuser(large_database().superuser_url(), "tests");
    pg::transaction const undone(superuser);
    auto const scanned = [&](std::string const& table) {
        return superuser
            .run("SELECT coalesce(sum(pg_stat_get_xact_numscans(c.oid) + pg_stat_get_xact_tuples_returned(c.oid)), "
                 "0)::bigint "
                 "FROM pg_class c WHERE c.oid = $1::regclass "
                 "OR c.oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = $1::regclass)",
                 pg::params{}.text("recruiting." + table))
            .integer(0, 0);
    };
    CHECK(superuser.run("SELECT recruiting.delete_inactive_candidates(500)").integer(0, 0) == 0);
    CHECK(scanned("candidates") == 0);
    superuser.script(
        "SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_hashjoin = off; "
        "SET LOCAL enable_mergejoin = off; SET LOCAL enable_sort = off");
    auto const plan = superuser.run("EXPLAIN SELECT i FROM recruiting.inactive_candidates("
                                    "'00000001-0000-7000-8000-000000000001', now(), 500) AS i");
    std::string lines;
    for (int i = 0; i < plan.size(); ++i) lines.append(plan.text(i, 0)).append("\n");
    INFO(lines);
    for (auto const* index :
         {"candidates_by_updated", "candidates_to_erase", "using applications_", "bookings_of_candidate"})
        CHECK(lines.find(index) != std::string::npos);
    for (auto const* node : {"Seq Scan", "Sort"}) CHECK(lines.find(node) == std::string::npos);
}

} // namespace candidate_retention_test
