// Seldom cases of the built-in responder: odd records, rare wordings, the limits of one answer.
#include "auth_api/agent/builtin/stages.hpp"
#include "auth_api/agent/builtin/time_range.hpp"
#include "auth_api/agent/builtin/wording.hpp"
#include "support/catch.hpp"
#include "unit/auth_api/agent/builtin/records.hpp"

using namespace recruiting;
using test::acme;
using test::play;
namespace responder = auth_api::agent::responder;

namespace {

std::string reply_with(std::string const& call, std::string const& result, std::string_view prompt) {
    auto results = acme();
    results[call] = result;
    return play(prompt, results).reply;
}

std::string deed(std::string const& members) {
    return reply_with("search_audit", test::one_page("{" + members + "}"), "show the audit log");
}

std::string time_words(std::string_view prompt) {
    responder::prompt const asked(prompt);
    return responder::time_range_in(asked, test::responder_now()).words;
}

std::string invoices(std::string const& list) {
    return reply_with("get_billing", R"({"data":{"invoices":[)" + list + "]}}", "show the invoices");
}

std::string last_call(std::string_view prompt) {
    auto const run = play(prompt, acme());
    return run.calls.empty() ? "" : run.calls.back();
}

} // namespace

TEST_CASE("numbers, lists and times as they are written", "[responder]") {
    CHECK(responder::number(0) == "0");
    CHECK(responder::number(999) == "999");
    CHECK(responder::number(-1'234'567) == "-1,234,567");
    CHECK(responder::number(-999) == "-999");
    CHECK(responder::counted(1, "job", "jobs") == "1 job");
    CHECK(responder::counted(2'000, "job", "jobs", false) == "at least 2,000 jobs");
    CHECK(responder::joined({}).empty());
    CHECK(responder::joined({"a", "b", "c"}) == "a, b and c");
    CHECK(responder::minute_of("2026-03-18T09:30:00.000Z") == "2026-03-18 09:30");
    CHECK(responder::minute_of("2026-03-18 09:30:00") == "2026-03-18 09:30:00");
    CHECK(responder::day_of("soon") == "soon");
}

TEST_CASE("texts of records are shown on one line, without what can't be seen", "[responder]") {
    CHECK(responder::shown(" a\r\n\tb  c ") == "a b c");
    CHECK(responder::shown("a\x1B[31m\x07\xE2\x80\xAE"
                           "b\xE2\x80\x8B") == "a[31mb"); // escape, bell, bidirectional, zero width
    CHECK(responder::shown("\xFFx") == "�x");
    CHECK(responder::shown("äöü", 2) == "äö…");
    CHECK(responder::shown("äö", 2) == "äö");
    CHECK(responder::shown("abc def", 4) == "abc …");
}

TEST_CASE("times in prompts", "[responder]") {
    CHECK(time_words("today") == "today (UTC)");
    CHECK(time_words("yesterday") == "yesterday (UTC)");
    CHECK(time_words("this week") == "since 2026-03-16 00:00 (UTC)");
    CHECK(time_words("this month") == "since 2026-03-01 00:00 (UTC)");
    CHECK(time_words("in the last 2 hours") == "since 2026-03-18 13:30 (UTC)");
    CHECK(time_words("last week") == "since 2026-03-11 15:30 (UTC)");
    CHECK(time_words("week") == "since 2026-03-11 15:30 (UTC)");
    CHECK(time_words("seven days ago") == "since 2026-03-11 15:30 (UTC)");
    CHECK(time_words("2026-03-17") == "on 2026-03-17 (UTC)");
    CHECK(time_words("on 2026-03-17") == "on 2026-03-17 (UTC)");
    CHECK(time_words("what 2026-03-17") == "on 2026-03-17 (UTC)");
    CHECK(time_words("since 2026-02-28") == "since 2026-02-28 00:00 (UTC)");
    CHECK(time_words("in the last 99999999999999999999 months") == "since 2016-03-10 15:30 (UTC)");
    CHECK(time_words("2026-02-30").empty()); // no such day
    CHECK(time_words("2026.02.28").empty());
    CHECK(time_words("jobs").empty());
}

TEST_CASE("rows of the audit log in every form", "[responder]") {
    auto const head = std::string("From the audit log, the newest first (times are UTC):\n- ");
    CHECK(deed(R"("occurredAt":"2026-03-18T09:30:00.000Z","actor":{"type":"system","role":null},"action":"key.created",
               "success":true)") == head + "2026-03-18 09:30 system created an API key");
    CHECK(deed(R"("action":"agent.tool_call","endpoint":"/api/v1/jobs","success":true)") ==
          head + " somebody used an agent's tool: /api/v1/jobs");
    CHECK(deed(R"("action":"agent.tool_call")") == head + " somebody used an agent's tool");
    CHECK(deed(R"("action":"booking.confirmed","success":false,"errorCode":null)") ==
          head + " somebody booking.confirmed: refused");
    CHECK(deed(R"("action":"agent.run_failed","success":false,"errorCode":"model_timed_out")") ==
          head + " somebody asked the agent: failed (model_timed_out)");
    CHECK(deed(R"("action":"api.request","method":"POST","endpoint":"/api/v1/agent/invoke","success":false,
               "errorCode":"agent_run_failed")") ==
          head + " somebody POST /api/v1/agent/invoke: failed (agent_run_failed)");
}

TEST_CASE("members by name: several, and what was done to one", "[responder]") {
    CHECK(reply_with("list_members", test::one_page(R"({"id":"m1","name":"Ada Evans","email":"a@x.example"},
                                                       {"id":"m2","name":"Ada Kim","email":"b@x.example"})"),
                     "what did Ada do today?") ==
          "Several members match “Ada”. Ask again with the e-mail address:\n- Ada Evans <a@x.example>\n"
          "- Ada Kim <b@x.example>");
    auto results = acme();
    results["search_audit"] = test::one_page(R"({"action":"member.added","target":{"id":"m2"},"success":true},
                                                {"action":"member.added","target":{"id":"m1"},"success":true})");
    auto const run = play("who invited Ben?", results);
    CHECK(run.calls.back() == R"(search_audit {"action":"member.added","limit":20})");
    CHECK(run.reply == "From the audit log on Ben Chen, the newest first (times are UTC):\n-  somebody added a member");
    CHECK(last_call("what did Ada do?") == R"(search_audit {"memberId":"m1","limit":20})");
    CHECK(last_call("which API keys did Ada create?") ==
          R"(search_audit {"memberId":"m1","action":"key.created","limit":20})");
    CHECK(last_call("who deleted a key?") == R"(search_audit {"action":"key.revoked","limit":20})");
    CHECK(last_call("what changed for Ada's role this week?").starts_with("search_audit"));
    CHECK(last_call("how many entries has the audit log today?").find("\"limit\":50") != std::string::npos);
    CHECK(play("list the member ben@acme.example", acme()).reply.find("Ben Chen") != std::string::npos);
}

TEST_CASE("bills", "[responder]") {
    CHECK(invoices("") == "There are no invoices yet.");
    CHECK(invoices(
              R"({"number":"7","status":"open","amountCents":-150,"currency":"EUR","issuedAt":null,"paidAt":null})") ==
          "Invoices, the newest first:\n- 7, : -1.50 EUR, open");
}

TEST_CASE("facts that are not set, and a careers page", "[responder]") {
    CHECK(reply_with("get_organization", R"({"data":{"websiteUrl":null}})", "what is our website?") ==
          "The web site is not set.");
    CHECK(reply_with("get_organization",
                     R"({"data":{"websiteUrl":"https://a.example","careersPageUrl":"https://a.example/jobs"}})",
                     "what is our website?") ==
          "The web site is https://a.example. The careers page is https://a.example/jobs.");
    CHECK(last_call("how many people work here?") == "get_organization {}");
    CHECK(last_call("how many people are in the company?") == "get_organization {}");
    CHECK(last_call("does the organization rain?").empty());
}

TEST_CASE("a stage over more open jobs than one answer reads", "[responder]") {
    auto results = acme();
    results["list_jobs"] = R"({"data":[)" + test::backend_job + R"(],"page":{"hasMore":true,"nextCursor":"c"}})";
    CHECK(play("how many candidates are in the interview stage?", results).reply ==
          "There is 1 candidate in the stage “interview” over the newest 1 open jobs:\n- Backend Engineer: 1");
    CHECK(play("how many candidates are in the probation stage?", acme()).reply ==
          "There are 0 candidates in the stage “probation” over 2 open jobs.");
}

TEST_CASE("stages by name, kind and part of a name", "[responder]") {
    auto const pipeline = *responder::read_result(R"({"stages":[{"name":"Hired","kind":"hired"},
        {"name":"Talk with the team","kind":"interview"},{"name":"Second interview","kind":"interview"}]})");
    responder::record const of(&pipeline);
    CHECK(responder::stages_named(of, "hired").size() == 1);
    CHECK(responder::stages_named(of, "HIRED").size() == 1);
    CHECK(responder::stages_named(of, "interviews").size() == 2);
    CHECK(responder::stages_named(of, "second interview").size() == 1);
    CHECK(responder::stages_named(of, "team").size() == 1);
    CHECK(responder::stages_named(of, "nothing").empty());
    CHECK(responder::no_such_stage(responder::record(), "x") == "There is no stage “x” in “”.");
}

TEST_CASE("a candidate with more applications than titles are looked up for", "[responder]") {
    std::string applications;
    for (int i = 0; i < 12; ++i)
        applications +=
            (i > 0 ? "," : "") + (R"({"jobId":")" + std::to_string(i) + R"(","stageName":"S","status":"active"})");
    auto results = acme();
    results["get_candidate"] = R"({"data":{"name":"Bo","applications":[)" + applications + "]}}";
    auto const run = play("find Anna Schmidt", results);
    CHECK(run.calls.size() == 12); // the search, the candidate, ten jobs
    CHECK(run.reply.find("a job: S (active)") != std::string::npos);
}

TEST_CASE("rare wordings", "[responder]") {
    CHECK(last_call("which keys are active?") == "list_api_keys {}");
    CHECK(last_call("keys and failures").starts_with("search_audit"));
    CHECK(last_call("how many keys and tokens?") == "list_api_keys {}");
    CHECK(last_call("show Anna Schmidt in the interview stage").find("candidate") == std::string::npos);
    CHECK(last_call("where is the offer stage for Nurse?").find("candidate") == std::string::npos);
    CHECK(last_call("Anna's stage").find("get_job") == 0);
    CHECK(last_call("Anna's status").find("get_job") == 0);
    CHECK(last_call("find a candidate named \"Anna\"").find("get_job") == 0);
    CHECK(last_call("is there somebody named Anna?").empty());
    CHECK(last_call("who is named Anna?").find("get_job") == 0);
    CHECK(last_call("is it open? \"Nurse\"") != "");
    CHECK(last_call("Is \"Nurse\" open?").find("get_job") == 0);
    CHECK(last_call("hybrid jobs").starts_with("list_jobs"));
    CHECK(last_call("jobs on site").starts_with("list_jobs"));
    CHECK(last_call("jobs in \"Berlin\"").find("list_jobs") == 0);
    CHECK(last_call("candidates from the").empty());
    CHECK(last_call("candidates from. LinkedIn") != R"(search_candidates {"source":"linkedin","limit":20})");
    CHECK(last_call("how many candidates are in @ for Nurse").find("get_pipeline") == 0);
    CHECK(last_call("who are you and what is the salary of \"Nurse\"?").find("get_job") == 0);
    CHECK(last_call("the stage of Nurse").find("revoke") == std::string::npos);
    CHECK(last_call("how many candidates are at stage Offer for Nurse?").find("get_pipeline") == 0);
}

TEST_CASE("more keys than are listed", "[responder]") {
    std::string keys;
    for (int i = 0; i < 200; ++i) keys += std::string(i > 0 ? "," : "") + R"({"name":"k"})";
    auto results = acme();
    results["list_api_keys"] = R"({"data":[)" + keys + "]}";
    CHECK(play("revoke the key warehouse-sync", results).calls.back() == R"(revoke_api_key {"name":"warehouse-sync"})");
}
