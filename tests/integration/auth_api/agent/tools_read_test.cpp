// The agent's reading tools give what the endpoints give, to the same key at the same moment, and leave a row each.
#include "integration/auth_api/agent/tools_harness.hpp"
#include "support/catch.hpp"

#include <boost/json.hpp>
#include <set>

namespace tools_read_test {
using namespace recruiting;
using namespace recruiting::test;
namespace json = boost::json;

namespace {

struct pair {
    std::string tool;
    std::string arguments;
    std::string path;
};

std::vector<pair> pairs(agent_organization const& o) {
    auto const id = [](std::string const& name, std::string const& value) {
        return R"({")" + name + R"(":")" + value + R"("})";
    };
    return {
        {"get_organization", "{}", "/organization"},
        {"list_members", "{}", "/members"},
        {"list_members", R"({"role":"recruiter","limit":"1"})", "/members?role=recruiter&limit=1"},
        {"list_jobs", "{}", "/jobs"},
        {"list_jobs", R"({"status":"open","sort":"title"})", "/jobs?status=open&sort=title"},
        {"list_jobs", R"({"externalId":"job-1"})", "/jobs?externalId=job-1"},
        {"search_candidates", R"({"externalId":"candidate-1"})", "/candidates?externalId=candidate-1"},
        {"get_job", id("jobId", o.own_job), "/jobs/" + o.own_job},
        {"get_job", id("jobId", "nothing"), "/jobs/nothing"},
        {"search_candidates", "{}", "/candidates"},
        {"search_candidates", R"({"q":"person own"})", "/candidates?q=person+own"},
        {"search_candidates", id("stageId", o.stage), "/candidates?stageId=" + o.stage},
        {"get_candidate", id("candidateId", o.candidate), "/candidates/" + o.candidate},
        {"get_pipeline", id("jobId", o.own_job), "/pipeline?jobId=" + o.own_job},
        {"get_pipeline", id("jobId", o.other_job), "/pipeline?jobId=" + o.other_job},
        {"get_billing", "{}", "/billing"},
        {"list_jobs", R"({"limit":500})", "/jobs?limit=500"},
    };
}

// Errors name the request they belong to, and where its problems lie.
std::string comparable(std::string const& body) {
    auto value = json::parse(body);
    if (auto* const error = value.as_object().if_contains("error")) {
        error->as_object().erase("requestId");
        for (auto& detail : error->at("details").as_array()) detail.as_object().erase("location");
    }
    return json::serialize(value);
}

std::string code_of(std::string const& content) {
    return std::string(json::parse(content).at("error").at("code").as_string());
}

} // namespace

TEST_CASE("a tool answers what its endpoint answers, whatever the key and the role", "[agent_tools]") {
    agent_organization o;
    auth_api_harness const service(o.database.auth_url());
    std::vector<std::string> secrets;
    for (auto const held : {role::admin, role::recruiter, role::hiring_manager, role::interviewer, role::viewer}) {
        secrets.push_back(o.key(held));
        secrets.push_back(o.key(held, {"organization:read", "candidates:read"}));
        secrets.push_back(o.key(held, {"agents:invoke"}));
    }
    for (auto const& secret : secrets)
        for (auto const& [tool, arguments, path] : pairs(o)) {
            INFO(tool << " " << arguments);
            auto const answer = service.get(path, secret);
            auto const result = o.call(o.begin_run(secret), tool, arguments);
            REQUIRE(comparable(result.content) == comparable(answer.body));
            REQUIRE(result.failed == (answer.status != 200));
        }
}

TEST_CASE("the audit log is searched by admins only", "[agent_tools]") {
    agent_organization o;
    auto const found = json::parse(o.ask(o.key(role::admin), "search_audit", R"({"action":"key.created","limit":1})"));
    REQUIRE(found.at("data").as_array().size() == 1);
    REQUIRE(found.at("page").at("hasMore") == false);
    REQUIRE(code_of(o.ask(o.key(role::recruiter), "search_audit")) == "insufficient_role");
}

TEST_CASE("a hiring manager's agent sees the candidates of their own jobs only", "[agent_tools]") {
    agent_organization o;
    auto const secret = o.key(role::hiring_manager);
    auto const seen = json::parse(o.ask(secret, "search_candidates")).at("data").as_array();
    REQUIRE(seen.size() == 1);
    REQUIRE(seen[0].at("id").as_string() == o.candidate);
    REQUIRE(code_of(o.ask(secret, "get_pipeline", R"({"jobId":")" + o.other_job + R"("})")) == "not_found");
}

TEST_CASE("what happens to the owner or the key between two calls of a run holds for the second", "[agent_tools]") {
    agent_organization o;
    auto const run = o.begin_run(o.key(role::recruiter));
    auto const outcome = [&] {
        auto const result = o.call(run, "search_candidates");
        return result.failed ? code_of(result.content) : "ok";
    };
    REQUIRE(outcome() == "ok");
    o.set_role(o.email(role::recruiter), role::viewer);
    REQUIRE(outcome() == "insufficient_role");
    o.set_role(o.email(role::recruiter), role::recruiter);
    REQUIRE(outcome() == "ok");
    auto const key = pg::params{}.id(run.principal.credential_id);
    o.database.owner().run("UPDATE recruiting.api_keys SET allowed_ips = '{198.51.100.0/24}' WHERE id = $1", key);
    REQUIRE(outcome() == "ip_not_allowed");
    o.database.owner().run("UPDATE recruiting.api_keys SET revoked_at = now() WHERE id = $1", key);
    REQUIRE(outcome() == "credential_revoked");
    o.database.owner().run("UPDATE recruiting.api_keys SET secret_hash = sha256('other') WHERE id = $1", key);
    REQUIRE(outcome() == "invalid_credential");
    REQUIRE(o.audited("action = 'agent.tool_call' AND error_code = 'invalid_credential' AND credential_id = '" +
                      to_string(run.principal.credential_id) + "'") == 1);
}

TEST_CASE("arguments that make no sense, and tools that do not exist, are answered for the model to read",
          "[agent_tools]") {
    agent_organization o;
    auto const secret = o.key(role::admin);
    auto const refused = json::parse(o.ask(secret, "list_jobs", R"({"limit":0,"cursor":"x"})")).at("error");
    REQUIRE(refused.at("code") == "invalid_request");
    REQUIRE(refused.at("details").at(0).at("location") == "arguments");
    REQUIRE(code_of(o.ask(secret, "list_jobs", "not json")) == "invalid_request");
    REQUIRE(code_of(o.ask(secret, "drop_tables")) == "not_found");
    REQUIRE(o.audited("target_id = 'drop_tables'") == 0);
    REQUIRE(o.audited("target_id = 'unknown' AND status_code = 404 AND endpoint IS NULL") == 1);
}

TEST_CASE("each call leaves a row that tells who, which tool, and of which run", "[agent_tools]") {
    agent_organization o;
    auto const run = o.begin_run(o.key(role::hiring_manager, {"jobs:read"}));
    auto const sent = R"({"jobId":")" + o.own_job + R"("})";
    REQUIRE_FALSE(o.call(run, "get_job", sent).failed);
    REQUIRE(o.call(run, "get_billing").failed);
    auto const of_run = "actor_type = 'agent' AND action = 'agent.tool_call' AND target_type = 'tool' AND actor_role = "
                        "'hiring_manager' AND actor_email = '" +
                        o.email(role::hiring_manager) + "' AND actor_member_id = '" +
                        to_string(run.principal.member_id) + "' AND credential_id = '" +
                        to_string(run.principal.credential_id) + "' AND session_id = '" + to_string(run.session_id) +
                        "' AND correlation_id = '" + to_string(run.run_id) + "' AND request_id = '" + run.request_id +
                        "' AND host(ip_address) = '192.0.2.7' AND user_agent = 'tests/1' AND duration_ms >= 0 AND "
                        "path IS NULL AND method IS NULL AND ";
    REQUIRE(o.audited(of_run + "target_id = 'get_job' AND endpoint = '/api/v1/jobs/{id}' AND success AND "
                               "status_code = 200 AND required_scope = 'jobs:read' AND error_code IS NULL") == 1);
    REQUIRE(o.audited(of_run + "target_id = 'get_billing' AND endpoint = '/api/v1/billing' AND NOT success AND "
                               "status_code = 403 AND error_code = 'insufficient_scope'") == 1);
    REQUIRE(o.tools.metrics.render().find(R"(recruiting_agent_tool_calls_total{tool="get_job",outcome="ok"} 1)") !=
            std::string::npos);
}

TEST_CASE("a list too long to show ends at a row, and its cursor goes on there", "[agent_tools]") {
    auth_api::agent::agent_settings settings;
    settings.tool_result_limit = 4096;
    agent_organization o(settings);
    o.database.owner().run(
        "INSERT INTO recruiting.candidates (id, organization_id, name, current_title) "
        "SELECT gen_random_uuid(), $1, 'Crowd ' || n, repeat('t', 200) FROM generate_series(1, 60) n",
        pg::params{}.id(o.organization.id));
    auto const secret = o.key(role::admin);
    std::set<std::string> seen;
    std::string cursor;
    do {
        auto const arguments = R"({"q":"crowd")" + (cursor.empty() ? "" : R"(,"cursor":")" + cursor + '"') + "}";
        auto const content = o.ask(secret, "search_candidates", arguments);
        REQUIRE(content.size() <= 4096);
        auto const page = json::parse(content);
        for (auto const& row : page.at("data").as_array()) REQUIRE(seen.emplace(row.at("id").as_string()).second);
        auto const& next = page.at("page").at("nextCursor");
        REQUIRE(page.at("page").at("hasMore") == next.is_string());
        cursor = next.is_string() ? std::string(next.as_string()) : std::string();
    } while (!cursor.empty());
    REQUIRE(seen.size() == 60);
}

TEST_CASE("a record too long to show is cut and stays JSON", "[agent_tools]") {
    agent_organization o;
    o.database.owner().run("UPDATE recruiting.jobs SET description_text = repeat('\"é\n', 30000)");
    auto const content = o.ask(o.key(role::admin), "get_job", R"({"jobId":")" + o.own_job + R"("})");
    REQUIRE(content.size() <= 32 * 1024);
    REQUIRE(content.size() > 8 * 1024);
    auto const job = json::parse(content);
    REQUIRE(job.at("truncated") == true);
    REQUIRE(job.at("data").at("title") == "Own");
}

} // namespace tools_read_test
