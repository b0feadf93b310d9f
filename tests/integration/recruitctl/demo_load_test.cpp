// demo load: the documented cast, the same records each time, nothing the second time, more on demand.
#include "html/text.hpp"
#include "mail/address.hpp"
#include "recruitctl/command.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

#include <boost/json.hpp>

#include <sstream>

namespace recruiting::recruitctl {
std::string_view demo_sql() noexcept; // made by the build
} // namespace recruiting::recruitctl

namespace demo_load_test {
using namespace recruiting;

namespace {

struct demo_fixture {
    test::test_database database;
    boost::json::object answer;
    std::string err;
    std::string installation{"test"};

    int load(std::vector<std::string> const& more = {}) {
        std::vector<std::string> arguments{"demo", "load", "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        recruitctl::settings const environment{{"RECRUITING_DATABASE_URL", database.owner_url()},
                                               {"RECRUITING_ENVIRONMENT", installation}};
        std::ostringstream out;
        std::ostringstream to_err;
        auto const code = recruitctl::run(recruitctl::all_commands(), arguments, environment, out, to_err);
        err = to_err.str();
        answer = out.str().empty() ? boost::json::object() : boost::json::parse(out.str()).as_object();
        return code;
    }
    std::string text_of(char const* select) { return std::string(database.owner().run(select).text(0, 0)); }
    // A digest of every row but the times a load sets itself.
    std::string digest() {
        return text_of(
            "SELECT md5(string_agg(t, '' ORDER BY t)) FROM ("
            "SELECT concat_ws('|', id, external_id, title, created_at, opened_at, description_html) AS t "
            "FROM recruiting.jobs UNION ALL "
            "SELECT concat_ws('|', id, external_id, name, email, tags, links, created_at, last_activity_at) FROM "
            "recruiting.candidates UNION ALL "
            "SELECT concat_ws('|', id, external_id, candidate_id, stage_id, status, applied_at, "
            "rejected_at) FROM recruiting.applications UNION ALL "
            "SELECT concat_ws('|', id, user_id, role, status) FROM recruiting.memberships) AS all_rows");
    }
    std::string changes() {
        return text_of("SELECT concat_ws(' ', (SELECT max(changed_xid::text::bigint) FROM recruiting.candidates),"
                       "(SELECT max(changed_xid::text::bigint) FROM recruiting.jobs), (SELECT "
                       "max(changed_xid::text::bigint) FROM recruiting.memberships),"
                       "(SELECT count(*) FROM recruiting.usage_records), (SELECT count(*) FROM recruiting.invoices))");
    }
};

} // namespace

TEST_CASE_METHOD(demo_fixture, "demo load: cast, second run, more, and the same records elsewhere") {
    auto const* const day = "SELECT (now() AT TIME ZONE 'UTC')::date::text";
    auto const today = text_of(day);
    REQUIRE(load() == 0);
    CHECK(answer.at("organization") == "acme");
    CHECK(answer.at("adminEmail") == "admin@acme.example");
    CHECK(answer.at("jobs").to_number<int>() == 40);
    CHECK(answer.at("candidates").to_number<int>() == 1000);
    CHECK(text_of("SELECT string_agg(m.role || ':' || m.email, ' ' ORDER BY m.email) FROM recruiting.memberships m "
                  "WHERE m.email ~ '^(admin|recruiter|manager|interviewer|viewer)@acme'") ==
          "admin:admin@acme.example interviewer:interviewer@acme.example hiring_manager:manager@acme.example "
          "recruiter:recruiter@acme.example viewer:viewer@acme.example");
    // The named job is public and can be booked; the named candidate has an active application at that stage.
    CHECK(text_of("SELECT count(*)::text FROM recruiting.published_jobs j JOIN recruiting.published_stages s ON "
                  "s.job_id = j.id "
                  "JOIN recruiting.applications a ON a.stage_id = s.id AND a.status = 'active' "
                  "JOIN recruiting.candidates c ON c.id = a.candidate_id "
                  "WHERE j.organization_id = (SELECT id FROM recruiting.organizations WHERE slug = 'acme') AND "
                  "c.external_id = 'demo-candidate-00000001'") == "1");
    CHECK(text_of("SELECT count(DISTINCT status)::text FROM recruiting.jobs") == "5");
    CHECK(text_of("SELECT count(DISTINCT status)::text FROM recruiting.applications") == "4");
    CHECK(text_of("SELECT count(*)::text FROM recruiting.applications WHERE stage_entered_at < applied_at OR "
                  "rejected_at < stage_entered_at "
                  "OR hired_at < stage_entered_at OR applied_at > now()") == "0");
    CHECK(text_of("SELECT count(*)::text FROM recruiting.candidates WHERE substring(id::text FROM 15 FOR 1) <> '7'") ==
          "0");
    CHECK(text_of("SELECT ((SELECT sum(applications) FROM recruiting.stage_counts) = (SELECT count(*) FROM "
                  "recruiting.applications))::text") == "true");
    CHECK(text_of("SELECT string_agg(DISTINCT status, ' ') FROM recruiting.invoices") == "open paid");
    CHECK(text_of("SELECT count(*)::text FROM recruiting.jobs j JOIN recruiting.organizations o ON o.id = "
                  "j.organization_id WHERE o.slug = 'globex'") == "4");

    // Its candidate can book one of the next days, and again when days have passed.
    // From tomorrow on, by the organization's clock: below, slots of next week become today's.
    std::string const future_slots =
        "SELECT count(*)::text FROM recruiting.published_slots s JOIN recruiting.organizations o ON o.id = "
        "s.organization_id WHERE s.stage_id = '" +
        std::string(answer.at("stageId").as_string()) +
        "' AND s.starts_at AT TIME ZONE o.time_zone >= date_trunc('day', now() AT TIME ZONE o.time_zone) + interval '1 "
        "day'";
    CHECK(text_of(future_slots.c_str()) == "60");
    CHECK(answer.at("openedSlots").to_number<int>() == 240);
    auto const slot = parse_time(std::string(answer.at("slotStart").as_string()));
    REQUIRE(slot);
    CHECK(*slot > system_time().now() + std::chrono::hours{2});
    // By the wall clock: the fortnight may hold the night the clocks change.
    database.owner().run(
        "UPDATE recruiting.interview_slots s SET "
        "starts_at = (starts_at AT TIME ZONE o.time_zone - interval '7 days') AT TIME ZONE o.time_zone, "
        "ends_at = (ends_at AT TIME ZONE o.time_zone - interval '7 days') AT TIME ZONE o.time_zone "
        "FROM recruiting.organizations o WHERE o.id = s.organization_id");
    REQUIRE(load() == 0);
    CHECK(answer.at("openedSlots").to_number<int>() == 120);
    CHECK(text_of(future_slots.c_str()) == "60");
    REQUIRE(load() == 0);
    CHECK(answer.at("openedSlots").to_number<int>() == 0);

    auto const before = changes();
    auto const first = digest();
    REQUIRE(load() == 0);
    CHECK(answer.at("addedCandidates").to_number<int>() == 0);
    CHECK(changes() == before);

    demo_fixture elsewhere;
    REQUIRE(elsewhere.load({"--candidates", "400"}) == 0);
    REQUIRE(elsewhere.load({"--candidates", "1000"}) == 0);
    CHECK(elsewhere.answer.at("addedCandidates").to_number<int>() == 600);
    // Times end with the day of the load.
    if (text_of(day) == today) CHECK(elsewhere.digest() == first);
}

TEST_CASE_METHOD(demo_fixture, "demo load: texts, addresses, places, invoices and interviews agree with each other") {
    REQUIRE(load() == 0);
    auto const jobs = database.owner().run("SELECT description_html, description_text FROM recruiting.jobs");
    for (int row = 0; row < jobs.size(); ++row) {
        CHECK(html::sanitize(jobs.text(row, 0)) == jobs.text(row, 0));
        CHECK(html::to_text(jobs.text(row, 0)) == jobs.text(row, 1));
    }
    auto const people = database.owner().run("SELECT email, email_key FROM recruiting.candidates");
    for (int row = 0; row < people.size(); ++row)
        CHECK(mail::canonical_address(people.text(row, 0)) == people.text(row, 1));
    CHECK(text_of("SELECT (count(*) > 20)::text FROM recruiting.candidates WHERE name !~ '[A-Za-z]'") == "true");
    CHECK(text_of("SELECT count(*)::text FROM (SELECT location_city FROM recruiting.jobs GROUP BY 1 "
                  "HAVING count(DISTINCT (location_name, location_region, location_country_code)) > 1) AS several") ==
          "0");
    CHECK(text_of("SELECT count(*)::text FROM recruiting.invoices i JOIN recruiting.subscriptions s USING "
                  "(organization_id) WHERE i.amount_cents <> s.amount_due_cents OR i.issued_at NOT BETWEEN "
                  "s.current_period_start AND least(s.current_period_end, now())") == "0");
    CHECK(text_of("SELECT count(*)::text FROM recruiting.bookings WHERE status = 'confirmed'") == "8");
    CHECK(text_of("SELECT count(*)::text FROM recruiting.usage_records u JOIN recruiting.bookings b ON b.id = "
                  "u.subject_id") == "8");
    CHECK(text_of("SELECT count(*)::text FROM recruiting.mail_outbox") == "0");
    CHECK(text_of("SELECT count(*)::text FROM recruiting.bookings b JOIN recruiting.candidates c ON c.id = "
                  "b.candidate_id WHERE c.external_id = 'demo-candidate-00000001'") == "0");
}

// PostgreSQL's hashint8extended has 32 bits of input: of 300,000 candidates, some ten pairs have the same value.
TEST_CASE_METHOD(demo_fixture, "demo load: two candidates whose keys have the same hash of 32 bits") {
    REQUIRE(load({"--candidates", "0"}) == 0);
    auto& owner = database.owner();
    owner.script(std::string(recruitctl::demo_sql()));
    auto const pair =
        owner.run("WITH keys AS (SELECT n, hashint8extended(hashtextextended('candidate acme', n), 1) AS hash "
                  "FROM generate_series(1, 300000) AS n) "
                  "SELECT a.n, b.n FROM keys a JOIN keys b ON a.hash = b.hash AND a.n < b.n ORDER BY b.n LIMIT 1");
    REQUIRE(pair.size() == 1);
    for (int column : {0, 1})
        owner.run("SELECT pg_temp.add_candidates(id, $1, $1) FROM recruiting.organizations WHERE slug = 'acme'",
                  pg::params().integer(pair.integer(0, column)));
    CHECK(text_of("SELECT count(DISTINCT a.candidate_id)::text FROM recruiting.applications a JOIN "
                  "recruiting.organizations o ON o.id = a.organization_id WHERE o.slug = 'acme'") == "2");
}

TEST_CASE_METHOD(demo_fixture, "demo load: a live installation gets demo data only if that is asked for by name") {
    installation = "live";
    CHECK(load({"--candidates", "0", "--jobs", "1"}) == 1);
    CHECK(err.find("--yes-in-live") != std::string::npos);
    CHECK(text_of("SELECT count(*)::text FROM recruiting.organizations") == "0");
    CHECK(load({"--candidates", "0", "--jobs", "1", "--yes-in-live"}) == 0);
    CHECK(text_of("SELECT count(*)::text FROM recruiting.organizations") == "2");
}

TEST_CASE_METHOD(demo_fixture, "demo load: an organization it did not make is refused and stays as it is") {
    test::make_organization(database.owner(), "real");
    database.owner().run("UPDATE recruiting.users SET email_key = 'someone@real.example'");
    CHECK(load({"--organization", "real"}) == 1);
    CHECK(err.find("not the demo's") != std::string::npos);
    CHECK(load({"--organization", "other", "--candidates", "0", "--jobs", "1"}) == 0);
    CHECK(answer.at("candidateId").is_null());
    CHECK(text_of("SELECT count(*)::text FROM recruiting.jobs j JOIN recruiting.organizations o ON o.id = "
                  "j.organization_id WHERE o.slug = 'real'") == "0");
}

TEST_CASE_METHOD(demo_fixture, "demo load --organization second works beside acme, both fully loaded") {
    REQUIRE(load() == 0);
    REQUIRE(load({"--organization", "second"}) == 0);
    INFO(err);
    CHECK(answer.at("jobs").to_number<int>() == 40);
    CHECK(answer.at("candidates").to_number<int>() == 1000);
    for (char const* table : {"jobs", "candidates", "memberships", "invoices", "usage_records", "subscriptions"}) {
        INFO(table);
        CHECK(text_of(("SELECT string_agg(DISTINCT n::text, ' ') FROM (SELECT count(*) AS n FROM recruiting." +
                       std::string(table) +
                       " r JOIN recruiting.organizations o ON o.id = r.organization_id "
                       "WHERE o.slug IN ('acme', 'second') GROUP BY o.slug HAVING count(*) > 0) AS counted")
                          .c_str())
                  .find(' ') == std::string::npos);
        CHECK(text_of(
                  ("SELECT count(DISTINCT r.organization_id)::text FROM recruiting." + std::string(table) +
                   " r JOIN recruiting.organizations o ON o.id = r.organization_id WHERE o.slug IN ('acme', 'second')")
                      .c_str()) == "2");
    }
    auto const before = digest() + changes();
    REQUIRE(load() == 0);
    REQUIRE(load({"--organization", "second"}) == 0);
    CHECK(digest() + changes() == before);
}

} // namespace demo_load_test
