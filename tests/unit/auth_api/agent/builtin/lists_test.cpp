// Pages, long lists, and empty organizations, as the built-in responder tells them.
#include "support/catch.hpp"
#include "unit/auth_api/agent/builtin/records.hpp"

using namespace recruiting;
using test::acme;
using test::play;

namespace {

std::string page(std::string const& records, std::string const& cursor) {
    return R"({"data":[)" + records + R"(],"page":{"limit":1,"hasMore":true,"nextCursor":")" + cursor + R"("}})";
}

test::canned_results nothing() {
    auto results = acme();
    for (auto& [call, result] : results)
        if (result.find(R"("data":[)") != std::string::npos) result = test::one_page("");
    return results;
}

std::string many(int count, std::string const& record) {
    std::string out;
    for (int i = 0; i < count; ++i) out += (i > 0 ? "," : "") + record;
    return out;
}

} // namespace

TEST_CASE("pages are followed", "[responder]") {
    auto results = acme();
    results[R"(list_jobs {"status":"open","limit":30})"] = page(test::backend_job, "c1");
    results[R"(list_jobs {"status":"open","limit":30,"cursor":"c1"})"] = page(test::nurse_job, "c2");
    results[R"(list_jobs {"status":"open","limit":30,"cursor":"c2"})"] = test::one_page(test::nurse_job);
    auto const run = play("how many open jobs are there?", results);
    CHECK(run.calls.size() == 3);
    CHECK(run.reply == "There are 3 open jobs.");
}

TEST_CASE("no more pages than an answer may have", "[responder]") {
    auto results = acme();
    results["list_jobs"] = page(test::backend_job, "next");
    int cursor = 0;
    auto const endless = [&] { return page(test::backend_job, std::to_string(++cursor)); };
    results[R"(list_jobs {"status":"open","limit":30})"] = endless();
    for (int i = 1; i < 10; ++i)
        results[R"(list_jobs {"status":"open","limit":30,"cursor":")" + std::to_string(i) + R"("})"] = endless();
    auto const run = play("how many open jobs are there?", results);
    CHECK(run.calls.size() == 6);
    CHECK(run.reply == "There are at least 6 open jobs.");
    CHECK(play("which jobs are open in Munich?", results).reply ==
          "Among those I could read there are no open jobs matching “Munich”.");
    CHECK(play("which jobs are open?", results).reply.ends_with("\nand more"));
}

TEST_CASE("when the run's calls are used up, what was read is told", "[responder]") {
    auto results = acme();
    results[R"(list_members {"limit":90})"] = page(R"({"name":"Ada","role":"admin","status":"active"})", "c1");
    results[R"(list_members {"limit":90,"cursor":"c1"})"] = R"({"error":{"code":"rate_limited"}})";
    CHECK(play("how many members do we have?", results).reply == "The organization has at least 1 member.");
}

TEST_CASE("the jobs' numbers are told beside a count that is not exact where they say more", "[responder]") {
    auto results = acme();
    results["search_candidates"] = page(test::anna, "c1");
    CHECK(play("how many candidates do we have?", results).reply ==
          "There are at least 7 candidates (1,201 applications to 2 jobs).");
    for (auto const& jobs : {test::one_page(""), std::string(R"({"error":{"code":"insufficient_scope"}})")}) {
        results["list_jobs"] = jobs;
        CHECK(play("how many candidates do we have?", results).reply == "There are at least 7 candidates.");
    }
}

TEST_CASE("long lists are cut at twenty lines", "[responder]") {
    auto results = acme();
    results["list_members"] =
        test::one_page(many(25, R"({"name":"A","email":"a@b.example","role":"viewer","status":"active"})"));
    auto const reply = play("list members", results).reply;
    CHECK(reply.starts_with("The organization has 25 members:\n- A <a@b.example>, viewer"));
    CHECK(reply.ends_with("viewer\nand 5 more"));
    results["list_members"] = page(many(25, R"({"name":"A"})"), "");
    CHECK(play("list members", results).reply.ends_with("\nand at least 5 more"));
    results["get_pipeline"] =
        R"({"data":{"jobTitle":"J","stages":[{"id":"s","name":"Applied","candidateCount":130,"hasMore":true,
        "applications":[)" +
        many(25, R"({"candidateName":"A"})") + "]}]}}";
    auto const id = std::string("0199c1a1c3d87f02b5a6e4d17c930fff");
    CHECK(play("who is in the applied stage of " + id, results).reply.ends_with("- A\nand 110 more"));
    CHECK(play("show the pipeline of " + id, results).reply.ends_with(", A and 110 more"));
}

TEST_CASE("names of candidates out of the key's reach", "[responder]") {
    auto results = acme();
    results["get_pipeline"] = R"({"data":{"jobTitle":"J","stages":[{"id":"s","name":"Applied","candidateCount":2,
        "applications":[{"candidateName":null},{"candidateName":null}]}]}})";
    auto const id = std::string("0199c1a1c3d87f02b5a6e4d17c930fff");
    CHECK(play("who is in the applied stage of " + id, results).reply ==
          "In the stage “Applied” of “J” there are 2 candidates.\n"
          "Your key does not reach the candidates' names (candidates:read).");
    CHECK(play("show the pipeline of " + id, results).reply ==
          "In the pipeline of “J” there are 2 candidates:\n- Applied (2)\n"
          "Your key does not reach the candidates' names (candidates:read).");
}

TEST_CASE("nothing there", "[responder]") {
    auto const reply = [](std::string_view prompt) { return play(prompt, nothing()).reply; };
    CHECK(reply("How many candidates do we have?") == "There are 0 candidates.");
    CHECK(reply("list candidates") == "There are no candidates.");
    CHECK(reply("list rejected candidates") == "There are no rejected candidates.");
    CHECK(reply("candidates from LinkedIn this week") ==
          "There are no candidates from the source “linkedin” added since 2026-03-16 00:00 (UTC).");
    CHECK(reply("who was hired for Backend Engineer?") == "I found no job that matches “Backend Engineer”.");
    CHECK(reply("find the candidate Anna Schmidt") == "I found no candidate that matches “Anna Schmidt”.");
    CHECK(reply("who is in the pipeline of Backend Engineer?") == "I found no job that matches “Backend Engineer”.");
    CHECK(reply("how many candidates are in the interview stage?") ==
          "There are 0 candidates in the stage “interview” over 0 open jobs.");
    CHECK(reply("which jobs are open?") == "There are no open jobs.");
    CHECK(reply("list members") == "The organization has no members.");
    CHECK(reply("who are the hiring managers?") == "The organization has no hiring managers.");
    CHECK(reply("what did Ada do today?") == "I found no member that matches “Ada”.");
    CHECK(reply("what did the key CI do today?") == "I found no key named exactly “CI”.");
    CHECK(reply("who revoked a key?") == "The audit log has no such entries.");
    CHECK(reply("errors today") == "The audit log has no such refused or failed requests today (UTC).");
    CHECK(reply("how many requests failed today?") ==
          "The audit log has no such refused or failed requests today (UTC).");
    CHECK(reply("list keys") == "There is no API key that you can see.");
    CHECK(reply("when does the key x-1 expire?") == "There is no API key matching “x-1” that you can see.");
}

TEST_CASE("records with nothing in them are told without failing", "[responder]") {
    auto results = acme();
    for (auto& [call, result] : results) {
        if (result.find(R"("data":[)") != std::string::npos) result = test::one_page("{},null,7");
        else result = R"({"data":{}})";
    }
    for (std::string_view const prompt : {"what is our time zone?",
                                          "tell me about our organization",
                                          "list members",
                                          "members by role",
                                          "which jobs are open?",
                                          "jobs by location",
                                          "how many candidates are in the interview stage?",
                                          "list candidates",
                                          "find anna@example.com",
                                          "who is in the pipeline of 0199c1a1c3d87f02b5a6e4d17c930f01?",
                                          "what plan are we on?",
                                          "invoices",
                                          "usage",
                                          "describe the job 0199c1a1c3d87f02b5a6e4d17c930f01",
                                          "show the audit log",
                                          "last changes",
                                          "list keys",
                                          "how many candidates are in 0199c1a1c3d87f02b5a6e4d17c930f01",
                                          "revoke the key x",
                                          "candidates this week",
                                          "which stages does the job 0199c1a1c3d87f02b5a6e4d17c930f01 have?",
                                          "what did Ada do today?",
                                          "salary of the job 0199c1a1c3d87f02b5a6e4d17c930f01",
                                          "where is the job 0199c1a1c3d87f02b5a6e4d17c930f01?"}) {
        CAPTURE(prompt);
        CHECK_FALSE(play(prompt, results).reply.empty());
    }
}
