// What the built-in responder says when a tool refuses, gives nothing, or gives something it can't read.
#include "auth_api/agent/builtin/dialogue.hpp"
#include "support/catch.hpp"
#include "unit/auth_api/agent/builtin/records.hpp"

namespace refusals_test {
using namespace recruiting;
using auth_api::agent::builtin::refusal_text;
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
    {"list_jobs", "Who is in the pipeline of “Backend Engineer”?"},
    {"get_job", "describe the job 0199c1a1c3d87f02b5a6e4d17c930f01"},
    {"search_candidates", "How many candidates do we have?"},
    {"search_candidates", "list candidates"},
    {"search_candidates", "find the candidate Anna Schmidt"},
    {"get_candidate", "find Anna Schmidt"},
    {"get_pipeline", "who is in the pipeline of 0199c1a1c3d87f02b5a6e4d17c930f01?"},
    {"get_pipeline", "how many candidates are in the interview stage of Backend Engineer?"},
    {"get_billing", "What plan are we on?"},
    {"search_audit", "who revoked a key?"},
    {"search_audit", "which requests failed today?"},
    {"list_api_keys", "list keys"},
    {"list_api_keys", "revoke warehouse"},
    {"revoke_api_key", "revoke the key warehouse-sync"},
});

std::string reply_when(question_of const& one, std::string const& result) {
    auto results = acme();
    std::erase_if(results, [&one](auto const& entry) { return entry.first.starts_with(one.tool); });
    results[std::string(one.tool)] = result;
    return play(one.prompt, results).reply;
}

} // namespace

TEST_CASE("a refusal is said, and nothing is made up", "[builtin]") {
    for (std::string const code : {"insufficient_scope", "insufficient_role", "not_found", "rate_limited",
                                   "service_unavailable", "invalid_request", "ip_not_allowed", "credential_revoked",
                                   "credential_expired", "invalid_credential", "odd"}) {
        for (auto const& one : questions) {
            CAPTURE(one.tool, one.prompt, code);
            CHECK(reply_when(one, R"({"error":{"code":")" + code + R"(","message":"m"}})") ==
                  refusal_text(one.tool, code));
        }
    }
}

TEST_CASE("a result that can't be read is no data", "[builtin]") {
    for (auto const& one : questions) {
        CAPTURE(one.tool, one.prompt);
        for (std::string const result :
             {"", "nonsense", "[]", "null", "{}", R"({"error":{}})", R"({"data":null})", R"({"da)"})
            CHECK(reply_when(one, result) == refusal_text(one.tool, "no_result"));
    }
}

TEST_CASE("refusals name what is missing", "[builtin]") {
    CHECK(refusal_text("search_audit", "insufficient_scope") == "Your key does not reach the audit log (audit:read).");
    CHECK(refusal_text("search_audit", "insufficient_role") ==
          "Your role does not reach the audit log (audit:read). Only admins of the organization may see this.");
    CHECK(refusal_text("list_members", "insufficient_role") == "Your role does not reach the members (members:read).");
    CHECK(refusal_text("get_billing", "service_unavailable") ==
          "I could not read the billing data (service_unavailable): please ask again later.");
    CHECK(refusal_text("unheard_of", "insufficient_scope") == "Your key does not reach that data.");
    CHECK(refusal_text("list_jobs", "not_offered") == "I have no access to the jobs here.");
}

TEST_CASE("a candidate is told without the titles of jobs that can't be read", "[builtin]") {
    auto results = acme();
    std::erase_if(results, [](auto const& entry) { return entry.first.starts_with("get_job"); });
    CHECK(play("find Anna Schmidt", results).reply.ends_with("\n- a job: Team interview (active), applied 2026-03-01"));
}

TEST_CASE("in the last round there are no tools, only an answer", "[builtin]") {
    std::vector<auth_api::agent::message> const messages{
        {auth_api::agent::message_role::user, "which jobs are open?", {}, {}, {}}};
    auto const said = auth_api::agent::builtin::respond({messages, {}, test::builtin_now()});
    CHECK(said.tool_calls.empty());
    CHECK(said.content == refusal_text("list_jobs", "last_round"));
    auto const other = std::to_array<auth_api::agent::tool_description>({{"get_job", "", "{}"}});
    CHECK(auth_api::agent::builtin::respond({messages, other, test::builtin_now()}).content ==
          refusal_text("list_jobs", "not_offered"));
}

} // namespace refusals_test
