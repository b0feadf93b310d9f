// import jobs: what a file makes of jobs, their times, stages and hiring teams; a second time nothing is touched.
#include "integration/recruitctl/import_fixture.hpp"

namespace import_jobs_test {
using recruiting::test::import_fixture;
using list = std::vector<std::string>;

namespace {
constexpr char const* job_line =
    R"({"externalId":"j","title":"Engineer","status":"open","published":true,"department":"R&D","openings":2,
"location":{"city":"Berlin","countryCode":"DE"},"salary":{"min":1,"max":2,"currency":"EUR","period":"year"},
"descriptionHtml":"<p>Hi</p><script>x</script>","createdAt":"2025-01-02T03:04:05Z"})";

std::string one_line(std::string text) {
    std::erase(text, '\n');
    return text + '\n';
}
} // namespace

TEST_CASE_METHOD(import_fixture, "a new job has its fields, the default pipeline and the times of its state") {
    REQUIRE(import("jobs", one_line(job_line)) == 0);
    CHECK(counts() == "1 1 0 0 0");
    CHECK(column("jobs", "j", "r.title || r.openings || r.salary_max || r.location_country_code") == "Engineer22DE");
    CHECK(column("jobs", "j", "r.description_html || r.description_text") == "<p>Hi</p>Hi");
    CHECK(column("jobs", "j", "r.created_at = '2025-01-02T03:04:05Z'") == "true");
    CHECK(column("jobs", "j", "r.published_at IS NOT NULL AND r.opened_at IS NOT NULL AND r.closed_at IS NULL") ==
          "true");
    CHECK(column("jobs", "j", "substring(r.id::text FROM 15 FOR 1)") == "7");
    CHECK(column("jobs", "j",
                 "(SELECT min(substring(s.id::text FROM 15 FOR 1) || substring(s.id::text FROM 20 FOR 1)) "
                 "FROM recruiting.stages s WHERE s.job_id = r.id) BETWEEN '78' AND '7b'") == "true");
    CHECK(stages_of("j") ==
          "0 Applied applied, 1 Phone screen screen, 2 Interview interview, 3 Offer offer, 4 Hired hired");
}

TEST_CASE_METHOD(import_fixture, "an equal job is not touched, so that a sync does not report it") {
    REQUIRE(import("jobs", one_line(job_line)) == 0);
    auto const before = column("jobs", "j", "r.changed_xid::text || r.updated_at::text");
    REQUIRE(import("jobs", one_line(job_line)) == 0);
    CHECK(counts() == "1 0 0 1 0");
    CHECK(column("jobs", "j", "r.changed_xid::text || r.updated_at::text") == before);
}

TEST_CASE_METHOD(import_fixture, "an absent field keeps its value, null clears it") {
    REQUIRE(import("jobs", one_line(job_line)) == 0);
    REQUIRE(import("jobs", R"({"externalId":"j","title":"Lead","department":null,"openings":null})") == 0);
    CHECK(counts() == "1 0 1 0 0");
    CHECK(column("jobs", "j", "concat_ws('|', r.title, r.department, r.openings, r.location_city, r.published)") ==
          "Lead|1|Berlin|t");
}

TEST_CASE_METHOD(import_fixture,
                 "a job's applyUrl is changed, kept, cleared, and left out when people could not apply there") {
    auto const set = [this](std::string const& fields) {
        return import("jobs", R"({"externalId":"j","title":"T")" + fields + "}");
    };
    auto const apply_url = [this] { return column("jobs", "j", "r.apply_url"); };
    REQUIRE(set(R"(,"applyUrl":"mailto:jobs@acme.example")") == 0);
    CHECK(apply_url() == "mailto:jobs@acme.example");
    REQUIRE(set(R"(,"applyUrl":"https://acme.example/apply")") == 0);
    CHECK(counts() == "1 0 1 0 0");
    REQUIRE(set("") == 0);
    CHECK(counts() == "1 0 0 1 0");
    CHECK(apply_url() == "https://acme.example/apply");
    auto const too_long = R"("https://a/)" + std::string(2048, 'x') + '"';
    for (auto const& bad : list{R"("javascript:x")", R"("")", R"("https://a\tb")", R"("mailto:jobs")", "7", too_long}) {
        CAPTURE(bad);
        REQUIRE(set(R"(,"applyUrl":)" + bad) == 0);
        CHECK(warnings() == list{"1 applyUrl invalid_url"});
        CHECK(apply_url() == "https://acme.example/apply");
    }
    REQUIRE(import("jobs", "externalId,applyUrl\nj,http://acme.example\n", {"--format", "csv"}) == 0);
    CHECK(apply_url() == "http://acme.example");
    REQUIRE(import("jobs", "externalId,applyUrl\nj,\n", {"--format", "csv"}) == 0);
    CHECK(apply_url() == "null");
}

TEST_CASE_METHOD(import_fixture, "status and published move the job's times") {
    auto const set = [this](std::string const& fields) {
        REQUIRE(import("jobs", R"({"externalId":"j","title":"T",)" + fields + "}") == 0);
    };
    auto const times = [this] {
        return column("jobs", "j",
                      "concat_ws(' ', r.opened_at IS NOT NULL, r.closed_at IS NOT NULL, r.published_at IS NOT NULL)");
    };
    set(R"("status":"draft")");
    CHECK(times() == "f f f");
    set(R"("status":"open","published":true)");
    CHECK(times() == "t f t");
    auto const opened = column("jobs", "j", "r.opened_at");
    auto const published = column("jobs", "j", "r.published_at");
    set(R"("status":"on_hold","published":false)");
    set(R"("status":"open","published":true)");
    CHECK(column("jobs", "j", "r.opened_at") == opened);
    CHECK(column("jobs", "j", "r.published_at") == published);
    set(R"("status":"closed")");
    CHECK(times() == "t t t");
    set(R"("status":"open")");
    CHECK(times() == "t f t");
    CHECK(column("jobs", "j", "r.opened_at") != opened);
    set(R"("status":"closed","closedAt":"2025-02-01T00:00:00Z")");
    CHECK(column("jobs", "j", "r.closed_at = '2025-02-01T00:00:00Z'") == "true");
}

TEST_CASE_METHOD(import_fixture, "stages follow the list, one with applications stays, behind it") {
    REQUIRE(
        import(
            "jobs",
            R"({"externalId":"j","title":"T","stages":[{"name":"A","kind":"applied"},{"name":"B","kind":"screen"},{"name":"C","kind":"interview"}]})") ==
        0);
    REQUIRE(import("candidates", R"({"externalId":"c","name":"Ada"})") == 0);
    REQUIRE(import("applications",
                   R"({"externalId":"a","candidateExternalId":"c","jobExternalId":"j","stageName":"B"})") == 0);
    auto const before = column("jobs", "j", "r.changed_xid");
    REQUIRE(
        import(
            "jobs",
            R"({"externalId":"j","title":"T","stages":[{"name":"D","kind":"applied"},{"name":"A","kind":"screen","bookable":true,"interviewDurationMinutes":30}]})") ==
        0);
    CHECK(counts() == "1 0 1 0 0");
    CHECK(stages_of("j") == "0 D applied, 1 A screen 30, 2 B screen");
    CHECK(column("jobs", "j", "r.changed_xid") != before);
    REQUIRE(
        import(
            "jobs",
            R"({"externalId":"j","title":"T","stages":[{"name":"D","kind":"applied"},{"name":"A","kind":"screen","bookable":true,"interviewDurationMinutes":30}]})") ==
        0);
    CHECK(counts() == "1 0 0 1 0");
}

TEST_CASE_METHOD(import_fixture, "the hiring team is the list's, by e-mail or member id, strangers make a bad line") {
    auto const manager =
        recruiting::test::make_member(database, slug, "Manager@" + slug + ".example", recruiting::role::hiring_manager);
    auto const line = R"({"externalId":"j","title":"T","hiringTeam":[{"email":"manager@)" + slug +
                      R"(.example"},{"email":"admin@)" + slug + R"(.example","role":"recruiter"}]})";
    REQUIRE(import("jobs", line) == 0);
    auto const team = [this] {
        return column(
            "jobs", "j",
            "SELECT string_agg(h.role, ' ' ORDER BY h.role) FROM recruiting.hiring_teams h WHERE h.job_id = r.id");
    };
    CHECK(team() == "hiring_manager recruiter");
    REQUIRE(import("jobs", line) == 0);
    CHECK(counts() == "1 0 0 1 0");
    REQUIRE(import("jobs", R"({"externalId":"j","title":"T","hiringTeam":[{"memberId":")" + to_string(manager.id) +
                               R"(","role":"interviewer"}]})") == 0);
    CHECK(counts() == "1 0 1 0 0");
    CHECK(team() == "interviewer");
    recruiting::test::make_member(database, slug, "kim@köln.example", recruiting::role::hiring_manager);
    CHECK(import("jobs", R"({"externalId":"j","title":"T","hiringTeam":[{"email":"Kim@xn--kln-sna.example"}]})") == 0);
    CHECK(team() == "hiring_manager");
    CHECK(import("jobs", R"({"externalId":"k","title":"T","hiringTeam":[{"email":"stranger@nowhere.example"}]})") == 4);
    CHECK(problems() == list{"1 hiringTeam unknown_reference"});
    CHECK(column("jobs", "k", "r.id") == "(none)");
}

TEST_CASE_METHOD(import_fixture, "deleted jobs stay as rows with deleted_at, and come back") {
    REQUIRE(import("jobs",
                   "{\"externalId\":\"j\",\"title\":\"T\"}\n{\"externalId\":\"never there\",\"deleted\":true}") == 0);
    CHECK(counts() == "2 1 0 1 0");
    REQUIRE(import("jobs", R"({"externalId":"j","deleted":true})") == 0);
    CHECK(counts() == "1 0 1 0 0");
    CHECK(column("jobs", "j", "r.deleted_at IS NOT NULL AND r.title = 'T'") == "true");
    REQUIRE(import("jobs", R"({"externalId":"j","deleted":true})") == 0);
    CHECK(counts() == "1 0 0 1 0");
    REQUIRE(import("jobs", R"({"externalId":"j","title":"T","deleted":false})") == 0);
    CHECK(column("jobs", "j", "r.deleted_at") == "null");
}

} // namespace import_jobs_test
