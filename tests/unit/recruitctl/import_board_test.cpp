// A posting of Greenhouse or Lever as a job's record.
#include "recruitctl/import/record.hpp"
#include "support/catch.hpp"

#include <boost/json.hpp>
#include <sstream>

namespace import_board_test {
using namespace recruiting::recruitctl;
namespace json = boost::json;
using list = std::vector<std::string>;

namespace {

json::object made(board source, std::string_view posting) { return to_record(source, json::parse(posting)).fields; }

json::object columns_of(board source, std::string_view posting) {
    return json::parse(to_row(import_kind::jobs, to_record(source, json::parse(posting))).columns).as_object();
}

// "field reason" of each warning of a posting that is otherwise right.
std::vector<std::string> warnings_of(board source, std::string_view posting) {
    auto const row = to_row(import_kind::jobs, to_record(source, json::parse(posting)));
    CHECK(row.problems.empty());
    std::vector<std::string> out;
    for (auto const& what : row.warnings) out.push_back(what.field + ' ' + what.reason);
    return out;
}

// "20.75 30 hour USD" of a posting with this salaryRange, or "none".
std::string salary_of(std::string const& range) {
    auto const columns = columns_of(board::lever, R"({"id":"x","text":"T","salaryRange":)" + range + "}");
    CHECK(columns.at("salary_published") == json::value(!columns.at("salary_period").is_null()));
    if (columns.at("salary_period").is_null()) return "none";
    return json::serialize(columns.at("salary_min")) + ' ' + json::serialize(columns.at("salary_max")) + ' ' +
           std::string(columns.at("salary_period").as_string()) + ' ' +
           std::string(columns.at("salary_currency").as_string());
}

std::string refusal_of(std::string const& document, board source) {
    std::istringstream input(document);
    try {
        board_reader const reader(input, source);
    } catch (std::runtime_error const& error) {
        return error.what();
    }
    return {};
}

} // namespace

TEST_CASE("a posting of Greenhouse is a published, open job", "[import]") {
    CHECK(
        json::value(made(board::greenhouse, R"({"id":7,"title":" T ","requisition_id":"R","location":{"name":"Berlin"},
        "content":"&lt;p&gt;a &amp;amp; b&lt;/p&gt;","departments":[{"name":"Eng"}],"offices":[{"name":"HQ"}],
        "first_published":"2026-09-01T08:00:00-04:00","absolute_url":" https://boards.example/acme/7 ",
        "metadata":[{"name":"Employment Type","value":"Intern"}]})")) ==
        json::parse(R"({"externalId":"greenhouse:7","status":"open","published":true,"title":"T","requisitionId":"R",
        "department":"Eng","employmentType":"internship","workplaceType":null,"location":{"name":"Berlin"},
        "descriptionHtml":"<p>a &amp; b</p>","publishedAt":"2026-09-01T08:00:00-04:00","closesAt":null,
        "applyUrl":"https://boards.example/acme/7"})"));
}

TEST_CASE("what Greenhouse leaves out is cleared, and its office stands in for a place", "[import]") {
    auto const bare = made(board::greenhouse, R"({"id":"8","title":"T","departments":[{"name":"No Department"}]})");
    CHECK(bare.at("department").is_null());
    CHECK(bare.at("location").is_null());
    CHECK_FALSE(bare.contains("descriptionHtml"));
    CHECK(bare.at("applyUrl").is_null());
    CHECK(made(board::greenhouse, R"({"id":8,"offices":[{"name":""},{"name":"Oslo"}]})").at("location").at("name") ==
          json::value("Oslo"));
    CHECK(made(board::greenhouse, R"({"id":8,"location":{"name":"Remote - US"}})").at("workplaceType") ==
          json::value("remote"));
    CHECK(made(board::greenhouse, R"({"id":8,"content":"<p>a &lt; b</p>"})").at("descriptionHtml") ==
          json::value("<p>a &lt; b</p>")); // not escaped once more: taken as it is
}

TEST_CASE("a posting of Lever is a published, open job", "[import]") {
    CHECK(json::value(made(board::lever, R"({"id":"a-b","text":"T","createdAt":1790000000000,"country":"FR",
        "categories":{"commitment":"Part Time","team":"Night","location":"Lyon"},"description":"<div>d</div>",
        "lists":[{"text":"You & I","content":"<li>x</li>"}],"additional":"<p>end</p>","workplaceType":"onsite",
        "hostedUrl":"https://jobs.example/acme/a-b","applyUrl":"https://jobs.example/acme/a-b/apply",
        "salaryRange":{"currency":"EUR","interval":"per-hour-wage","min":17.5,"max":21}})")) ==
          json::parse(R"({"externalId":"lever:a-b","status":"open","published":true,"title":"T","department":"Night",
        "location":{"name":"Lyon","countryCode":"FR"},"employmentType":"part_time","workplaceType":"on_site",
        "salaryPublished":true,"salary":{"min":17.5,"max":21,"currency":"EUR","period":"hour"},
        "descriptionHtml":"<div>d</div><h3>You &amp; I</h3><ul><li>x</li></ul><p>end</p>",
        "publishedAt":"2026-09-21T14:13:20.000Z","applyUrl":"https://jobs.example/acme/a-b/apply"})"));
}

TEST_CASE("what Lever leaves out or writes oddly is no salary, place or type", "[import]") {
    auto const odd = made(board::lever, R"({"id":"x","text":"T","workplaceType":"unspecified","createdAt":-1,
        "categories":{"commitment":"Galactic"},"descriptionPlain":"plain",
        "salaryRange":{"currency":"EUR","interval":"one-time","min":1,"max":2}})");
    CHECK(odd.at("workplaceType").is_null());
    CHECK(odd.at("salary").is_null());
    CHECK(odd.at("salaryPublished") == json::value(false));
    CHECK(odd.at("location").is_null());
    CHECK(odd.at("applyUrl").is_null());
    CHECK(odd.at("descriptionText") == json::value("plain"));
    CHECK_FALSE(odd.contains("publishedAt"));
    CHECK(columns_of(board::lever, R"({"id":"x","text":"T","categories":{"commitment":"Galactic"}})")
              .at("employment_type")
              .is_null());
}

TEST_CASE("each of Lever's pay intervals by its name, as what it pays", "[import]") {
    auto const paid = [](std::string const& interval) {
        return salary_of(R"({"min":2000,"max":3000.5,"currency":"USD","interval":")" + interval + "\"}");
    };
    CHECK(paid("per-year-salary") == "2000 3.0005E3 year USD");
    CHECK(paid("per-month-salary") == "2000 3.0005E3 month USD");
    CHECK(paid("per-week-salary") == "2000 3.0005E3 week USD");
    CHECK(paid("per-day-wage") == "2000 3.0005E3 day USD");
    CHECK(paid("per-hour-wage") == "2000 3.0005E3 hour USD");
    CHECK(paid("semi-month-salary") == "48000 72012 year USD");
    CHECK(paid("bi-week-salary") == "52000 78013 year USD");
    for (auto const* none : {"bi-month-salary", "one-time", "per-year", "per-year-salary-bonus", "hour", ""}) {
        CHECK(paid(none) == "none");
        CHECK(warnings_of(board::lever, R"({"id":"x","text":"T","salaryRange":{"min":1,"currency":"USD","interval":")" +
                                            std::string(none) + "\"}}") == list{"salary.period invalid_value"});
    }
    CHECK(warnings_of(board::lever, R"({"id":"x","text":"T","salaryRange":{"interval":"one-time"}})").empty());
}

TEST_CASE("a posting's salary is exact, or there is none", "[import]") {
    CHECK(salary_of(R"({"min":20.75,"max":null,"currency":"usd","interval":"per-hour-wage"})") ==
          "2.075E1 null hour USD");
    CHECK(salary_of(R"({"min":0.01,"max":0.07,"currency":"USD","interval":"bi-week-salary"})") ==
          "2.6E-1 1.82E0 year USD");
    for (auto const* none :
         {R"({"min":0,"max":0,"currency":"USD","interval":"per-hour-wage"})",
          R"({"min":0,"currency":"USD","interval":"semi-month-salary"})",
          R"({"min":1.5,"max":2,"currency":"JPY","interval":"per-hour-wage"})",
          R"({"min":1.001,"max":2,"currency":"USD","interval":"semi-month-salary"})",
          R"({"min":5,"max":2,"currency":"USD","interval":"per-hour-wage"})",
          R"({"min":5,"currency":"BTC","interval":"per-hour-wage"})", R"({"min":5,"interval":"per-hour-wage"})",
          R"({"min":"much","currency":"USD","interval":"bi-week-salary"})", "null", "[]", "{}"})
        CHECK(salary_of(none) == "none");
}

TEST_CASE("what a posting writes oddly is read, or left out with a warning", "[import]") {
    auto const row = columns_of(board::lever, R"({"id":"x","text":"T","country":"gb",
        "applyUrl":" https://jobs.example/a b/apply?q=c d "})");
    CHECK(row.at("location_country_code") == json::value("GB"));
    CHECK(row.at("apply_url") == json::value("https://jobs.example/a%20b/apply?q=c%20d"));
    CHECK(warnings_of(board::lever, R"({"id":"x","text":"T","country":"XX","applyUrl":"javascript:x",
        "workplaceType":"moon","categories":{"commitment":"Galactic"}})") ==
          list{"location.countryCode invalid_code", "workplaceType invalid_value", "employmentType invalid_value",
               "applyUrl invalid_url"});
    CHECK(columns_of(board::greenhouse, R"({"id":1,"title":"T","absolute_url":"x"})").at("apply_url").is_null());
    CHECK(
        columns_of(board::greenhouse, R"({"id":1,"title":"T","application_deadline":"2026-12-31"})").at("closes_at") ==
        json::value("2026-12-31T23:59:59.000000Z"));
    CHECK(warnings_of(board::greenhouse, R"({"id":1,"title":"T","application_deadline":"soon"})") ==
          list{"closesAt invalid_time"});
}

TEST_CASE("a posting's places and its country", "[import]") {
    auto const place = [](board source, std::string_view posting) { return made(source, posting).at("location"); };
    CHECK(place(board::lever, R"({"id":"x","categories":{"location":"Berlin; Munich"}})") ==
          json::parse(R"({"name":"Berlin; Munich"})"));
    CHECK(place(board::lever, R"({"id":"x","country":"FR",
        "categories":{"location":"Lyon","allLocations":["Lyon","Paris"," ",7]}})") ==
          json::parse(R"({"name":"Lyon; Paris","countryCode":"FR"})"));
    CHECK(place(board::lever, R"({"id":"x","country":"DE"})") == json::parse(R"({"name":null,"countryCode":"DE"})"));
    CHECK(place(board::lever, R"({"id":"x","categories":{"location":"Oslo, Norway"}})") ==
          json::parse(R"({"name":"Oslo, Norway","countryCode":"NO"})"));
    CHECK(place(board::greenhouse, R"({"id":1,"location":{"name":"Austin, TX"},
        "offices":[{"name":"US","location":"Austin, TX, United States"}]})") ==
          json::parse(R"({"name":"Austin, TX","countryCode":"US"})"));
    CHECK(place(board::greenhouse, R"({"id":1,"location":{"name":"Berlin; Paris, France"},
        "offices":[{"location":"Berlin, Germany"},{"location":"Paris, France"}]})") ==
          json::parse(R"({"name":"Berlin; Paris, France"})"));
    auto const many = "\"" + std::string(150, 'a') + "\",\"" + std::string(60, 'b') + "\",\"c\"";
    CHECK(place(board::lever, R"({"id":"x","categories":{"allLocations":[)" + many + "]}}").at("name") ==
          json::value(std::string(150, 'a') + "; c"));
}

TEST_CASE("words for employment and workplace, as customers spell them", "[import]") {
    for (auto const* words : {"Full-time", "FULL TIME", "fulltime", "full_time", "Full Time (Permanent)", "Permanent",
                              "Regular", "Regular Full-Time", "Permanent contract", "Full-time, international"})
        CHECK(employment_type_of(words) == "full_time");
    for (auto const* words : {"Permanent Part-time", "Part time", "parttime", "Part-Time (Permanent)", "PART_TIME",
                              "Permanent part-time contract", "Working Student"})
        CHECK(employment_type_of(words) == "part_time");
    for (auto const* words : {"Contractor", "Full-time contract", "Contract to permanent", "Freelance", "B2B contract"})
        CHECK(employment_type_of(words) == "contract");
    for (auto const* words : {"Fixed-term part time", "Temporary", "Temp", "Full-time (fixed-term)", "Seasonal",
                              "Fixed-term contract", "Non-permanent"})
        CHECK(employment_type_of(words) == "temporary");
    for (auto const* words : {"Internship 2027", "Intern", "Part-Time Internship", "Paid Interns"})
        CHECK(employment_type_of(words) == "internship");
    for (auto const* words : {"", "Galactic", "Full-time or part-time", "Part-time/Full-time", "Full or part time",
                              "International", "Template", "Volunteer"})
        CHECK(employment_type_of(words).empty());
    CHECK(workplace_type_of("On-Site") == "on_site");
    CHECK(workplace_type_of("Remote (EU)") == "remote");
    CHECK(workplace_type_of("Fully remote") == "remote");
    CHECK(workplace_type_of("Hybrid - 2 days remote") == "hybrid");
    CHECK(workplace_type_of("Munich").empty());
}

TEST_CASE("a posting without an id, or that is none, is a problem of its own", "[import]") {
    CHECK(to_record(board::greenhouse, json::parse(R"({"title":"T"})")).problems.at(0).field == "id");
    CHECK(to_record(board::lever, json::parse(R"({"id":null,"text":"T"})")).problems.at(0).field == "id");
    CHECK(to_record(board::lever, json::parse("[]")).problems.at(0).reason == "wrong_type");
    std::istringstream input(R"({"jobs":[{"id":1,"title":"T"},{"title":"U"}]})");
    board_reader reader(input, board::greenhouse);
    record next;
    while (reader.next(next)) continue;
    CHECK(reader.seen() == std::set<std::string>{"greenhouse:1"});
    CHECK_FALSE(reader.knows_all());
}

TEST_CASE("a document that is none of the board's, or not all of it, is refused whole", "[import]") {
    CHECK(refusal_of("[]", board::greenhouse).starts_with("not a Greenhouse"));
    CHECK(refusal_of("{}", board::greenhouse).starts_with("not a Greenhouse"));
    CHECK(refusal_of("{}", board::lever).starts_with("not a Lever"));
    CHECK(refusal_of(R"({"jobs":[{"id":1)", board::greenhouse).starts_with("not JSON"));
    CHECK(refusal_of(R"({"jobs":[],"meta":{"total":3}})", board::greenhouse).find("meta.total says 3") !=
          std::string::npos);
    CHECK(refusal_of(R"({"jobs":[],"meta":{"total":0}})", board::greenhouse).empty());
    CHECK(refusal_of("[]", board::lever).empty());
    CHECK(refusal_of("\xEF\xBB\xBF[]", board::lever).empty());
    CHECK(refusal_of(std::string("\xFE\xFF\0[\0]", 6), board::lever).empty());
    CHECK(refusal_of("<!doctype html><title>Sign in</title>", board::lever).find("sign-in page") != std::string::npos);
}

} // namespace import_board_test
