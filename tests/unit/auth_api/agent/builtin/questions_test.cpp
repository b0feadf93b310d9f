// Natural questions to the built-in responder: each is answered rightly through the tools, or honestly not at all.
#include "support/catch.hpp"
#include "unit/auth_api/agent/builtin/records.hpp"

namespace questions_test {
using namespace recruiting;
using test::acme;
using test::play;

namespace {

constexpr std::string_view refusal = "I can't answer that. I can answer these questions:\n- ";

struct exchange {
    std::string_view prompt;
    std::string_view reply;
};

std::string last_call(std::string_view prompt) {
    auto const run = play(prompt, acme());
    return run.calls.empty() ? "" : run.calls.back();
}

std::string const backend_search = R"(list_jobs {"q":"Backend Engineer","limit":30})";

} // namespace

TEST_CASE("natural questions that the tools answer", "[builtin]") {
    std::vector<exchange> const answered{
        {"How many open jobs are there?", "There are 2 open jobs."},
        {"List remote jobs", "There is 1 open remote job:\n- Nurse, remote (1 candidate)"},
        {"Which jobs are open in Berlin?", "There is 1 open job with “Berlin” in title, department or place:\n- "
                                           "Backend Engineer, Engineering, Berlin, DE "
                                           "(hybrid) (1,200 candidates)"},
        {"Are there any open positions in Lisbon?",
         "There are no open jobs with “Lisbon” in title, department or place."},
        {"What is the salary of the Nurse job?", "“Nurse”\n- Status: open, not published\n- Department: not given\n- "
                                                 "Location: remote\n- Employment: part time\n"
                                                 "- Salary: not given\n- Candidates: 1\nIt has no description."},
        {"How many candidates do we have?", "There is 1 candidate."},
        {"How many candidates were rejected for Backend Engineer?", "“Backend Engineer” has 5 rejected candidates."},
        {"How many candidates are in the interview stage of “Backend Engineer”?",
         "There is 1 active candidate in the interview stages of “Backend Engineer”:\n- Team interview: 1"},
        {"Who is in the pipeline for Backend Engineer?",
         "There are 3 active candidates in the pipeline of “Backend Engineer”:\n- Applied: 2 (Anna Schmidt and Ben "
         "Costa)\n- Team interview: 1 (Chloé Roux)\n- Offer: 0"},
        {"Who are our admins?",
         "The organization has 2 admins:\n- Ada Evans <ada@acme.example>, admin, CTO\n- Ben Chen <ben@acme.example>, "
         "recruiter (invited)"},
        {"How many users do we have?", "The organization has 2 members."},
        {"What's our time zone?", "The organization's time zone is Europe/Berlin."},
        {"What plan are we on?", "The plan is “growth” (active). Due now: 1,234.50 EUR. 4 of 10 seats are used."},
        {"How many seats are used, please?",
         "The plan is “growth” (active). Due now: 1,234.50 EUR. 4 of 10 seats are used."},
        {"Show me the invoices",
         "The plan is “growth” (active). Due now: 1,234.50 EUR. 4 of 10 seats are used. In this period (2026-03-01 to "
         "2026-04-01): 1,234 agent runs, 5 input and 6 output tokens, 1 booking.\nInvoices, the newest first:\n- "
         "2026-02, "
         "2026-02-01: 99.00 EUR, paid, paid 2026-02-03"},
        {"How many API keys do we have?", "There are 2 API keys."},
        {"When does the key CI expire?",
         "There is 1 API key with “CI” in its name or owner:\n- “CI” (sp_live_XyZa…, Ben Chen): expired, expires "
         "2026-01-01, never used"},
        {"hello", "Hello! I can answer these questions:"},
        {"Thank you!", "You're welcome."},
    };
    for (auto const& [prompt, reply] : answered) {
        CAPTURE(prompt);
        CHECK(play(prompt, acme()).reply.substr(0, reply.size()) == reply);
    }
}

TEST_CASE("questions that no tool answers are refused with what can be asked, and call none", "[builtin]") {
    for (auto const* prompt : {"List remote jobs with salary above 80000 EUR",
                               "Who looked at the billing page yesterday?",
                               "Reject all candidates for the job “Backend Engineer”",
                               "Reject all candidates who applied before 2025",
                               "Which job has the most candidates?",
                               "Which candidates speak German?",
                               "How many candidates applied today?",
                               "Which jobs are not published?",
                               "Which jobs have no candidates?",
                               "List all members except admins",
                               "Move Anna Schmidt to the offer stage",
                               "Book an interview with Anna Schmidt",
                               "Delete the candidate Anna Schmidt",
                               "Close all jobs",
                               "Create an API key",
                               "Upgrade our plan",
                               "How much did we spend last year?",
                               "What is the average time to hire?",
                               "Who is the hiring manager of the job “Nurse”?",
                               "Who was hired for Backend Engineer?",
                               "Compare the pipelines of “Nurse” and “Backend Engineer”",
                               "How many open jobs are there, and how many members?",
                               "What did I do today?",
                               "What can a viewer do?",
                               "What is our plan for today?",
                               "Which keys have never been used?",
                               "Wie viele Stellen sind offen?",
                               "delete the key warehouse-sync",
                               "Why?",
                               "What's the weather in Berlin?"}) {
        CAPTURE(prompt);
        auto const run = play(prompt, acme());
        CHECK(run.calls.empty());
        CHECK(run.reply.starts_with(refusal));
    }
}

TEST_CASE("a question never acts", "[builtin]") {
    for (auto const* prompt :
         {"Can you revoke nc-v2", "Can you revoke warehouse-sync?", "Should I revoke warehouse-sync",
          "Could you please revoke the key \"warehouse-sync\"?", "revoke \"warehouse-sync\"?",
          "Who may revoke the key warehouse-sync?", "How do I revoke a key?"}) {
        CAPTURE(prompt);
        auto const run = play(prompt, acme());
        CHECK(run.calls.empty());
        CHECK(run.reply.starts_with("Nothing was revoked. I revoke one API key when your message is just: revoke \""));
    }
    CHECK(play("Can you revoke nc-v2").reply ==
          "Nothing was revoked. I revoke one API key when your message is just: revoke \"nc-v2\"");
}

TEST_CASE("wordings of the same question ask the same tool", "[builtin]") {
    for (auto const* prompt : {"Which jobs are open?", "jobs", "open positions", "Please list the open jobs.",
                               "show me all open vacancies", "Which jobs are open in Berlin?", "remote jobs"}) {
        CAPTURE(prompt);
        CHECK(last_call(prompt) == R"(list_jobs {"status":"open","limit":30})");
    }
    CHECK(last_call("list all jobs") == R"(list_jobs {"limit":30})");
    CHECK(last_call("Which jobs are on hold?") == R"(list_jobs {"status":"on_hold","limit":30})");
    for (auto const* prompt : {"which jobs are on the careers page?", "published jobs", "published open jobs"})
        CHECK(last_call(prompt) == R"(list_jobs {"status":"open","published":true,"limit":30})");
    CHECK(last_call("closed published jobs") == R"(list_jobs {"status":"closed","published":true,"limit":30})");
    CHECK(last_call("list all published jobs") == R"(list_jobs {"published":true,"limit":30})");
    for (auto const* prompt : {"What does the Backend Engineer job say?", "Describe the job “Backend Engineer”",
                               "Is the Backend Engineer job open?", "Tell me about the job Backend Engineer"}) {
        CAPTURE(prompt);
        CHECK(last_call(prompt) == R"(get_job {"jobId":"0199c1a1c3d87f02b5a6e4d17c930f01"})");
    }
    for (auto const* prompt :
         {"Who is in the pipeline of Backend Engineer?", "Which candidates are in the job “Backend Engineer”?",
          "How many candidates are in Backend Engineer?", "Show the pipeline of “backend engineer”",
          "How many candidates are in the job 0199C1A1-C3D8-7F02-B5A6-E4D17C930F01?"}) {
        CAPTURE(prompt);
        CHECK(last_call(prompt) == R"(get_pipeline {"jobId":"0199c1a1c3d87f02b5a6e4d17c930f01"})");
    }
    CHECK(play("Show the pipeline of “Backend Engineer”", acme()).calls.front() == backend_search);
    CHECK(last_call("How many hired candidates do we have?") == R"(search_candidates {"status":"hired","limit":200})");
    CHECK(last_call("list candidates") == R"(search_candidates {"limit":20})");
    CHECK(last_call("Which organization is this?").empty()); // "this" is no word it knows
    CHECK(last_call("What is the name of our company?") == "get_organization {}");
    CHECK(last_call("list the hiring managers") == R"(list_members {"role":"hiring_manager","limit":90})");
    CHECK(last_call("how much have we used?") == "get_billing {}");
    CHECK(last_call("Which keys were revoked?") == R"(list_api_keys {"includeRevoked":true,"limit":100})");
}

TEST_CASE("a candidate is found by name or e-mail address", "[builtin]") {
    for (auto const* prompt :
         {"Find Anna Schmidt", "find the candidate “Anna Schmidt”", "Do we have a candidate called Anna Schmidt?",
          "search for candidates named “Anna Schmidt”"}) {
        CAPTURE(prompt);
        CHECK(play(prompt, acme()).calls.front() == R"(search_candidates {"q":"Anna Schmidt","limit":20})");
    }
    CHECK(play("find anna@example.com", acme()).calls.front() ==
          R"(search_candidates {"email":"anna@example.com","limit":20})");
    CHECK(play("show the candidate 0199c1a1c3d87f02b5a6e4d17c930faa", acme()).calls.front() ==
          R"(get_candidate {"candidateId":"0199c1a1c3d87f02b5a6e4d17c930faa"})");
    CHECK(play("find the candidate O'Brien", acme()).calls.front() ==
          R"(search_candidates {"q":"O'Brien","limit":20})");
}

TEST_CASE("the audit log is asked by action, person, outcome and time", "[builtin]") {
    std::string const today =
        R"("occurredAfter":"2026-03-18T00:00:00.000Z","occurredBefore":"2026-03-19T00:00:00.000Z")";
    CHECK(last_call("show the audit log") == R"(search_audit {"limit":20})");
    CHECK(last_call("Who revoked a key?") == R"(search_audit {"action":"key.revoked","limit":20})");
    CHECK(last_call("Who created API keys today?") ==
          R"(search_audit {"action":"key.created",)" + today + R"(,"limit":20})");
    CHECK(last_call("Who revoked a key this week?") ==
          R"(search_audit {"action":"key.revoked","occurredAfter":"2026-03-16T00:00:00.000Z","limit":20})");
    CHECK(last_call("Who added a member?") == R"(search_audit {"action":"member.added","limit":20})");
    CHECK(last_call("When was a member removed?") == R"(search_audit {"action":"member.removed","limit":20})");
    CHECK(last_call("who changed roles") == R"(search_audit {"action":"member.role_changed","limit":20})");
    CHECK(last_call("Which requests failed today?") == R"(search_audit {"success":false,)" + today + R"(,"limit":20})");
    auto const of_ada = play("What did ada@acme.example do yesterday?", acme());
    CHECK(of_ada.calls.front() == R"(list_members {"limit":90})");
    CHECK(of_ada.calls.back() == R"(search_audit {"memberId":"m1","occurredAfter":"2026-03-17T00:00:00.000Z",)"
                                 R"("occurredBefore":"2026-03-18T00:00:00.000Z","limit":20})");
    CHECK(play("What did Ada Evans do today?", acme()).calls ==
          std::vector<std::string>{R"(list_members {"limit":90})",
                                   R"(search_audit {"memberId":"m1",)" + today + R"(,"limit":20})"});
}

} // namespace questions_test
