// Records become rows: every problem of a line at once, and only the columns the record gives.
#include "recruitctl/import/record.hpp"
#include "support/catch.hpp"

#include <boost/json/parse.hpp>

namespace import_rows_test {
using namespace recruiting::recruitctl;

namespace {

record record_of(char const* json, bool textual = false) {
    record made;
    made.line = 7;
    made.textual = textual;
    made.fields = boost::json::parse(json).as_object();
    return made;
}

boost::json::object columns(import_kind kind, char const* json, bool textual = false) {
    auto const row = to_row(kind, record_of(json, textual));
    for (auto const& what : row.problems) INFO(what.field << ' ' << what.message);
    REQUIRE(row.problems.empty());
    CHECK(row.line == 7);
    return boost::json::parse(row.columns).as_object();
}

// "field reason" of each problem, sorted by appearance.
std::vector<std::string> problems(import_kind kind, char const* json) {
    std::vector<std::string> out;
    for (auto const& what : to_row(kind, record_of(json)).problems) out.push_back(what.field + ' ' + what.reason);
    return out;
}

// As problems, of the warnings of a record without problems.
std::vector<std::string> warnings(import_kind kind, char const* json, bool textual = false) {
    std::vector<std::string> out;
    auto const row = to_row(kind, record_of(json, textual));
    CHECK(row.problems.empty());
    for (auto const& what : row.warnings) out.push_back(what.field + ' ' + what.reason);
    return out;
}

using list = std::vector<std::string>;

boost::json::value json(char const* text) { return boost::json::parse(text); }

} // namespace

TEST_CASE("candidate: fields become columns, absent ones are not written") {
    CHECK(columns(import_kind::candidates, R"({"externalId":"c1","name":"Ada"})") == json(R"({"name":"Ada"})"));
    CHECK(columns(import_kind::candidates, R"({"externalId":12,"name":"Ada","email":null,"tags":null,"links":null})") ==
          json(R"({"name":"Ada","email":null,"email_key":null,"links":[],"tags":[]})"));
    CHECK(
        columns(import_kind::candidates, R"({"externalId":"c1","name":"Ada","email":"A@B.example","phone":"+49 30 1",
        "location":{"city":"Bonn","countryCode":"DE"},"tags":["a"," a ","b"],
        "links":[{"type":"github","url":"https://github.com/ada"}],"createdAt":"2025-03-01T12:00:00+02:00",
        "id":"0190","applications":[]})") ==
        json(
            R"({"name":"Ada","email":"A@B.example","email_key":"a@b.example","phone":"+49 30 1","location_name":null,"location_city":"Bonn",
        "location_region":null,"location_country_code":"DE","links":[{"type":"github","url":"https://github.com/ada"}],
        "tags":["a","b"],"created_at":"2025-03-01T10:00:00.000000Z"})"));
}

TEST_CASE("candidate: all problems of a line at once") {
    CHECK(problems(import_kind::candidates,
                   R"({"name":"","email":"x","location":{"planet":"x"},"links":[{"kind":"x"}],"deletedAt":"yesterday",
                       "colour":1})") == list{"externalId required", "name required", "location unknown_field",
                                              "links[0] unknown_field", "deletedAt invalid_time", " unknown_field"});
}

TEST_CASE("candidate: optional values that can't be read are left out with a warning") {
    char const* const odd =
        R"({"externalId":"c","name":"Ada","email":"x","phone":[5],"location":{"city":"Bonn","countryCode":"XX"},
            "tags":["a","",7,"b"],"links":[{"type":"x","url":"javascript:alert"},3,{"type":"y","url":"https://a.example/b c"}],
            "lastActivityAt":"yesterday","createdAt":"never","currentTitle":"a\u0000b"})";
    CHECK(warnings(import_kind::candidates, odd) ==
          list{"email invalid_email", "phone wrong_type", "currentTitle control_character",
               "location.countryCode invalid_code", "links[0].url invalid_url", "links[1] wrong_type",
               "tags invalid_tag", "tags invalid_tag", "lastActivityAt invalid_time", "createdAt invalid_time"});
    CHECK(columns(import_kind::candidates, odd) ==
          json(R"({"name":"Ada","location_name":null,"location_city":"Bonn","location_region":null,
                   "location_country_code":null,"links":[{"type":"y","url":"https://a.example/b%20c"}],"tags":["a","b"]})"));
    CHECK(columns(import_kind::candidates, R"({"externalId":"c","location":{"countryCode":"XX","city":"Bonn"}})",
                  true) == json(R"({"location_city":"Bonn"})"));
    CHECK(warnings(import_kind::candidates, R"({"externalId":"c","name":"A","links":{},"tags":7,"location":"Bonn"})") ==
          list{"location wrong_type", "links wrong_type", "tags wrong_type"});
}

TEST_CASE("what can be read is read") {
    CHECK(columns(import_kind::jobs, R"({"externalId":" j ","title":" T ","status":"On Hold","requisitionId":17,
        "location":{"countryCode":" uk"},"workplaceType":"onsite","employmentType":"Permanent Part-time",
        "applyUrl":" https://acme.example/a b ","openings":3.0,"closesAt":"2026-12-31 17:00:00Z"})") ==
          json(R"({"title":"T","status":"on_hold","requisition_id":"17","location_name":null,"location_city":null,
        "location_region":null,"location_country_code":"GB","workplace_type":"on_site","employment_type":"part_time",
        "apply_url":"https://acme.example/a%20b","openings":3,"closes_at":"2026-12-31T17:00:00.000000Z"})"));
    CHECK(columns(import_kind::candidates, R"({"externalId":"c","name":"A","email":" a@b.example "})") ==
          json(R"({"name":"A","email":"a@b.example","email_key":"a@b.example"})"));
}

TEST_CASE("a date is its day in the organization's time zone: closesAt its end, other times its beginning") {
    auto const dates = record_of(R"({"externalId":"j","closesAt":"2026-03-29","openedAt":"2026-03-29"})");
    CHECK(boost::json::parse(to_row(import_kind::jobs, dates, "Europe/Berlin").columns) ==
          json(R"({"closes_at":"2026-03-29T21:59:59.000000Z","opened_at":"2026-03-28T23:00:00.000000Z"})"));
    // There is no midnight on the day that summer time begins.
    auto const skipped = record_of(R"({"externalId":"j","openedAt":"2024-04-26"})");
    CHECK(boost::json::parse(to_row(import_kind::jobs, skipped, "Africa/Cairo").columns) ==
          json(R"({"opened_at":"2024-04-25T22:00:00.000000Z"})"));
    CHECK(warnings(import_kind::jobs, R"({"externalId":"j","closesAt":"2026-02-30","openedAt":"31.12.2026"})") ==
          list{"closesAt invalid_time", "openedAt invalid_time"});
}

TEST_CASE("a key is a text or a whole number, and no number that a spreadsheet has shortened") {
    auto const key_of = [](char const* json) { return to_row(import_kind::jobs, record_of(json)).external_id; };
    CHECK(key_of(R"({"externalId":123})") == "123");
    CHECK(key_of(R"({"externalId":123.0})") == "123");
    CHECK(key_of(R"({"externalId":" 1E5 "})") == "1E5");
    CHECK(problems(import_kind::jobs, R"({"externalId":1.5})") == list{"externalId wrong_type"});
    CHECK(problems(import_kind::jobs, R"({"externalId":1e17})") == list{"externalId wrong_type"});
    CHECK(problems(import_kind::jobs, R"({"externalId":"1.23457E+12"})") == list{"externalId invalid_id"});
    CHECK(problems(import_kind::applications, R"({"externalId":"a","jobExternalId":"4,5E+9"})") ==
          list{"jobExternalId invalid_id"});
}

TEST_CASE("a salary is exact, with at most the currency's decimals, or left out as a whole") {
    auto const paid = [](std::string const& salary, bool textual = false) {
        auto const text = R"({"externalId":"j","salary":)" + salary + "}";
        auto const row = to_row(import_kind::jobs, record_of(text.c_str(), textual));
        CHECK(row.problems.empty());
        if (row.warnings.empty()) return row.columns;
        CHECK(row.columns == "{}");
        return row.warnings.front().field + ' ' + row.warnings.front().reason;
    };
    std::string const none = R"({"salary_min":null,"salary_max":null,"salary_currency":null,"salary_period":null})";
    CHECK(paid(R"({"min":20.75,"max":"20.8","currency":"usd","period":"Hour"})") ==
          R"({"salary_currency":"USD","salary_period":"hour","salary_min":20.75,"salary_max":20.8})");
    CHECK(paid(R"({"min":0,"max":1000000000000,"currency":"JPY","period":"year"})") ==
          R"({"salary_currency":"JPY","salary_period":"year","salary_min":0,"salary_max":1000000000000})");
    CHECK(paid(R"({"max":999999999999.999,"currency":"KWD","period":"year"})") ==
          R"({"salary_currency":"KWD","salary_period":"year","salary_min":null,"salary_max":999999999999.999})");
    CHECK(paid("null") == none);
    CHECK(paid(R"({"min":0,"max":0,"currency":"EUR","period":"year"})") == none);
    CHECK(paid(R"({"min":0.0,"currency":"EUR"})") == none);
    CHECK(paid(R"({"min":20.755,"currency":"USD","period":"hour"})") == "salary.min invalid_number");
    CHECK(paid(R"({"min":1200.5,"currency":"JPY","period":"hour"})") == "salary.min invalid_number");
    CHECK(paid(R"({"max":1000000000000.01,"currency":"USD","period":"hour"})") == "salary.max invalid_number");
    for (auto const* bad : {"-1", "\"1,5\"", "\"1.\"", "\".5\"", "\"60.000\"", "\"1e3\"", "\"\"", "true"})
        CHECK(paid(R"({"currency":"EUR","period":"hour","min":)" + std::string(bad) + "}") ==
              "salary.min invalid_number");
    CHECK(paid(R"({"min":5,"max":4,"currency":"EUR","period":"hour"})") == "salary.max invalid_number");
    CHECK(paid(R"({"min":5,"currency":"XYZ","period":"hour"})") == "salary.currency invalid_code");
    CHECK(paid(R"({"min":5,"currency":"EUR","period":"fortnight"})") == "salary.period invalid_value");
    CHECK(paid(R"({"min":5,"period":"hour"})") == "salary.currency required");
    CHECK(paid("7") == "salary wrong_type");
    CHECK(paid(R"({"min":"20.75"})", true) == "salary.min invalid_number"); // of an unknown currency
    CHECK(paid(R"({"min":"20.750","currency":"KWD"})", true) == R"({"salary_currency":"KWD","salary_min":20.75})");
    CHECK(paid(R"({"min":"0","max":null,"currency":null})", true) == none);
}

TEST_CASE("lengths are counted in characters, as PostgreSQL counts them") {
    auto const named = [](std::size_t times) {
        std::string name;
        for (std::size_t i = 0; i < times; ++i) name += "é";
        return R"({"externalId":"1","name":")" + name + "\"}";
    };
    CHECK(problems(import_kind::candidates, named(300).c_str()).empty());
    CHECK(problems(import_kind::candidates, named(301).c_str()) == list{"name too_long"});
}

TEST_CASE("deletion: deleted and deletedAt") {
    CHECK(columns(import_kind::candidates, R"({"externalId":"1","deleted":true})") == json(R"({"deleted":true})"));
    CHECK(columns(import_kind::jobs, R"({"externalId":"1","deletedAt":"2025-01-01T00:00:00Z","deleted":true})") ==
          json(R"({"deleted_at":"2025-01-01T00:00:00.000000Z"})"));
    CHECK(columns(import_kind::candidates, R"({"externalId":"1","name":"A","deleted":false})") ==
          json(R"({"name":"A","deleted_at":null})"));
    CHECK(columns(import_kind::candidates, R"({"externalId":"1","name":"A","deletedAt":null})") ==
          json(R"({"name":"A","deleted_at":null})"));
    CHECK(columns(import_kind::applications, R"({"externalId":"1","deleted":"TRUE","jobExternalId":null})", true) ==
          json(R"({"deleted":true})"));
    CHECK(problems(import_kind::jobs,
                   R"({"externalId":"1","title":"x","deleted":false,"deletedAt":"2025-01-01T00:00:00Z"})") ==
          list{"deleted contradiction"});
}

TEST_CASE("job: salary, description, stages and team") {
    CHECK(columns(import_kind::jobs,
                  R"({"externalId":"j","title":"T","salary":{"min":1,"max":2,"currency":"EUR","period":"year"},
        "descriptionHtml":"<p>Hi <b>you</b><script>x</script></p>","stages":[{"name":"A","kind":"applied"},
        {"name":"B","kind":"interview","bookable":true,"interviewDurationMinutes":45,"id":"x"}],
        "hiringTeam":[{"email":"a@b.example"},{"memberId":"0190a0a0a0a070a080a0a0a0a0a0a0a0","role":"recruiter"}]})") ==
          json(R"({"title":"T","salary_min":1,"salary_max":2,"salary_currency":"EUR","salary_period":"year",
        "description_html":"<p>Hi <strong>you</strong></p>","description_text":"Hi you",
        "stages":[{"name":"A","kind":"applied","position":0,"bookable":false,"interview_duration_minutes":null},
                  {"name":"B","kind":"interview","position":1,"bookable":true,"interview_duration_minutes":45}],
        "team":[{"email":"a@b.example","email_key":"a@b.example","role":"hiring_manager"},
                {"member_id":"0190a0a0a0a070a080a0a0a0a0a0a0a0","role":"recruiter"}]})"));
    CHECK(
        columns(import_kind::jobs,
                R"({"externalId":"j","title":"T","descriptionText":"a < b\n\nc","openings":null,"salary":null})") ==
        json(
            R"({"title":"T","openings":1,"salary_min":null,"salary_max":null,"salary_currency":null,"salary_period":null,
                   "description_html":"<p>a &lt; b</p><p>c</p>","description_text":"a < b\n\nc"})"));
}

TEST_CASE("job: a team's memberId in each form that the API takes") {
    for (auto const* id : {"0190a0a0a0a070a080a0a0a0a0a0a0a0", "0190A0A0-A0A0-70A0-80A0-A0A0A0A0A0A0"}) {
        INFO(id);
        auto const job = R"({"externalId":"j","title":"T","hiringTeam":[{"memberId":")" + std::string(id) + "\"}]}";
        CHECK(problems(import_kind::jobs, job.c_str()).empty());
    }
    CHECK(problems(import_kind::jobs, R"({"externalId":"j","title":"T","hiringTeam":[{"memberId":"0190a0a0"}]})") ==
          list{"hiringTeam[0].memberId invalid_id"});
}

TEST_CASE("job: problems") {
    CHECK(problems(import_kind::jobs, R"({"externalId":"j","title":"T","status":"gone","published":"true",
        "salary":{"net":5},"stages":[{"name":"A"},{"name":"A","bookable":true},{"name":"B","kind":"dance"}],
        "hiringTeam":[{"role":"boss"}]})") ==
          list{"status invalid_value", "salary unknown_field", "published wrong_type", "stages[1].name duplicate",
               "stages[1].interviewDurationMinutes required", "stages[2].kind invalid_value", "hiringTeam[0]. required",
               "hiringTeam[0].role invalid_value"});
    CHECK(warnings(import_kind::jobs, R"({"externalId":"j","title":"T","openings":1.5,"salaryPublished":"yes",
        "workplaceType":7,"employmentType":"x","department":{},"descriptionHtml":[]})") ==
          list{"department wrong_type", "workplaceType invalid_value", "employmentType invalid_value",
               "openings invalid_number", "salaryPublished wrong_type", "descriptionHtml wrong_type"});
    CHECK(columns(import_kind::jobs, R"({"externalId":"j","openings":1.5,"salaryPublished":"yes","workplaceType":7,
        "employmentType":"x","department":{},"descriptionHtml":[]})") == json("{}"));
}

TEST_CASE("an object is given as a whole in JSON, in CSV each of its columns keeps its value when it is absent") {
    char const* const place = R"({"externalId":"j","location":{"city":"Bonn"},"salary":{"max":"9"}})";
    CHECK(columns(import_kind::jobs, place, true) == json(R"({"location_city":"Bonn","salary_max":9})"));
    CHECK(columns(import_kind::jobs, R"({"externalId":"j","location":{"city":"Bonn"}})") ==
          json(R"({"location_name":null,"location_city":"Bonn","location_region":null,"location_country_code":null})"));
    CHECK(columns(import_kind::jobs, R"({"externalId":"j","location":{"city":null}})", true) ==
          json(R"({"location_city":null})"));
}

TEST_CASE("what a record must have can't be cleared, and what a deletion leaves empty is no change") {
    CHECK(problems(import_kind::jobs, R"({"externalId":"j","title":null})") == list{"title required"});
    CHECK(problems(import_kind::candidates, R"({"externalId":"c","name":" "})") == list{"name required"});
    CHECK(columns(import_kind::jobs, R"({"externalId":"j","title":null,"deleted":true})") ==
          json(R"({"deleted":true})"));
    CHECK(columns(import_kind::jobs, R"({"externalId":"j","hiringTeam":null,"stages":null})") ==
          json(R"({"stages":[],"team":[]})"));
}

TEST_CASE("CSV values are read from text") {
    CHECK(columns(import_kind::jobs,
                  R"({"externalId":"j","title":"T","openings":"3","published":"true","salaryPublished":"0"})",
                  true) == json(R"({"title":"T","openings":3,"salary_published":false,"published":true})"));
    CHECK(warnings(import_kind::jobs, R"({"externalId":"j","title":"T","openings":"3x"})", true) ==
          list{"openings invalid_number"});
}

TEST_CASE("application: names what it belongs to") {
    CHECK(columns(import_kind::applications, R"({"externalId":"a","candidateExternalId":"c","jobExternalId":5,
        "stageName":"Interview","status":"rejected","rejectedAt":"2025-01-01T00:00:00.5Z","appliedAt":null})") ==
          json(R"({"candidate_external_id":"c","job_external_id":"5","stage_name":"Interview","status":"rejected",
                   "rejected_at":"2025-01-01T00:00:00.500000Z"})"));
    CHECK(problems(import_kind::applications, R"({"externalId":"a","candidateExternalId":null,"jobExternalId":""})") ==
          list{"candidateExternalId required", "jobExternalId required"});
    CHECK(columns(import_kind::applications, R"({"externalId":"a"})") ==
          json("{}")); // whether it is new is not known here
}

} // namespace import_rows_test
