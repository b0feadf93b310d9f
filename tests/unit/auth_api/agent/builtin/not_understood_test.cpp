// What the responder does not understand: it says so, and never answers the opposite or denies what is there.
#include "support/catch.hpp"
#include "unit/auth_api/agent/builtin/records.hpp"

using namespace recruiting;
using test::acme;
using test::play;

namespace {

std::string reply(std::string_view prompt) { return play(prompt, acme()).reply; }

// Pages of 100 candidates, as results that are cut to fit give them.
test::canned_results candidates(int pages, bool more) {
    auto results = acme();
    std::string rows;
    for (int i = 0; i < 100; ++i) rows += (i == 0 ? "" : ",") + test::anna;
    for (int page = 0; page < pages; ++page) {
        bool const last = page + 1 == pages && !more;
        auto const next = "c" + std::to_string(page + 1);
        auto const cursor = page == 0 ? std::string() : R"(,"cursor":"c)" + std::to_string(page) + '"';
        results[R"(search_candidates {"limit":200)" + cursor + "}"] =
            R"({"data":[)" + rows + R"(],"page":{"hasMore":)" + (last ? "false" : "true") + R"(,"nextCursor":)" +
            (last ? std::string("null") : '"' + next + '"') + "}}";
    }
    return results;
}

} // namespace

TEST_CASE("a question with a negation is not answered as its opposite", "[responder]") {
    for (std::string_view const prompt :
         {"which jobs are not published?", "which jobs are not open?", "how many jobs are not remote",
          "which members are not admins", "which jobs have no candidates?", "Which jobs aren't open?",
          "jobs without candidates", "list all members except admins", "Which keys have not expired?"}) {
        CAPTURE(prompt);
        auto const run = play(prompt, acme());
        CHECK(run.calls.empty());
        CHECK(run.reply.starts_with("I can't answer questions with “not” or “without” yet"));
    }
}

TEST_CASE("words that name nothing are said not to be understood", "[responder]") {
    for (std::string_view const prompt :
         {"Zeige mir alle API-Schlüssel", "Liste les clés API", "Muéstrame las claves API"}) {
        CAPTURE(prompt);
        CHECK(reply(prompt).starts_with("There are 2 API keys:"));
    }
    CHECK(reply("List the frobnicated keys").starts_with("I did not understand “frobnicated”. There are 2 API keys:"));
    CHECK(reply("List the key \"nothing\"") == "There is no API key matching “nothing” that you can see.");
    CHECK(reply("I'd like to know who the admins are").starts_with("The organization has"));
    CHECK(reply("I would love knowing who the admins are")
              .starts_with("I did not understand “love knowing”. The organization has 1 admin:\n- Ada Evans"));
    CHECK(reply("How many employees does Acme have?") ==
          "I did not understand “Acme”. The organization has 2 members.");
    CHECK(reply("List the member \"Zoe\"") == "The organization has no members matching “Zoe”.");
    CHECK(reply("List frobnicated jobs").starts_with("I did not understand “frobnicated”. There are 2 open jobs:"));
    CHECK(reply("Which jobs are open in Lisbon?") == "There are no open jobs matching “Lisbon”.");
}

TEST_CASE("keys by their owner, and those never used", "[responder]") {
    CHECK(reply("How many keys does Ada have?") == "There is 1 API key matching “Ada”.");
    CHECK(reply("How many keys does ben@acme.example have?") == "There is 1 API key matching “ben@acme.example”.");
    CHECK(reply("Which keys were never used?").starts_with("There is 1 never used API key:\n- “CI”"));
}

TEST_CASE("candidates are counted exactly as far as a run may read", "[responder]") {
    CHECK(play("How many candidates do we have?", candidates(3, false)).reply == "There are 300 candidates.");
    auto const many = play("How many candidates do we have?", candidates(7, true));
    CHECK(many.reply == "There are at least 700 candidates (1,201 applications to 2 jobs).");
    CHECK(many.calls.size() == 8);
}

TEST_CASE("a stage is counted over the jobs that can be seen", "[responder]") {
    auto results = acme();
    results.erase(std::string(R"(get_pipeline {"jobId":")") + test::nurse_id + R"("})");
    CHECK(play("How many candidates are in the interview stage?", results).reply ==
          "There is 1 candidate in the stage “interview” over 1 open job you can see:\n- Backend Engineer: 1");
}
