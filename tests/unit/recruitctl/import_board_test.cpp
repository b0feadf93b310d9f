// A posting of Greenhouse or Lever as a job's record.
#include "recruitctl/import/record.hpp"
#include "support/catch.hpp"

#include <boost/json.hpp>
#include <sstream>

namespace import_board_test {
using namespace recruiting::recruitctl;
namespace json = boost::json;

namespace {

json::object made(board source, std::string_view posting) { return to_record(source, json::parse(posting)).fields; }

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
        "salaryPublished":true,"salary":{"min":18,"max":21,"currency":"EUR","period":"hour"},
        "descriptionHtml":"<div>d</div><h3>You &amp; I</h3><ul><li>x</li></ul><p>end</p>",
        "publishedAt":"2026-09-21T14:13:20.000Z","applyUrl":"https://jobs.example/acme/a-b/apply"})"));
}

TEST_CASE("what Lever leaves out or writes oddly is no salary, place or type", "[import]") {
    auto const odd = made(board::lever, R"({"id":"x","text":"T","workplaceType":"unspecified","createdAt":-1,
        "categories":{"commitment":"Galactic"},"descriptionPlain":"plain",
        "salaryRange":{"currency":"EUR","interval":"one-time","min":1,"max":2}})");
    CHECK(odd.at("workplaceType").is_null());
    CHECK(odd.at("employmentType").is_null());
    CHECK(odd.at("salary").is_null());
    CHECK(odd.at("salaryPublished") == json::value(false));
    CHECK(odd.at("location").is_null());
    CHECK(odd.at("applyUrl").is_null());
    CHECK(odd.at("descriptionText") == json::value("plain"));
    CHECK_FALSE(odd.contains("publishedAt"));
}

TEST_CASE("words for employment and workplace, as customers spell them", "[import]") {
    for (auto const* words : {"Full-time", "FULL TIME", "fulltime", "Full Time (Permanent)", "Permanent"})
        CHECK(employment_type_of(words) == "full_time");
    CHECK(employment_type_of("Contractor") == "contract");
    CHECK(employment_type_of("Internship 2027") == "internship");
    CHECK(employment_type_of("").empty());
    CHECK(workplace_type_of("On-Site") == "on_site");
    CHECK(workplace_type_of("Remote (EU)") == "remote");
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
}

} // namespace import_board_test
