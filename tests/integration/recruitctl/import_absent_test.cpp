// A field that is absent keeps its value, in every kind and format; --dry-run reports and changes nothing.
#include "integration/recruitctl/import_fixture.hpp"

#include <regex>
#include <set>

namespace recruitctl = recruiting::recruitctl;
namespace import_absent_test {
using recruiting::test::import_fixture;
using list = std::vector<std::string>;

namespace {

constexpr char const* job =
    R"({"externalId":"j","title":"Engineer","department":"R&D","location":{"name":"HQ","city":"Bonn"},"salary":{"min":1,"max":2,"currency":"EUR","period":"year"}})";
constexpr char const* candidate =
    R"({"externalId":"c","name":"Ada","email":"ada@mail.example","phone":"1","location":{"name":"Home","city":"Bonn"}})";
constexpr char const* application =
    R"({"externalId":"a","candidateExternalId":"c","jobExternalId":"j","stageName":"Interview","source":"fair"})";

struct with_records : import_fixture {
    with_records() {
        REQUIRE(import("jobs", job) == 0);
        REQUIRE(import("candidates", candidate) == 0);
        REQUIRE(import("applications", application) == 0);
    }
    std::string job_now() {
        return column("jobs", "j",
                      "concat_ws('|', r.title, r.department, r.location_name, r.location_city, r.salary_min, "
                      "r.salary_max, r.salary_currency)");
    }
    std::string candidate_now() {
        return column("candidates", "c", "concat_ws('|', r.name, r.email, r.phone, r.location_name, r.location_city)");
    }
    std::string application_now() {
        return column(
            "applications", "a",
            "SELECT concat_ws('|', r.status, s.name, r.source) FROM recruiting.stages s WHERE s.id = r.stage_id");
    }
    /// Every table an import writes, as one number.
    std::string fingerprint() {
        std::string all;
        for (char const* table : {"recruiting.jobs", "recruiting.candidates", "recruiting.applications",
                                  "recruiting.stages", "recruiting.hiring_teams", "audit_rows"})
            all += text_of("SELECT coalesce(sum(hashtextextended(r::text, 0)), 0)::text FROM " + std::string(table) +
                           " r JOIN recruiting.organizations o ON o.id = r.organization_id WHERE o.slug = $1") +
                   ' ';
        return all;
    }
    [[nodiscard]] bool committed() const { return summary.at("committed").as_bool(); }
};

} // namespace

TEST_CASE_METHOD(with_records, "a field that is absent keeps its value, in NDJSON of every kind", "[import]") {
    REQUIRE(import("jobs", R"({"externalId":"j","department":"Design"})") == 0);
    CHECK(counts() == "1 0 1 0 0");
    CHECK(job_now() == "Engineer|Design|HQ|Bonn|1|2|EUR");
    REQUIRE(import("candidates", R"({"externalId":"c","phone":"2"})") == 0);
    CHECK(candidate_now() == "Ada|ada@mail.example|2|Home|Bonn");
    REQUIRE(import("applications", R"({"externalId":"a","status":"hired"})") == 0);
    CHECK(application_now() == "hired|Interview|fair");
    for (char const* kind : {"jobs", "candidates", "applications"}) {
        auto const id = std::string(kind).substr(0, 1);
        REQUIRE(import(kind, R"({"externalId":")" + id + "\"}") == 0);
        CHECK(counts() == "1 0 0 1 0");
    }
}

TEST_CASE_METHOD(with_records, "an absent column keeps its value, an empty cell clears it", "[import]") {
    list const csv{"--format", "csv"};
    REQUIRE(import("jobs", "externalId,location.city\nj,Köln\n", csv) == 0);
    CHECK(job_now() == "Engineer|R&D|HQ|Köln|1|2|EUR");
    REQUIRE(import("jobs", "externalId,department,salary.max,location.name\nj,,3,\n", csv) == 0);
    CHECK(job_now() == "Engineer|Köln|1|3|EUR");
    REQUIRE(import("candidates", "externalId,phone\nc,\n", csv) == 0);
    CHECK(candidate_now() == "Ada|ada@mail.example|Home|Bonn");
    REQUIRE(import("applications", "externalId,status\na,withdrawn\n", csv) == 0);
    CHECK(application_now() == "withdrawn|Interview|fair");
    CHECK(import("candidates", "externalId,name\nc,\n", csv) == 4);
    CHECK(problems() == list{"2 name required"});
}

TEST_CASE_METHOD(import_fixture, "a posting without a title keeps the job's", "[import]") {
    list const greenhouse{"--format", "greenhouse"};
    list const lever{"--format", "lever"};
    REQUIRE(import("jobs", R"({"jobs":[{"id":1,"title":"One"}]})", greenhouse) == 0);
    REQUIRE(import("jobs", R"({"jobs":[{"id":1,"requisition_id":"R"}]})", greenhouse) == 0);
    CHECK(column("jobs", "greenhouse:1", "r.title || r.requisition_id") == "OneR");
    REQUIRE(import("jobs", R"([{"id":"x","text":"Two"}])", lever) == 0);
    REQUIRE(import("jobs", R"([{"id":"x","categories":{"department":"D"}}])", lever) == 0);
    CHECK(column("jobs", "lever:x", "r.title || r.department") == "TwoD");
    CHECK(import("jobs", R"([{"id":"y"}])", lever) == 4);
    CHECK(problems() == list{"1 title required"});
}

TEST_CASE_METHOD(import_fixture, "required fields are required of new records, and of these alone", "[import]") {
    CHECK(import("jobs", "{\"externalId\":\"j\"}\n{\"externalId\":\"gone\",\"deleted\":true}\n") == 4);
    CHECK(problems() == list{"1 title required"});
    CHECK(import("candidates", "{\"externalId\":\"c\",\"phone\":\"1\"}") == 4);
    CHECK(err.find("line 1: name: is required for a new record") != std::string::npos);
    CHECK(import("applications", R"({"externalId":"a"})") == 4);
    CHECK(problems() == list{"1 candidateExternalId required", "1 jobExternalId required"});
    // In the order of lines: the second finds what the first added.
    CHECK(import("candidates", "{\"externalId\":\"c\",\"phone\":\"1\"}\n{\"externalId\":\"c\",\"name\":\"Ada\"}\n"
                               "{\"externalId\":\"c\",\"phone\":\"2\"}\n") == 4);
    CHECK(counts() == "3 1 1 0 1");
    CHECK(column("candidates", "c", "r.name || r.phone") == "Ada2");
}

TEST_CASE_METHOD(import_fixture, "the fields that --help marks * are those that a new record must have", "[import]") {
    for (std::string const kind : {"jobs", "candidates", "applications"}) {
        REQUIRE(import(kind, "{}\n{\"externalId\":\"new\"}\n") == 4);
        std::set<std::string> required;
        for (auto const& problem : problems()) required.insert(problem.substr(2, problem.rfind(' ') - 2));
        std::ostringstream help;
        std::ostringstream nothing;
        REQUIRE(recruitctl::run(recruitctl::all_commands(), {"import", kind, "--help"}, {}, help, nothing) == 0);
        auto const text = help.str();
        std::set<std::string> marked;
        std::regex const starred(R"((\w+)\*)");
        for (auto at = std::sregex_iterator(text.begin(), text.end(), starred); at != std::sregex_iterator(); ++at)
            marked.insert((*at)[1]);
        CHECK(marked == required);
    }
}

TEST_CASE_METHOD(with_records, "a salary is complete after every change of a part of it", "[import]") {
    list const csv{"--format", "csv"};
    CHECK(import("jobs", "externalId,department,salary.min\nj,Ops,3\n", csv) == 0);
    CHECK(warnings() == list{"2 salary.max invalid_number"});
    CHECK(job_now() == "Engineer|Ops|HQ|Bonn|1|2|EUR");
    REQUIRE(import("jobs", R"({"externalId":"k","title":"T"})") == 0);
    CHECK(import("jobs", "externalId,salary.min\nk,3\n", csv) == 0);
    CHECK(warnings() == list{"2 salary.currency required", "2 salary.period required"});
    CHECK(import("jobs", "externalId,salary.min\nk,3\n", {"--format", "csv", "--strict"}) == 4);
    CHECK(problems() == list{"2 salary.currency required", "2 salary.period required"});
    CHECK(import("jobs", "externalId,salary.min,salary.currency\nj,1,\n", csv) == 0);
    CHECK(warnings() == list{"2 salary.currency required"});
    CHECK(job_now() == "Engineer|Ops|HQ|Bonn|1|2|EUR");
    REQUIRE(import("jobs", "externalId;salary.min;salary.max;salary.currency\nj;20,75;20,8;usd\n", csv) == 0);
    CHECK(job_now() == "Engineer|Ops|HQ|Bonn|20.75|20.8|USD");
    REQUIRE(import("jobs", R"({"externalId":"j","salary":{"min":0,"max":0,"currency":"USD","period":"hour"}})") == 0);
    CHECK(job_now() == "Engineer|Ops|HQ|Bonn");
}

TEST_CASE_METHOD(with_records,
                 "import --dry-run reports what would be added, changed, left and refused, and changes nothing",
                 "[import]") {
    auto const before = fingerprint();
    std::string const lines = std::string(candidate) +
                              "\n{\"externalId\":\"c2\",\"name\":\"Bo\"}\n{\"externalId\":\"c2\",\"phone\":\"5\"}\n"
                              "{\"externalId\":\"c3\"}\n{\"externalId\":\"c\",\"name\":\"\"}\n";
    CHECK(import("candidates", lines, {"--dry-run"}) == 4);
    CHECK(counts() == "5 1 1 1 2");
    CHECK(problems() == list{"5 name required", "4 name required"});
    CHECK_FALSE(committed());
    CHECK(summary.at("dryRun").as_bool());
    CHECK(import("jobs", R"({"externalId":"j","title":"Lead","stages":[{"name":"Only"}],"hiringTeam":null})",
                 {"--dry-run"}) == 0);
    CHECK(counts() == "1 0 1 0 0");
    CHECK(import("applications", R"({"externalId":"a","deleted":true})", {"--dry-run"}) == 0);
    CHECK(import("jobs", R"([{"id":"x","text":"Two"}])", {"--dry-run", "--format", "lever"}) == 0);
    CHECK(counts() == "1 1 0 0 0");
    CHECK(import("candidates", "externalId,name\nc,Eve\n", {"--dry-run", "--format", "csv"}) == 0);
    CHECK(counts() == "1 0 1 0 0");
    CHECK(fingerprint() == before);
    CHECK(import("candidates", lines, {"--strict", "--dry-run"}) == 4);
    CHECK(fingerprint() == before);
    CHECK(import("candidates", lines) == 4); // what was foretold
    CHECK(counts() == "5 1 1 1 2");
    CHECK(committed());
}

TEST_CASE_METHOD(with_records, "import --dry-run goes on after a line that only the database can refuse", "[import]") {
    auto const name = slug;
    database.script("CREATE FUNCTION recruiting.refuse_in_dry_run() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                    "IF NEW.name = '" +
                    name +
                    "' THEN RAISE check_violation; END IF; RETURN NEW; END $$;"
                    "CREATE TRIGGER refuse_in_dry_run BEFORE INSERT ON recruiting.candidates FOR EACH ROW "
                    "EXECUTE FUNCTION recruiting.refuse_in_dry_run()");
    auto const code = import("candidates",
                             "{\"externalId\":\"1\",\"name\":\"A\"}\n{\"externalId\":\"2\",\"name\":\"" + name +
                                 "\"}\n{\"externalId\":\"3\",\"name\":\"C\"}\n",
                             {"--dry-run"});
    database.script(
        "DROP TRIGGER refuse_in_dry_run ON recruiting.candidates; DROP FUNCTION recruiting.refuse_in_dry_run()");
    CHECK(code == 4);
    CHECK(counts() == "3 2 0 0 1");
    CHECK(problems() == list{"2  refused_by_database"});
}

TEST_CASE_METHOD(import_fixture, "import --dry-run tells what --close-missing would close, and closes nothing",
                 "[import]") {
    list const closing{"--format", "greenhouse", "--close-missing", "--dry-run"};
    REQUIRE(import("jobs", R"({"jobs":[{"id":1,"title":"One"},{"id":2,"title":"Two"}]})", {"--format", "greenhouse"}) ==
            0);
    REQUIRE(import("jobs", R"({"jobs":[{"id":1,"title":"One"}]})", closing) == 0);
    CHECK(summary.at("missing") == boost::json::parse(R"(["greenhouse:2"])"));
    CHECK(column("jobs", "greenhouse:2", "r.status") == "open");
}

} // namespace import_absent_test
