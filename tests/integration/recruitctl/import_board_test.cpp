// import jobs --format greenhouse and lever: what the careers page shows afterwards, again and with jobs gone.
#include "integration/recruitctl/import_fixture.hpp"

namespace import_board_test {
using recruiting::test::import_fixture;
using list = std::vector<std::string>;

namespace {

constexpr char const* samples = RECRUITING_SOURCE_DIR "/tests/support/import_samples/";
list const greenhouse{"--format", "greenhouse"};
list const lever{"--format", "lever"};

list closing(list format) {
    format.emplace_back("--close-missing");
    return format;
}

std::string board_of(std::string const& jobs) { return R"({"jobs":[)" + jobs + "]}"; }
constexpr char const* one = R"({"id":1,"title":"One"})";
constexpr char const* two = R"({"id":2,"title":"Two"})";

} // namespace

TEST_CASE_METHOD(import_fixture, "Greenhouse's jobs are published and open", "[import]") {
    REQUIRE(import_file("jobs", std::string(samples) + "greenhouse.json", greenhouse) == 0);
    CHECK(counts() == "2 2 0 0 0");
    CHECK(column("jobs", "greenhouse:4100001",
                 "concat_ws('|', r.title, r.status, r.published, r.department, r.location_name, r.employment_type, "
                 "r.workplace_type, r.requisition_id, r.published_at = '2026-09-01T12:00:00Z')") ==
          "Robot Engineer|open|t|Engineering|Berlin, Germany|full_time|hybrid|R-17|t");
    CHECK(column("jobs", "greenhouse:4100001", "r.description_html") ==
          "<h2>You</h2><p>build <strong>robots</strong> &amp; more\u00A0</p>");
    CHECK(column("jobs", "greenhouse:4100002", "concat_ws('|', r.department, r.workplace_type)") == "remote");
    REQUIRE(import_file("jobs", std::string(samples) + "greenhouse.json", greenhouse) == 0);
    CHECK(counts() == "2 0 0 2 0");
}

TEST_CASE_METHOD(import_fixture, "Lever's postings are published and open", "[import]") {
    REQUIRE(import_file("jobs", std::string(samples) + "lever.json", lever) == 0);
    CHECK(counts() == "2 2 0 0 0");
    std::string const lead = "lever:5ac21346-8e0c-4494-8e7a-3eb92ff77902";
    CHECK(column("jobs", lead,
                 "concat_ws('|', r.title, r.department, r.location_name, r.location_country_code, r.employment_type, "
                 "r.workplace_type, r.salary_min, r.salary_max, r.salary_period, r.salary_published)") ==
          "Warehouse Lead|Operations|Lyon; Paris|FR|part_time|on_site|17.5|21|hour|t");
    CHECK(column("jobs", lead, "r.description_html") ==
          "<p>You lead &amp; help.</p><h3>What you bring &lt;3</h3><ul><li>calm</li><li>a licence</li></ul>"
          "<h3>What we give</h3><ul><li>tea</li></ul><p><a href=\"https://acme.example/benefits\">More</a></p>");
    CHECK(column("jobs", "lever:7d9d2f0e-2f7c-4d3b-8a55-1f1a5c2f6b11", "r.description_html") == "<p>You type.</p>");
}

TEST_CASE_METHOD(import_fixture, "people apply where the board says, and what can't be read is none, with a warning",
                 "[import]") {
    auto const posting = [](int id, std::string const& url) {
        return R"({"id":"p)" + std::to_string(id) + R"(","text":"T","applyUrl":")" + url +
               R"(","country":"gb","salaryRange":{"min":5,"max":6,"currency":"XYZ","interval":"per-hour-wage"}})";
    };
    auto const both = "[" + posting(1, "https://jobs.example/1/apply") + "," + posting(2, "javascript:alert(1)") + "]";
    REQUIRE(import("jobs", both, lever) == 0);
    CHECK(counts() == "2 2 0 0 0");
    CHECK(warnings() ==
          list{"1 salary.currency invalid_code", "2 salary.currency invalid_code", "2 applyUrl invalid_url"});
    CHECK(summary.at("warned") == 2);
    CHECK(summary.at("warnings").at(1).at("externalId") == "lever:p2");
    CHECK(err.find("job 2 (\"lever:p2\"): warning: applyUrl: must begin with https://") != std::string::npos);
    auto const now = [this] {
        return column("jobs", "lever:p1",
                      "concat_ws('|', r.apply_url, r.location_country_code, r.salary_min, r.salary_published)");
    };
    CHECK(now() == "https://jobs.example/1/apply|GB|f");
    REQUIRE(import("jobs", "[" + posting(1, "ftp://jobs.example") + "]", lever) == 0);
    CHECK(now() == "GB|f");
    CHECK(import("jobs", both, {"--format", "lever", "--strict"}) == 4);
    CHECK(problems() == list{"1 salary.currency invalid_code"});
    CHECK(now() == "GB|f");
}

TEST_CASE_METHOD(import_fixture, "what the board has no more is told, and closed only when asked for", "[import]") {
    REQUIRE(import("jobs", board_of(std::string(one) + "," + two), greenhouse) == 0);
    REQUIRE(import("jobs", R"({"externalId":"own","title":"Own","status":"open","published":true})") == 0);
    REQUIRE(import("jobs", board_of(one), greenhouse) == 0);
    CHECK(err.find("no longer on the board: greenhouse:2 Two") != std::string::npos);
    CHECK(summary.at("missing") == boost::json::parse(R"(["greenhouse:2"])"));
    CHECK(column("jobs", "greenhouse:2", "r.status") == "open");

    REQUIRE(import("jobs", board_of(one), closing(greenhouse)) == 0);
    CHECK(summary.at("missingClosed") == boost::json::value(true));
    CHECK(column("jobs", "greenhouse:2", "concat_ws('|', r.status, r.published, r.closed_at IS NOT NULL)") ==
          "closed|f|t");
    CHECK(column("jobs", "own", "r.status") == "open");
    REQUIRE(import("jobs", board_of(one), closing(greenhouse)) == 0);
    CHECK(summary.at("missing").as_array().empty());

    REQUIRE(import("jobs", board_of(std::string(one) + "," + two), greenhouse) == 0);
    CHECK(column("jobs", "greenhouse:2", "concat_ws('|', r.status, r.published)") == "open|t");
}

TEST_CASE_METHOD(import_fixture, "a bad posting is told by its place, and the rest comes in", "[import]") {
    REQUIRE(import("jobs", board_of(std::string(one) + R"(,{"id":2,"title":""},"x",{"id":3,"title":"Three"})"),
                   greenhouse) == 4);
    CHECK(counts() == "4 2 0 0 2");
    CHECK(problems() == list{"2 title required", "3  wrong_type"});
    CHECK(err.find("job 2: title") != std::string::npos);
}

TEST_CASE_METHOD(import_fixture, "nothing is closed where something could be any job", "[import]") {
    REQUIRE(import("jobs", board_of(std::string(one) + "," + two), greenhouse) == 0);
    REQUIRE(import("jobs", board_of(std::string(one) + R"(,{"title":"?"})"), closing(greenhouse)) == 4);
    CHECK(err.find("nothing is closed") != std::string::npos);
    CHECK(column("jobs", "greenhouse:2", "r.status") == "open");
    // A bad posting that has its id is there.
    REQUIRE(import("jobs", board_of(std::string(one) + R"(,{"id":2,"title":""})"), closing(greenhouse)) == 4);
    CHECK(column("jobs", "greenhouse:2", "r.status") == "open");
}

TEST_CASE_METHOD(import_fixture, "a document cut off or empty closes nothing", "[import]") {
    REQUIRE(import("jobs", board_of(one), greenhouse) == 0);
    CHECK(import("jobs", R"({"jobs":[],"meta":{"total":1}})", closing(greenhouse)) == 1);
    CHECK(column("jobs", "greenhouse:1", "r.status") == "open");
    // Nor does an empty one, which is more likely an export that failed.
    CHECK(import("jobs", board_of(""), closing(greenhouse)) == 1);
    CHECK(column("jobs", "greenhouse:1", "r.status") == "open");
    CHECK(import("jobs", "{}", closing({"--format", "ndjson"})) == 2);
    CHECK(import("candidates", "[]", lever) == 2);
}

} // namespace import_board_test
