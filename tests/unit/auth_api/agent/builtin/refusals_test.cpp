// What the built-in responder says when a tool refuses, gives nothing, or gives something it can't read.
#include "auth_api/agent/builtin/refusals.hpp"
#include "support/catch.hpp"
#include "unit/auth_api/agent/builtin/records.hpp"

using namespace recruiting;
using auth_api::agent::responder::refusal;
using test::acme;
using test::play;

namespace {

struct question_of {
    std::string_view tool; // the one that refuses
    std::string_view prompt;
};
constexpr auto questions = std::to_array<question_of>({
    {"get_organization", "What is our time zone?"},
    {"list_members", "List the members"},
    {"list_members", "What did Ada do yesterday?"},
    {"list_jobs", "Which jobs are open?"},
    {"list_jobs", "How many candidates are in the interview stage?"},
    {"get_job", "describe the job 0199c1a1c3d87f02b5a6e4d17c930f01"},
    {"search_candidates", "How many candidates do we have?"},
    {"search_candidates", "list candidates"},
    {"search_candidates", "find the candidate Anna Schmidt"},
    {"get_candidate", "find Anna Schmidt"},
    {"get_pipeline", "who is in the pipeline of 0199c1a1c3d87f02b5a6e4d17c930f01?"},
    {"get_pipeline", "how many candidates are in the interview stage of Backend Engineer?"},
    {"get_pipeline", "How many candidates are in the interview stage?"},
    {"get_billing", "What plan are we on?"},
    {"search_audit", "who revoked a key?"},
    {"search_audit", "last changes"},
    {"search_audit", "how many requests failed today?"},
    {"list_api_keys", "list keys"},
    {"list_api_keys", "what did the key CI do today?"},
    {"revoke_api_key", "revoke the key warehouse-sync"},
});

std::string reply_when(question_of const& one, std::string const& result) {
    auto results = acme();
    std::erase_if(results, [&one](auto const& entry) { return entry.first.starts_with(one.tool); });
    // A job is found by its title all the same.
    if (one.tool == "list_jobs") results["list_jobs"] = result;
    results[std::string(one.tool)] = result;
    return play(one.prompt, results).reply;
}

} // namespace

TEST_CASE("a refusal is said, and nothing is made up", "[responder]") {
    for (std::string const code : {"insufficient_scope", "insufficient_role", "not_found", "rate_limited",
                                   "service_unavailable", "invalid_request", "ip_not_allowed", "credential_revoked",
                                   "credential_expired", "invalid_credential", "odd"}) {
        for (auto const& one : questions) {
            CAPTURE(one.tool, one.prompt, code);
            CHECK(reply_when(one, R"({"error":{"code":")" + code + R"(","message":"m"}})") == refusal(one.tool, code));
        }
    }
}

TEST_CASE("a result that can't be read is no data", "[responder]") {
    for (auto const& one : questions) {
        CAPTURE(one.tool, one.prompt);
        for (std::string const result :
             {"", "nonsense", "[]", "null", "{}", R"({"error":{}})", R"({"data":null})", R"({"da)"})
            CHECK(reply_when(one, result) == refusal(one.tool, "no_answer"));
    }
}

TEST_CASE("refusals name what is missing", "[responder]") {
    CHECK(refusal("search_audit", "insufficient_scope") == "Your key does not reach the audit log (audit:read).");
    CHECK(refusal("search_audit", "insufficient_role") ==
          "Your role does not reach the audit log (audit:read). Only admins of the organization may see this.");
    CHECK(refusal("list_members", "insufficient_role") == "Your role does not reach the members (members:read).");
    CHECK(refusal("get_billing", "service_unavailable") ==
          "I can't reach the billing data at the moment: please ask again in a little while.");
    CHECK(refusal("list_jobs", "credential_revoked") ==
          "Your key is not accepted any more (revoked, expired, or its owner has left), so I can't read the jobs.");
    CHECK(refusal("unheard_of", "insufficient_scope") == "Your key does not reach that data.");
    CHECK(refusal("list_jobs", "not_offered") == "I have no access to the jobs here.");
}

TEST_CASE("the plain count of a job's candidates does without the pipeline", "[responder]") {
    auto results = acme();
    std::string const pipeline = std::string(R"(get_pipeline {"jobId":")") + test::backend_id + R"("})";
    results[pipeline] = R"({"error":{"code":"insufficient_scope"}})";
    auto const missing = "Your key does not reach the pipelines (pipeline:read).";
    CHECK(play("how many candidates are in Backend Engineer?", results).reply ==
          "“Backend Engineer” has 1,200 candidates. For more: " + std::string(missing));
    CHECK(play("how many candidates were hired for Backend Engineer?", results).reply == missing);
    results[std::string(R"(get_job {"jobId":")") + test::backend_id + R"("})"] = R"({"error":{"code":"not_found"}})";
    CHECK(play("how many candidates are in Backend Engineer?", results).reply == missing);
}

TEST_CASE("a candidate is told without the titles of jobs that can't be read", "[responder]") {
    auto results = acme();
    std::erase_if(results, [](auto const& entry) { return entry.first.starts_with("get_job"); });
    CHECK(play("find Anna Schmidt", results).reply.ends_with("\n- a job: Team interview (active), applied 2026-03-01"));
}

TEST_CASE("a name that may be a job's is looked for without candidates:read", "[responder]") {
    auto results = acme();
    results["search_candidates"] = R"({"error":{"code":"insufficient_scope"}})";
    CHECK(play("tell me about Backend Engineer", results).reply.starts_with("“Backend Engineer”"));
}

TEST_CASE("in the last round there are no tools, only an answer", "[responder]") {
    std::vector<auth_api::agent::message> const messages{
        {auth_api::agent::speaker::user, "which jobs are open?", {}, {}, {}}};
    auto const said = auth_api::agent::responder::respond({messages, 0, {}, test::responder_now()});
    CHECK(said.tool_calls.empty());
    CHECK(said.content == refusal("list_jobs", "too_long"));
    auto const other = std::to_array<auth_api::agent::tool_description>({{"get_job", "", "{}"}});
    CHECK(auth_api::agent::responder::respond({messages, 0, other, test::responder_now()}).content ==
          refusal("list_jobs", "not_offered"));
}
