// Which tools the built-in responder calls for jobs, members, the organization, keys, billing and the audit log.
#include "unit/auth_api/agent/builtin/prompts.hpp"

using namespace recruiting;
using test::acme;
using test::check_calls;
using test::play;

namespace {

std::string const ada = "list_members {\"limit\":90}\nsearch_audit {\"memberId\":\"m1\",";
std::string const today = R"("occurredAfter":"2026-03-18T00:00:00.000Z","occurredBefore":"2026-03-19T00:00:00.000Z",)";

} // namespace

TEST_CASE("prompts about lists of jobs", "[responder]") {
    check_calls({
        {R"(list_jobs {"status":"open","limit":30})",
         {"Which jobs are open?",
          "how many open jobs are there?",
          "open positions",
          "are we hiring?",
          "jobs",
          "jobs in Berlin",
          "open jobs in the Engineering department",
          "engineering jobs",
          "remote jobs",
          "how many jobs by department",
          "jobs per location",
          "any open jobs for nurses?",
          "what's open?",
          "what positions are we hiring for",
          "Is there a job in Munich?",
          "Welche Stellen sind offen?",
          "offene Stellen in Berlin",
          "Quels postes sont ouverts ?",
          "¿Qué puestos están abiertos?",
          "Please list all open jobs.",
          "show me all open engineering positions in Berlin",
          "vacancies"}},
        {R"(list_jobs {"limit":30})", {"list all jobs", "how many jobs are there in all? All jobs."}},
        {R"(list_jobs {"status":"draft","limit":30})", {"show draft jobs", "which jobs are drafts?"}},
        {R"(list_jobs {"status":"on_hold","limit":30})", {"Which jobs are on hold?"}},
        {R"(list_jobs {"status":"closed","limit":30})", {"how many closed jobs"}},
        {R"(list_jobs {"status":"archived","limit":30})", {"list archived positions"}},
        {R"(list_jobs {"published":true,"limit":30})", {"published jobs", "which jobs are on the careers page?"}},
        {R"(list_jobs {"status":"open","published":true,"limit":30})", {"which open jobs are published?"}},
    });
}

TEST_CASE("prompts about members and the organization", "[responder]") {
    check_calls({
        {R"(list_members {"limit":90})",
         {"List the members", "how many members do we have?", "who is on the team", "Liste der Mitglieder",
          "how many users by role?", "members by role", "is Ada an admin?", "what role does Ada Evans have?",
          "find the member Ada"}},
        {R"(list_members {"role":"admin","limit":90})",
         {"Who are the admins?", "list administrators", "how many admins?"}},
        {R"(list_members {"role":"recruiter","limit":90})", {"how many recruiters do we have"}},
        {R"(list_members {"role":"hiring_manager","limit":90})", {"show the hiring managers"}},
        {R"(list_members {"role":"interviewer","limit":90})", {"who are our interviewers?"}},
        {"get_organization {}",
         {"what is our time zone?", "what's our website", "what is the name of the company",
          "tell me about our organization", "which country is the organization in", "what is our organization id",
          "what company is this", "organization", "how many members and open jobs does the organization have?"}},
    });
}

TEST_CASE("prompts about keys and billing", "[responder]") {
    check_calls({
        {"list_api_keys {}",
         {"List the API keys", "show my keys", "which keys have expired?", "which keys expire next?",
          "when does the key warehouse-sync expire?", "when was the warehouse-sync key last used",
          "how many API keys are there?", "who owns the key CI?", "which keys are active?", "keys",
          "what scopes does the key “warehouse-sync” have?"}},
        {R"(list_api_keys {"includeRevoked":true})", {"Which keys were revoked?", "list revoked api keys"}},
        {"get_billing {}",
         {"What plan are we on?", "how much do we pay?", "usage", "how many tokens did the agent use?",
          "how many seats are left?", "show me the invoices", "what's our bill", "subscription status",
          "how much have we used this month?"}},
    });
}

TEST_CASE("prompts about the audit log", "[responder]") {
    check_calls({
        {R"(search_audit {"limit":20})",
         {"show the audit log", "recent activity", "audit", "who accessed the audit log?"}},
        {R"(search_audit {"action":"key.revoked","limit":20})", {"Who revoked a key?", "when was a key revoked?"}},
        {R"(search_audit {"action":"key.created","limit":20})", {"who created an API key?", "which keys were added?"}},
        {R"(search_audit {"action":"member.added","limit":20})",
         {"who was added as a member?", "who created the member?"}},
        {R"(search_audit {"action":"member.removed","limit":20})", {"who removed a member?"}},
        {R"(search_audit {"action":"member.role_changed","limit":20})",
         {"who changed roles?", "who was promoted?", "when were roles changed?"}},
        {R"(search_audit {"occurredAfter":"2026-03-16T00:00:00.000Z","action":"key.revoked","limit":20})",
         {"Who revoked a key this week?"}},
        {R"(search_audit {"occurredAfter":"2026-03-01T00:00:00.000Z","action":"key.created","limit":20})",
         {"who created keys this month?", "which keys were created since 2026-03-01?"}},
        {ada + R"("occurredAfter":"2026-03-17T00:00:00.000Z","occurredBefore":"2026-03-18T00:00:00.000Z","limit":20})",
         {"What did ada@acme.example do yesterday?", "what did Ada do on 2026-03-17?"}},
        {ada + R"("occurredAfter":"2026-03-15T15:30:00.000Z","limit":20})",
         {"what did Ada Evans do in the last 3 days?", "show everything Ada did in the past three days"}},
        {ada + R"("limit":20})", {"audit log of ada@acme.example", "show me the activity of Ada Evans"}},
        {"search_audit {" + today + R"("limit":20})", {"what happened today?", "what did I do today?"}},
        {R"(search_audit {"success":false,)" + today + R"("limit":20})",
         {"which requests failed today?", "errors today"}},
        {R"(search_audit {"success":false,)" + today + R"("limit":50})", {"how many requests were refused today?"}},
        {R"(search_audit {"success":false,"occurredAfter":"2026-03-17T15:30:00.000Z","limit":20})",
         {"failed requests in the last 24 hours"}},
        {"list_api_keys {\"includeRevoked\":true}\nsearch_audit {\"credentialId\":\"k2\"," + today + R"("limit":20})",
         {"what did the key CI do today?"}},
        {"list_api_keys {\"includeRevoked\":true}\nsearch_audit {\"action\":\"key.revoked\",\"limit\":20}",
         {"who revoked the key CI?"}},
    });
    for (auto const prompt : {"last changes", "show me the latest changes", "what were the changes?"})
        CHECK(play(prompt, acme()).calls.size() == 6);
}
