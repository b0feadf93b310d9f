// candidate export: everything the database holds about one person, in a file of the operator's alone.
#include "integration/recruitctl/erasure_fixture.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace candidate_export_test {
using namespace recruiting;
using namespace recruiting::test;
namespace ctl = recruiting::recruitctl;

TEST_CASE("candidate export holds every value of the person, and nothing of others", "[recruitctl][erasure]") {
    erasure_world w;
    person_everywhere const who(w.database, "acme");
    person_everywhere const elsewhere(w.database, "globex");
    auto const folder = std::filesystem::temp_directory_path() / ("recruiting_export_" + new_slug());
    std::filesystem::create_directory(folder);
    auto const file = (folder / "zoe.json").string();
    std::vector<std::string> const words{
        "candidate", "export", "--organization", "acme", "--email", "zoe.quimbleton@mail.example", "--output", file};
    REQUIRE(w(words) == ctl::done);
    CHECK(w.out.find("quimbleton") == std::string::npos); // a terminal shows counts
    CHECK(w.err.find("other people") != std::string::npos);
    CHECK(std::filesystem::status(file).permissions() ==
          (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
    CHECK(w(words) == ctl::failed); // no file is overwritten

    std::ifstream in(file);
    auto const text = std::string(std::istreambuf_iterator<char>(in), {});
    std::filesystem::remove_all(folder);
    auto const document = boost::json::parse(text).as_object();
    auto const& candidate = document.at("candidates").as_array().at(0).as_object();
    CHECK(candidate.at("id").as_string() == to_string(who.candidate));
    CHECK(candidate.at("currentCompany").as_string() == "Quimbleton Ltd");
    // Whatever the columns are: no text of the person's rows is missing.
    for (auto const* const table : {"candidates", "applications", "unmatched_booking_requests", "booking_requests"}) {
        auto const values = w.database.owner().run(
            std::string("SELECT DISTINCT value FROM recruiting.") + table +
                " t, jsonb_each_text(to_jsonb(t) - 'record' - 'sort_name' - 'email_key') "
                "WHERE organization_id = $1 AND lower(value) LIKE '%quimbleton%' AND value NOT LIKE '[%'",
            pg::params().id(who.organization));
        for (auto row : values) {
            auto const value = std::string(row.text());
            INFO(table << ": " << value);
            CHECK(text.find(boost::json::serialize(boost::json::string(value))) != std::string::npos);
        }
    }
    CHECK(text.find("https://quimbleton.example") != std::string::npos);
    CHECK(candidate.at("applications").as_array().at(0).at("rejectionReason").as_string() ==
          "too much of a quimbleton");
    auto const& booking = candidate.at("bookings").as_array().at(0).as_object();
    CHECK(booking.at("id").as_string() == to_string(who.booking));
    CHECK(booking.at("mails").as_array().size() == 2);
    CHECK(document.at("bookingRequests").as_array().size() == 2);
    CHECK(document.at("agentTexts").as_array().size() == 4);
    CHECK(text.find("Quimby") == std::string::npos);
    CHECK(text.find(to_string(elsewhere.candidate)) == std::string::npos);
    CHECK_FALSE(document.at("notIncluded").as_array().empty());

    REQUIRE(w({"candidate", "export", "--organization", "acme", "--id", to_string(who.candidate), "--output", "-"}) ==
            ctl::done);
    CHECK(boost::json::parse(w.out).at("candidates").as_array().size() == 1);
    CHECK(w({"candidate", "export", "--organization", "acme", "--id", to_string(elsewhere.candidate), "--output",
             "-"}) == ctl::failed);
}

} // namespace candidate_export_test
