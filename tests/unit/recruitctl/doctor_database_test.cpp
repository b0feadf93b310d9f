// The doctor's outcomes about PostgreSQL, from facts alone.
#include "recruitctl/doctor/database.hpp"
#include "support/catch.hpp"

namespace doctor_database_test {
using namespace recruiting;
using namespace recruiting::recruitctl;
using namespace recruiting::recruitctl::doctor;
using namespace std::chrono_literals;

namespace {

server_facts healthy_server() {
    server_facts out;
    out.version = 150'020;
    out.user = "recruiting_owner";
    out.connections_most = 200;
    out.connections_reserved = 3;
    out.fsync = out.full_page_writes = out.synchronous_commit = "on";
    out.statistics_hidden = true;
    out.services_confined = true;
    return out;
}

check_status worst(findings const& all) {
    if (count(all, check_status::problem) > 0) return check_status::problem;
    if (count(all, check_status::warning) > 0) return check_status::warning;
    return count(all, check_status::skipped) > 0 ? check_status::skipped : check_status::ok;
}

// The one finding that is not ok.
finding only(findings const& all) {
    finding out;
    int number = 0;
    for (auto const& one : all) {
        if (one.what == check_status::ok) continue;
        out = one;
        ++number;
    }
    CHECK(number == 1);
    CHECK_FALSE(out.fix.empty());
    return out;
}

findings of_server(server_facts const& facts, std::optional<connection_demand> demand = connection_demand{15, 3}) {
    return check_server({facts, {}}, demand);
}

clock_facts clock(std::chrono::microseconds difference, std::chrono::microseconds uncertainty = 1ms) {
    timestamp const here(1'800'000'000s);
    return {here, here + difference, uncertainty};
}

migration file(int number, std::string name) {
    return {number, std::move(name), "SELECT 1", "sum" + std::to_string(number)};
}
applied_migration row(int number, std::string name, std::string checksum) {
    return {number, std::move(name), std::move(checksum), timestamp{}};
}

} // namespace

TEST_CASE("a server that is as it should be", "[doctor]") {
    CHECK(worst(of_server(healthy_server())) == check_status::ok);
}

TEST_CASE("each thing that is wrong with a server is named with its fix", "[doctor]") {
    auto facts = healthy_server();
    facts.version = 140'010;
    CHECK(only(of_server(facts)).check == "versions.postgres");
    facts = healthy_server();
    facts.user = "postgres";
    CHECK(only(of_server(facts)).text.find("postgres") != std::string::npos);
    facts = healthy_server();
    facts.standby = true;
    CHECK(only(of_server(facts)).check == "database.primary");
    facts = healthy_server();
    facts.fsync = "off";
    CHECK(only(of_server(facts)).what == check_status::problem);
    facts = healthy_server();
    facts.statistics_hidden = false;
    CHECK(only(of_server(facts)).fix.find("hide_statistics.sql") != std::string::npos);
    facts = healthy_server();
    facts.services_confined = false;
    CHECK(only(of_server(facts)).fix.find("confine_roles.sql") != std::string::npos);
    facts = healthy_server();
    facts.other_databases = "postgres, wiki";
    CHECK(only(of_server(facts)).text.find("postgres, wiki") != std::string::npos);
    facts = healthy_server();
    facts.sees_transactions = false;
    CHECK(only(of_server(facts)).what == check_status::skipped);
    facts = healthy_server();
    facts.transactions = {{"recruiting", 4711, 601, "psql", true}};
    CHECK(only(of_server(facts)).text.find("10 minutes in the database recruiting, by process 4711 (psql)") !=
          std::string::npos);
    facts = healthy_server();
    facts.prepared_transactions = 1;
    CHECK(only(of_server(facts)).check == "database.transactions");
    facts = healthy_server();
    facts.idle_slots = {"old_standby"};
    CHECK(only(of_server(facts)).fix.find("pg_drop_replication_slot('old_standby')") != std::string::npos);
}

TEST_CASE("a long transaction in another database is named where it holds sealing and syncs back", "[doctor]") {
    auto facts = healthy_server();
    facts.transactions = {{"wiki", 4711, 3'600, "nightly", false}};
    CHECK(worst(of_server(facts)) == check_status::ok);
    facts.own_transactions_only = false;
    findings wrong;
    for (auto const& one : of_server(facts))
        if (one.what != check_status::ok) wrong.push_back(one);
    REQUIRE(wrong.size() == 2);
    CHECK(wrong[0].fix.find("GRANT EXECUTE ON FUNCTION pg_stat_get_activity(integer)") != std::string::npos);
    CHECK(wrong[1].text.find("60 minutes in the database wiki, by process 4711 (nightly)") != std::string::npos);
    CHECK(wrong[1].fix == "end it: SELECT pg_terminate_backend(4711)");
}

TEST_CASE("after a restore or a promotion revoked keys may work again, until that is dismissed", "[doctor]") {
    auto const of = [](identity_facts facts) { return check_restore({facts, {}}); };
    identity_facts const fine{false, 3, 3, *parse_time("2026-11-01T00:00:00Z")};
    CHECK(worst(of(fine)) == check_status::ok);
    auto facts = fine;
    facts.restored = true;
    CHECK(only(of(facts)).what == check_status::warning);
    CHECK(only(of(facts)).fix.find("recruitctl key revoke --from FILE") != std::string::npos);
    facts = fine;
    facts.timeline = 4;
    CHECK(only(of(facts)).text.find("on timeline 4, and was on 3 at 2026-11-01T00:00:00.000Z") != std::string::npos);
}

TEST_CASE("the log's archive: off, hidden, failing, late, or in time", "[doctor]") {
    auto const of = [](archive_facts facts) { return check_backup({std::move(facts), {}}); };
    archive_facts fine;
    fine.mode = "on";
    fine.visible = true;
    fine.archived_seconds = 3'599;
    fine.unarchived_bytes = 1 << 24;
    CHECK(worst(of(fine)) == check_status::ok);
    auto facts = fine;
    facts.mode = "off";
    CHECK(only(of(facts)).what == check_status::warning);
    CHECK(only(of(facts)).text.find("archive_mode is off") == 0);
    facts = fine;
    facts.standby = true;
    CHECK(only(of(facts)).what == check_status::skipped);
    facts = fine;
    facts.visible = false;
    CHECK(only(of(facts)).fix.find("hide_statistics.sql of this version") != std::string::npos);
    facts = fine;
    facts.archived_seconds = 3 * 3'600;
    CHECK(only(of(facts)).text.find("archived 3 hours ago, and 16384 KiB written since then") != std::string::npos);
    facts.unarchived_bytes = 1'000; // nobody wrote
    CHECK(worst(of(facts)) == check_status::ok);
    facts.unarchived_bytes.reset(); // the last file was no segment
    CHECK(only(of(facts)).what == check_status::warning);
}

TEST_CASE("an archive that failed is a problem until it succeeds, and statistics without an entry prove nothing yet",
          "[doctor]") {
    auto const of = [](archive_facts facts) { return check_backup({std::move(facts), {}}); };
    archive_facts facts;
    facts.mode = "on";
    facts.visible = true;
    facts.counted_seconds = 60;
    CHECK(only(of(facts)).what == check_status::skipped);
    facts.counted_seconds = 3'601;
    CHECK(only(of(facts)).what == check_status::warning);
    facts.failed_seconds = 30;
    facts.failed_segment = "000000010000000000000002";
    facts.failures = 3;
    CHECK(only(of(facts)).what == check_status::problem);
    CHECK(only(of(facts)).text.find("archiving 000000010000000000000002 failed 30 seconds ago (3 failures)") == 0);
    facts.archived_seconds = 40;
    CHECK(only(of(facts)).what == check_status::problem);
    facts.archived_seconds = 20;
    CHECK(worst(of(facts)) == check_status::ok);
}

TEST_CASE("a server line that PostgreSQL hides, or hid when it was confirmed, is a warning with its remedy",
          "[doctor]") {
    auto const of = [](identity_facts facts) { return check_restore({facts, {}}); };
    identity_facts hidden{false, 3, {}, *parse_time("2026-11-01T00:00:00Z"), true, false};
    REQUIRE(of(hidden).size() == 2);
    CHECK(of(hidden)[0].what == check_status::skipped);
    CHECK(of(hidden)[1].what == check_status::warning);
    CHECK(of(hidden)[1].check == "database.server-line");
    CHECK(of(hidden)[1].fix.find("hide_statistics.sql of this version") != std::string::npos);
    hidden.restored = true; // which the database's own identity tells
    CHECK(only(of(hidden)).fix.find("recruitctl key revoke --from FILE") != std::string::npos);
    identity_facts const was_hidden{false, {}, 3, *parse_time("2026-11-01T00:00:00Z"), false, true};
    CHECK(only(of(was_hidden)).what == check_status::warning);
    CHECK(only(of(was_hidden)).fix.find("recruitctl restore dismiss") == 0);
}

TEST_CASE("connections: enough for a second instance of each, or a warning, too few are a problem", "[doctor]") {
    auto facts = healthy_server();
    facts.connections_most = 103; // 100 may be open
    CHECK(worst(of_server(facts, connection_demand{40, 5})) == check_status::ok);
    CHECK(only(of_server(facts, connection_demand{41, 5})).what == check_status::warning);
    CHECK(only(of_server(facts, connection_demand{96, 5})).what == check_status::problem);
    CHECK(worst(of_server(facts, std::nullopt)) == check_status::skipped);
}

TEST_CASE("roles must not be able to look past row-level security", "[doctor]") {
    auto const of = [](role_facts role) {
        return check_roles({std::vector{std::move(role)}, {}}, connection_demand{25, 5});
    };
    role_facts const fine{"recruiting_auth", true, false, false, false, false, -1, {}, {}};
    CHECK(worst(of(fine)) == check_status::ok);
    auto role = fine;
    role.bypasses_rls = true;
    CHECK(only(of(role)).fix == "ALTER ROLE recruiting_auth NOBYPASSRLS");
    role.superuser = true;
    CHECK(only(of(role)).fix == "ALTER ROLE recruiting_auth NOSUPERUSER NOBYPASSRLS");
    role = fine;
    role.there = false;
    CHECK(only(of(role)).what == check_status::problem);
    role = fine;
    role.memberships = "recruiting_owner";
    CHECK(only(of(role)).fix == "REVOKE recruiting_owner FROM recruiting_auth");
    role = fine;
    role.connection_limit = 25;
    CHECK(worst(of(role)) == check_status::ok);
    role.connection_limit = 24;
    CHECK(only(of(role)).fix == "ALTER ROLE recruiting_auth CONNECTION LIMIT 50");
    role = fine;
    role.creates_roles = true;
    CHECK(only(of(role)).what == check_status::problem);
    role.name = "recruiting_owner"; // may be the one that makes them
    CHECK(worst(of(role)) == check_status::ok);
    CHECK(only(check_protection({std::vector<std::string>{"candidates"}, {}})).text.find("candidates") !=
          std::string::npos);
    CHECK(worst(check_protection({std::vector<std::string>{}, {}})) == check_status::ok);
}

TEST_CASE("migrations: missing, changed and newer ones are told apart", "[doctor]") {
    std::vector<migration> const files{file(1, "0001_a.sql"), file(2, "0002_b.sql")};
    auto const of = [&](std::vector<applied_migration> applied) {
        return check_migrations({std::move(applied), {}}, {files, {}});
    };
    auto const first = row(1, "0001_a.sql", "sum1");
    auto const second = row(2, "0002_b.sql", "sum2");
    CHECK(worst(of({first, second})) == check_status::ok);
    CHECK(only(of({first})).fix == "recruitctl migrate");
    CHECK(only(of({})).text == "the database has no schema");
    CHECK(only(of({first, row(2, "0002_b.sql", "other")})).text.find("not the file") != std::string::npos);
    CHECK(only(of({second})).text.find("is not applied") != std::string::npos);
    CHECK(only(of({first, second, row(3, "0003_c.sql", "sum3")})).text.find("newer recruitctl") != std::string::npos);
    CHECK(worst(check_migrations({std::nullopt, "away"}, {files, {}})) == check_status::skipped);
    CHECK(worst(check_migrations({std::vector{first}, {}}, {std::nullopt, "no files"})) == check_status::skipped);
}

TEST_CASE("clocks: what the way there may account for is no error", "[doctor]") {
    auto const of = [](clock_facts facts) { return worst(check_clock({facts, {}}, "postgres")); };
    CHECK(of(clock(0us)) == check_status::ok);
    CHECK(of(clock(900ms)) == check_status::ok);
    CHECK(of(clock(-1'500ms)) == check_status::warning);
    CHECK(of(clock(1'500ms, 600ms)) == check_status::ok);
    CHECK(of(clock(29s)) == check_status::warning);
    CHECK(of(clock(-31s)) == check_status::problem);
    CHECK(only(check_clock({clock(2s), {}}, "redis")).text == "differs from this host's by 2000 ms");
}

TEST_CASE("partitions: one of now is needed, later ones soon, old ones no more", "[doctor]") {
    table_partitions const fine{"audit_log_2026_10", "audit_log_2027_01", true, false, 70, {}};
    auto const of = [](table_partitions facts) { return check_partitions({std::move(facts), {}}); };
    CHECK(worst(of(fine)) == check_status::ok);
    auto facts = fine;
    facts.now = false;
    CHECK(only(of(facts)).what == check_status::problem);
    facts = fine;
    facts.soon_missing = true;
    facts.days_ahead = 19;
    CHECK(only(of(facts)).what == check_status::warning);
    CHECK(only(of(facts)).text == "the partitions of recruiting.audit_log end in 19 days");
    facts = fine;
    facts.too_old = "audit_log_2025_09_30";
    CHECK(only(of(facts)).text == "recruiting.audit_log_2025_09_30 is older than the retention");
    CHECK(worst(check_partitions({table_partitions{}, {}})) == check_status::problem);
}

TEST_CASE("the sealer: lagging, and rows that are not as they were sealed", "[doctor]") {
    sealer_facts fine;
    fine.last_seal_seconds = 2;
    fine.checked = 20;
    auto const of = [](sealer_facts facts) { return check_sealer({std::move(facts), {}}); };
    CHECK(worst(of(fine)) == check_status::ok);
    auto facts = fine;
    facts.unsealed_seconds = 61;
    CHECK(only(of(facts)).what == check_status::warning);
    facts.unsealed_seconds = 601;
    CHECK(only(of(facts)).what == check_status::problem);
    facts = fine;
    facts.last_seal_seconds = 3'600; // a quiet night
    CHECK(worst(of(facts)) == check_status::ok);
    facts = fine;
    facts.set_aside = 1;
    CHECK(only(of(facts)).check == "sealer.dead-letters");
    facts = fine;
    facts.wrong = {"changed: the row is not the one that was sealed"};
    CHECK(only(of(facts)).fix.find("recruitctl audit verify") != std::string::npos);
}

TEST_CASE("queues: what waits long, what nobody works on", "[doctor]") {
    auto const of = [](queue_facts const& facts) { return check_queues({facts, {}}); };
    CHECK(worst(of({})) == check_status::ok);
    queue_facts facts;
    facts.mails_dead = 2;
    CHECK(only(of(facts)).text == "2 mails could not be sent and are dead letters");
    facts = {};
    facts.mails_waiting = 1;
    facts.mails_due_seconds = 901;
    CHECK(only(of(facts)).what == check_status::problem);
    facts = {};
    facts.requests_waiting = 3;
    facts.requests_oldest_seconds = 61;
    CHECK(only(of(facts)).what == check_status::warning);
    facts.requests_oldest_seconds = 601;
    CHECK(only(of(facts)).what == check_status::problem);
    facts.requests_tried_often = 3; // those alone are old
    CHECK(only(of(facts)).text.find("failed repeatedly") != std::string::npos);
    facts = {};
    facts.runs_overdue = 1;
    CHECK(only(of(facts)).check == "queues.agent");
    facts = {};
    facts.exposures_waiting_seconds = 601;
    CHECK(only(of(facts)).check == "queues.exposure");
}

TEST_CASE("the pepper is the one that auth-api runs with", "[doctor]") {
    CHECK(worst(check_exposure_key({std::string("key"), {}}, "key")) == check_status::ok);
    CHECK(only(check_exposure_key({std::string("key"), {}}, "other")).what == check_status::problem);
    CHECK(worst(check_exposure_key({std::string(), {}}, "key")) == check_status::skipped);
    CHECK(worst(check_exposure_key({std::string("key"), {}}, "")) == check_status::skipped);
}

} // namespace doctor_database_test
