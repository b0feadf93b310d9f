// The built-in responder on the organization, its members and its jobs.
#include "support/catch.hpp"
#include "unit/auth_api/agent/builtin/run.hpp"

using namespace recruiting;
using test::play;
using calls = std::vector<std::string>;

namespace {

test::canned_results const results{
    {"get_organization",
     R"({"data":{"id":"0199c1a1c3d87f02b5a6e4d17c930f58","name":"Acme Ltd","slug":"acme","websiteUrl":"https://acme.example",
        "timeZone":"Europe/Berlin","countryCode":"DE","careersPageUrl":null,"memberCount":12,"openJobCount":3}})"},
    {"list_members",
     R"({"data":[{"id":"m1","email":"ada@acme.example","name":"Ada","title":"CTO","role":"admin","status":"active"},
        {"id":"m2","email":"ben@acme.example","name":"Ben","title":null,"role":"recruiter","status":"invited"}],
        "page":{"limit":90,"hasMore":false,"nextCursor":null}})"},
    {"list_jobs",
     R"({"data":[{"id":"j1","title":"Backend Engineer","status":"open","department":"Engineering",
          "location":{"name":"Berlin","city":"Berlin","region":null,"countryCode":"DE"},"candidateCount":1200},
        {"id":"j2","title":"Nurse","status":"open","department":null,"location":null,"workplaceType":"remote",
          "candidateCount":1}],"page":{"limit":30,"hasMore":false,"nextCursor":null}})"},
};

} // namespace

TEST_CASE("facts of the organization", "[responder]") {
    auto const run = play("What is our time zone?", results);
    REQUIRE(run.calls == calls{"get_organization {}"});
    REQUIRE(run.reply == "The organization's time zone is Europe/Berlin.");
    REQUIRE(play("what's the company's web site", results).reply == "The web site is https://acme.example.");
    REQUIRE(play("What is the name of our organization?", results).reply == "The organization's name is Acme Ltd.");
}

TEST_CASE("members", "[responder]") {
    auto const run = play("List the members", results);
    REQUIRE(run.calls == calls{R"(list_members {"limit":90})"});
    REQUIRE(run.reply == "The organization has 2 members:\n- Ada <ada@acme.example>, admin, CTO\n"
                         "- Ben <ben@acme.example>, recruiter (invited)");
    REQUIRE(play("Who are the admins?").calls == calls{R"(list_members {"role":"admin","limit":90})"});
    REQUIRE(play("How many members do we have?", results).reply == "The organization has 2 members.");
}

TEST_CASE("jobs", "[responder]") {
    auto const run = play("Which jobs are open?", results);
    REQUIRE(run.calls == calls{R"(list_jobs {"status":"open","limit":30})"});
    REQUIRE(run.reply == "There are 2 open jobs:\n- Backend Engineer, Engineering, Berlin (1,200 candidates)\n"
                         "- Nurse, remote (1 candidate)");
    REQUIRE(play("open jobs in Berlin?", results).reply ==
            "There is 1 open job matching “Berlin”:\n- Backend Engineer, Engineering, Berlin (1,200 candidates)");
    REQUIRE(play("how many open jobs by department", results).reply ==
            "There are 2 open jobs:\n- Engineering: 1\n- not set: 1");
}

TEST_CASE("what is not understood gives the help text", "[responder]") {
    for (auto const prompt : {"", " ", "xyzzy", "help", "What can you do?", "🙂"})
        REQUIRE(play(prompt).reply.starts_with("I answer questions about your organization's recruiting."));
    REQUIRE(play("Hello!").reply.starts_with("Hello!"));
    REQUIRE(play("thanks a lot").reply == "You're welcome.");
}
