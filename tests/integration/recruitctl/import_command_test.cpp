// import as a command: formats, --strict, exit codes, the audit row, files larger than a batch.
#include "integration/recruitctl/import_fixture.hpp"

#include "recruitctl/import/run.hpp"

namespace import_command_test {
using recruiting::test::import_fixture;
using list = std::vector<std::string>;

namespace {

std::string sample(char const* name) {
    return std::string(RECRUITING_SOURCE_DIR) + "/tests/support/import_samples/" + name;
}

std::string candidates(int from, int to) {
    std::string text;
    for (int i = from; i < to; ++i)
        text += R"({"externalId":")" + std::to_string(i) + R"(","name":"Name )" + std::to_string(i) + "\"}\n";
    return text;
}

} // namespace

TEST_CASE_METHOD(import_fixture, "files in both formats import") {
    CHECK(import_file("jobs", sample("jobs.ndjson")) == 0);
    CHECK(counts() == "3 3 0 0 0");
    CHECK(import_file("jobs", sample("jobs.csv")) == 0);
    CHECK(counts() == "2 2 0 0 0");
    CHECK(column("jobs", "J-201",
                 "concat_ws('|', r.title, r.salary_max, r.published, r.location_city, r.description_text)") ==
          "Data Engineer, Warehouse|78000|t|Wien|Build the warehouse.");
    CHECK(column("jobs", "J-202", "r.salary_min") == "null");
    CHECK(import_file("candidates", sample("candidates.ndjson")) == 4);
    CHECK(counts() == "5 3 0 0 2");
    CHECK(import_file("candidates", sample("candidates.csv")) == 0);
    CHECK(column("candidates", "C-12", "r.name") == "Ann \"Annie\" Lee");
    CHECK(import_file("applications", sample("applications.ndjson")) == 4);
    CHECK(counts() == "5 2 0 0 3");
    CHECK(import_file("applications", sample("applications.ndjson")) == 4);
    CHECK(counts() == "5 0 0 2 3");
}

TEST_CASE_METHOD(import_fixture, "import --format says what a file without an ending is") {
    CHECK(import("candidates", "externalId,name\n1,Ada\n", {"--format", "csv"}) == 0);
    CHECK(counts() == "1 1 0 0 0");
    CHECK(import("candidates", "externalId,name\n1,Ada\n") == 4);
    CHECK(import("candidates", "", {"--format", "xml"}) == 2);
}

TEST_CASE_METHOD(import_fixture, "import --strict keeps nothing when a line is bad, wherever it is found") {
    auto const count = [this] {
        return text_of("SELECT count(*)::text FROM recruiting.candidates c JOIN recruiting.organizations o ON o.id = "
                       "c.organization_id WHERE o.slug = $1");
    };
    CHECK(import("candidates", candidates(0, 12000) + "{}\n" + candidates(12000, 12010), {"--strict"}) == 4);
    CHECK(counts() == "12001 0 0 0 1");
    CHECK(summary.at("committed") == false);
    CHECK(count() == "0");
    CHECK(import("candidates", candidates(0, 12), {"--strict"}) == 0);
    CHECK(count() == "12");
    CHECK(import("applications", R"({"externalId":"a","candidateExternalId":"1","jobExternalId":"none"})",
                 {"--strict"}) == 4);
    CHECK(problems() == list{"1 jobExternalId unknown_reference"});
}

TEST_CASE_METHOD(import_fixture, "batches add up") {
    CHECK(import("candidates", candidates(0, 11000)) == 0);
    CHECK(counts() == "11000 11000 0 0 0");
    CHECK(import("candidates", candidates(5000, 12000)) == 0);
    CHECK(counts() == "7000 1000 0 6000 0");
}

TEST_CASE_METHOD(import_fixture, "standard error shows the first lines of a kind, the summary the first thousand") {
    std::string text;
    for (int i = 0; i < 1500; ++i) text += "{\"externalId\":\"" + std::to_string(i) + "\"}\n";
    CHECK(import("candidates", text) == 4);
    CHECK(summary.at("badLines").as_array().size() == 1000);
    CHECK(summary.at("badLinesOmitted").to_number<int>() == 500);
    CHECK(std::count(err.begin(), err.end(), '\n') == 11);
    CHECK(err.find("and 1,490 more of: name: is required for a new record") != std::string::npos);
}

TEST_CASE_METHOD(import_fixture, "a line with warnings is imported without the values that can't be read") {
    std::string const odd = R"({"externalId":"C-1","name":"Ada","email":"ada@","phone":"2"})";
    REQUIRE(import("candidates", R"({"externalId":"C-1","name":"Ada","email":"ada@mail.example","phone":"1"})") == 0);
    REQUIRE(import("candidates", odd) == 0);
    CHECK(counts() == "1 0 1 0 0");
    CHECK(warnings() == list{"1 email invalid_email"});
    CHECK(column("candidates", "C-1", "concat_ws('|', r.email, r.email_key, r.phone)") ==
          "ada@mail.example|ada@mail.example|2");
    CHECK(err.find("line 1 (\"C-1\"): warning: email: ") == 0);
    CHECK(import("candidates", odd, {"--strict"}) == 4);
    CHECK(problems() == list{"1 email invalid_email"});
    std::string many;
    for (int i = 0; i < 1500; ++i) many += "{\"externalId\":\"" + std::to_string(i) + "\",\"name\":\"A\",\"tags\":7}\n";
    REQUIRE(import("candidates", many, {"--dry-run"}) == 0);
    CHECK(summary.at("warned").to_number<int>() == 1500);
    CHECK(summary.at("warnings").as_array().size() == 1000);
    CHECK(summary.at("warningsOmitted").to_number<int>() == 500);
    CHECK(std::count(err.begin(), err.end(), '\n') == 11);
    CHECK(err.find("and 1,490 more of: warning: tags: must be a list of texts") != std::string::npos);
}

TEST_CASE_METHOD(import_fixture, "a date alone is a day in the organization's time zone") {
    database.run("UPDATE recruiting.organizations SET time_zone = 'Europe/Berlin' WHERE slug = $1",
                 recruiting::pg::params().text(slug));
    REQUIRE(import("jobs", R"({"externalId":"j","title":"T","closesAt":"2026-12-31"})") == 0);
    CHECK(column("jobs", "j", "r.closes_at AT TIME ZONE 'UTC'") == "2026-12-31 22:59:59");
}

TEST_CASE_METHOD(import_fixture, "what can't be done at all says so") {
    CHECK(import_file("candidates", "/nonexistent/file") == 1);
    CHECK(err.find("can't open") != std::string::npos);
    CHECK(import("candidates", "name,colour\n", {"--format", "csv"}) == 1);
    CHECK(err.find("unknown column \"colour\"; no column externalId") != std::string::npos);
    CHECK(import("candidates", "PK\x03\x04 [Content_Types].xml") == 1);
    CHECK(err.find("the file is an Excel workbook (.xlsx): ") != std::string::npos);
    slug = "no-such-organization";
    CHECK(import("candidates", "") == 1);
    CHECK(err.find("there is no organization no-such-organization") != std::string::npos);
}

TEST_CASE_METHOD(import_fixture, "each import leaves one audit row, without data") {
    REQUIRE(import("candidates", candidates(0, 3)) == 0);
    REQUIRE(import("jobs", "{}\n", {"--strict"}) == 4);
    CHECK(text_of("SELECT string_agg(concat_ws(' ', a.actor_type, a.action, a.target_type, a.target_id, a.success), ', "
                  "' ORDER BY a.occurred_at) "
                  "FROM audit_rows a JOIN recruiting.organizations o ON o.id = a.organization_id "
                  "WHERE o.slug = $1 AND a.action LIKE 'import.%'") ==
          "system import.finished candidate t, system import.finished job f");
}

} // namespace import_command_test
