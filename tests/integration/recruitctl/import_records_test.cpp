// import candidates and applications: upsert by external id, references, order of lines.
#include "integration/recruitctl/import_fixture.hpp"

namespace import_records_test {
using recruiting::test::import_fixture;
using list = std::vector<std::string>;

namespace {

struct with_jobs : import_fixture {
    with_jobs() {
        REQUIRE(import("jobs",
                       "{\"externalId\":\"j1\",\"title\":\"One\"}\n{\"externalId\":\"j2\",\"title\":\"Two\"}\n") == 0);
        REQUIRE(import("candidates",
                       "{\"externalId\":\"c1\",\"name\":\"Ada\"}\n{\"externalId\":\"c2\",\"name\":\"Bo\"}\n") == 0);
    }
    static std::string application(std::string const& id, std::string const& candidate, std::string const& job,
                                   std::string const& more = {}) {
        return R"({"externalId":")" + id + R"(","candidateExternalId":")" + candidate + R"(","jobExternalId":")" + job +
               "\"" + (more.empty() ? "" : ",") + more + "}\n";
    }
    std::string stage(std::string const& id) {
        return column("applications", id, "SELECT s.name FROM recruiting.stages s WHERE s.id = r.stage_id");
    }
};

} // namespace

TEST_CASE_METHOD(import_fixture, "a candidate's fields and search terms are there, equal ones are not touched") {
    auto const line =
        R"({"externalId":"c","name":"Zoë Müller","email":"Zoe@Mail.Example","tags":["c++","sql"],"links":[{"type":"github","url":"https://g.example/z"}],"source":"referral","createdAt":"2025-01-01T00:00:00Z","updatedAt":"2025-01-02T00:00:00Z"})";
    REQUIRE(import("candidates", line) == 0);
    CHECK(column("candidates", "c",
                 "concat_ws('|', r.name, r.email, r.tags, r.links->0->>'type', r.created_at, r.updated_at)") ==
          "Zoë Müller|Zoe@Mail.Example|{c++,sql}|github|2025-01-01 00:00:00+00|2025-01-02 00:00:00+00");
    CHECK(
        column("candidates", "c",
               "SELECT count(*) FROM recruiting.candidate_terms t WHERE t.candidate_id = r.id AND t.term = 'muller'") ==
        "1");
    auto const before = column("candidates", "c", "r.changed_xid");
    REQUIRE(import("candidates", line) == 0);
    CHECK(counts() == "1 0 0 1 0");
    CHECK(column("candidates", "c", "r.changed_xid") == before);
    REQUIRE(import("candidates", R"({"externalId":"c","name":"Zoë Maier"})") == 0);
    CHECK(column("candidates", "c", "concat_ws('|', r.name, r.email, r.tags)") ==
          "Zoë Maier|Zoe@Mail.Example|{c++,sql}");
}

TEST_CASE_METHOD(import_fixture, "an address is stored as given, and beside it in its canonical form") {
    auto const candidate = [](std::string const& email) {
        return R"({"externalId":"c","name":"Kim","email":)" + email + "}";
    };
    auto const stored = [&] { return column("candidates", "c", "concat_ws('|', r.email, r.email_key)"); };
    REQUIRE(import("candidates", candidate(R"("Kim@köln.example")")) == 0);
    CHECK(stored() == "Kim@köln.example|kim@xn--kln-sna.example");
    CHECK(import("candidates", candidate(R"("ſam@köln.example")")) == 0);
    CHECK(warnings() == list{"1 email invalid_email"});
    CHECK(err.find("PRECIS") != std::string::npos);
    CHECK(stored() == "Kim@köln.example|kim@xn--kln-sna.example");
    REQUIRE(import("candidates", candidate("null")) == 0);
    CHECK(stored().empty());
}

TEST_CASE_METHOD(import_fixture, "bad lines are told with every problem and stop nothing") {
    CHECK(import("candidates",
                 "{\"externalId\":\"a\",\"name\":\"A\"}\nnonsense\n{\"externalId\":\"b\",\"name\":\"\",\"email\":\"x\","
                 "\"colour\":1}\n{\"externalId\":\"c\",\"name\":\"C\"}\n") == 4);
    CHECK(counts() == "4 2 0 0 2");
    CHECK(problems() == list{"2  invalid_json", "3 name required", "3  unknown_field", "3 email invalid_email"});
    CHECK(err.find("line 2: ") != std::string::npos);
}

TEST_CASE_METHOD(import_fixture, "what only the database can refuse is one bad line, not its batch") {
    std::string text;
    for (int i = 0; i < 40; ++i) text += "{\"externalId\":\"" + std::to_string(i) + "\",\"name\":\"N\"}\n";
    database.script(
        "CREATE FUNCTION recruiting.refuse_n17() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "IF NEW.name = 'N17' THEN RAISE check_violation USING MESSAGE = 'no N17'; END IF; RETURN NEW; END $$;"
        "CREATE TRIGGER refuse_n17 BEFORE INSERT ON recruiting.candidates FOR EACH ROW "
        "EXECUTE FUNCTION recruiting.refuse_n17()");
    text += "{\"externalId\":\"x\",\"name\":\"N17\"}\n";
    auto const code = import("candidates", text);
    database.script("DROP TRIGGER refuse_n17 ON recruiting.candidates; DROP FUNCTION recruiting.refuse_n17()");
    CHECK(code == 4);
    CHECK(counts() == "41 40 0 0 1");
    CHECK(problems() == list{"41  refused_by_database"});
}

TEST_CASE_METHOD(import_fixture, "lines take effect in their order, also for one external id") {
    REQUIRE(
        import(
            "candidates",
            "{\"externalId\":\"a\",\"name\":\"First\",\"phone\":\"1\"}\n{\"externalId\":\"a\",\"name\":\"Last\"}\n") ==
        0);
    CHECK(counts() == "2 1 1 0 0");
    CHECK(column("candidates", "a", "r.name || r.phone") == "Last1");
}

TEST_CASE_METHOD(with_jobs, "an application is at the named stage, else at the first, counts and activity follow") {
    REQUIRE(import("applications",
                   application("a1", "c1", "j1", R"("stageName":"Interview","appliedAt":"2025-01-01T00:00:00Z")") +
                       application("a2", "c2", "j1")) == 0);
    CHECK(counts() == "2 2 0 0 0");
    CHECK(stage("a1") == "Interview");
    CHECK(stage("a2") == "Applied");
    CHECK(column("applications", "a1", "r.stage_entered_at = r.applied_at") == "true");
    CHECK(column("candidates", "c1", "r.last_activity_at = '2025-01-01T00:00:00Z'") == "true");
    CHECK(column("jobs", "j1", "SELECT sum(s.applications) FROM recruiting.stage_counts s WHERE s.job_id = r.id") ==
          "2");
    REQUIRE(import("applications", application("a1", "c1", "j1",
                                               R"("stageName":"Interview","appliedAt":"2025-01-01T00:00:00Z")")) == 0);
    CHECK(counts() == "1 0 0 1 0");
}

TEST_CASE_METHOD(with_jobs, "applications of a deleted candidate are not counted until it is restored") {
    std::string const both = "SELECT concat_ws(' ', (SELECT sum(s.applications) FROM recruiting.stage_counts s "
                             "WHERE s.job_id = r.id), (SELECT n.applications FROM recruiting.job_counts n "
                             "WHERE n.job_id = r.id))";
    REQUIRE(import("applications",
                   application("a1", "c1", "j1") + application("a2", "c2", "j1") + application("a3", "c1", "j2")) == 0);
    CHECK(column("jobs", "j1", both) == "2 2");
    REQUIRE(import("candidates", R"({"externalId":"c1","deleted":true})"
                                 "\n") == 0);
    CHECK(column("jobs", "j1", both) == "1 1");
    CHECK(column("jobs", "j2", both) == "0 0");
    REQUIRE(import("applications", R"({"externalId":"a1","status":"rejected"})"
                                   "\n"
                                   R"({"externalId":"a3","deleted":true})"
                                   "\n") == 0);
    CHECK(column("jobs", "j1", both) == "1 1");
    REQUIRE(import("candidates", R"({"externalId":"c1","deleted":false})"
                                 "\n") == 0);
    CHECK(column("jobs", "j1", both) == "2 2");
    CHECK(column("jobs", "j2", both) == "0 0");
}

TEST_CASE_METHOD(with_jobs, "stage and status move the application's times") {
    REQUIRE(import("applications", application("a", "c1", "j1", R"("appliedAt":"2025-01-01T00:00:00Z")")) == 0);
    REQUIRE(import("applications", application("a", "c1", "j1", R"("stageName":"Offer")")) == 0);
    CHECK(column("applications", "a", "r.stage_entered_at > r.applied_at") == "true");
    REQUIRE(import("applications", application("a", "c1", "j1", R"("status":"rejected","rejectionReason":"x")")) == 0);
    CHECK(stage("a") == "Offer");
    CHECK(column("applications", "a", "r.rejected_at IS NOT NULL") == "true");
    REQUIRE(import("applications",
                   application("a", "c1", "j1", R"("status":"hired","hiredAt":"2025-03-01T00:00:00Z")")) == 0);
    CHECK(column("applications", "a", "r.rejected_at IS NULL AND r.hired_at = '2025-03-01T00:00:00Z'") == "true");
    REQUIRE(import("applications", application("a", "c1", "j2")) == 0);
    CHECK(stage("a") == "Applied");
}

TEST_CASE_METHOD(with_jobs, "unknown references are bad lines, all of a line at once") {
    CHECK(import("applications", application("a1", "nobody", "nothing") +
                                     application("a2", "c1", "j1", R"("stageName":"Nowhere")") +
                                     application("a3", "c1", "j1")) == 4);
    CHECK(counts() == "3 1 0 0 2");
    CHECK(problems() == list{"1 candidateExternalId unknown_reference", "1 jobExternalId unknown_reference",
                             "2 stageName unknown_reference"});
}

TEST_CASE_METHOD(with_jobs, "another organization's records are unknown") {
    import_fixture other;
    CHECK(other.import("applications", application("a1", "c1", "j1")) == 4);
    CHECK(other.problems() == list{"1 candidateExternalId unknown_reference", "1 jobExternalId unknown_reference"});
}

TEST_CASE_METHOD(with_jobs, "a candidate has one application a job, in the file and in the database") {
    CHECK(import("applications", application("a1", "c1", "j1") + application("a2", "c1", "j1")) == 4);
    CHECK(problems() == list{"2  duplicate"});
    CHECK(import("applications", application("a3", "c1", "j1")) == 4);
    CHECK(problems() == list{"1  duplicate"});
    // An earlier line gives it up; a later one does not.
    CHECK(import("applications", "{\"externalId\":\"a1\",\"deleted\":true}\n" + application("a3", "c1", "j1")) == 0);
    CHECK(import("applications", application("a4", "c1", "j1") + "{\"externalId\":\"a3\",\"deleted\":true}\n") == 4);
    CHECK(problems() == list{"1  duplicate"});
    CHECK(import("applications", application("a4", "c1", "j1")) == 0);
}

} // namespace import_records_test
