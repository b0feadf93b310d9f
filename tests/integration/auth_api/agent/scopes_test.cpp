// What a run's tools have read is told again only to a caller who may still read it (proto-docs/agent.md): replays of
// an Idempotency-Key, and sessions that are resumed.
#include "integration/auth_api/agent/system.hpp"
#include "support/catch.hpp"

#include <boost/json.hpp>
#include <future>

namespace scopes_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

constexpr auto applied = "Ada has applied.";

// A run of the admin's widest key that has read candidates.
agent_answer ask_for_candidates(agent_system& system, std::string const& key = {}) {
    system.model.answer({model_answer::call("search_candidates", "{}"), model_answer::text(applied),
                         model_answer::text("I can't tell.")});
    auto answer = system.invoke(*system.first, "Who has applied?", key);
    REQUIRE(answer.reply == applied);
    return answer;
}

// Of a refusal: "field reason" and the scope that its message ends with.
std::vector<std::string> details(agent_answer const& refused) {
    std::vector<std::string> out;
    auto const body = boost::json::parse(refused.raw.body);
    for (auto const& detail : body.at("error").at("details").as_array()) {
        std::string message(detail.at("message").as_string());
        message.pop_back();
        out.push_back(std::string(detail.at("field").as_string()) + " " +
                      message.substr(message.find_last_of(' ') + 1));
    }
    return out;
}

using texts = std::vector<std::string>;

void set_admin_role(agent_system& system, std::string const& held) {
    system.database.owner().run(
        "UPDATE recruiting.memberships m SET role = $1 FROM recruiting.users u WHERE u.id = m.user_id AND m.email = $2",
        pg::params{}.text(held).text(system.admin));
}

std::string tool_scopes(agent_system& system) {
    return system.value("SELECT array_to_string(tool_scopes, ' ') FROM recruiting.agent_runs ORDER BY id LIMIT 1");
}

} // namespace

TEST_CASE("a reply read with the role of a recruiter is not shown again to a hiring manager", "[agent_scopes]") {
    agent_system system;
    auto const wide = GENERATE(role::admin, role::recruiter);
    set_admin_role(system, std::string(to_string(wide)));
    auto const read = ask_for_candidates(system, "daily-1");
    set_admin_role(system, "recruiter"); // sees the same candidates
    REQUIRE(system.invoke(*system.second, "Who has applied?", "daily-1").reply == applied);
    set_admin_role(system, "hiring_manager");
    auto const refused = system.invoke(*system.second, "Who has applied?", "daily-1");
    REQUIRE(refused.status == 403);
    REQUIRE(refused.code == "insufficient_role");
    REQUIRE(details(refused) == texts{"role recruiter"});
    REQUIRE(refused.raw.body.find("Ada") == std::string::npos);
    auto const resumed = system.resume(read.session_id, "Who was that?");
    REQUIRE(resumed.status == 403);
    REQUIRE(resumed.code == "insufficient_role");
    REQUIRE(system.runs() == "1");
    REQUIRE(system.model.requests().size() == 2);
    set_admin_role(system, "recruiter");
    REQUIRE(system.resume(read.session_id, "Who was that?").state == "completed");
}

TEST_CASE("a hiring manager's own runs are theirs to repeat and to resume, with every later role", "[agent_scopes]") {
    agent_system system;
    set_admin_role(system, "hiring_manager");
    auto const read = ask_for_candidates(system, "one");
    REQUIRE(system.invoke(*system.first, "Who has applied?", "one").reply == applied);
    set_admin_role(system, "recruiter");
    REQUIRE(system.invoke(*system.first, "Who has applied?", "one").reply == applied);
    set_admin_role(system, "hiring_manager");
    REQUIRE(system.resume(read.session_id, "Who was that?").state == "completed");
}

TEST_CASE("the API keys that an admin's run listed are not shown again to a recruiter", "[agent_scopes]") {
    agent_system system;
    std::string const tool = GENERATE("list_api_keys", "revoke_api_key");
    system.model.answer({model_answer::call(tool, tool == "list_api_keys" ? "{}" : R"({"name":"ghost"})"),
                         model_answer::text("There are two keys.")});
    REQUIRE(system.invoke(*system.first, "Which keys are there?", "one").reply == "There are two keys.");
    set_admin_role(system, "recruiter");
    auto const refused = system.invoke(*system.first, "Which keys are there?", "one");
    REQUIRE(refused.code == "insufficient_role");
    REQUIRE(details(refused) == texts{"role admin"});
    system.model.answer({model_answer::call(tool, tool == "list_api_keys" ? "{}" : R"({"name":"ghost"})"),
                         model_answer::text("You have one key.")});
    REQUIRE(system.invoke(*system.first, "Which keys have I?", "two").reply == "You have one key.");
    set_admin_role(system, "hiring_manager");
    REQUIRE(system.invoke(*system.first, "Which keys have I?", "two").reply == "You have one key.");
}

TEST_CASE("what every role reads in full is shown again after any change of the role", "[agent_scopes]") {
    agent_system system;
    system.model.answer({model_answer::call("list_jobs", "{}"), model_answer::text("No jobs.")});
    REQUIRE(system.invoke(*system.first, "Which jobs?", "one").reply == "No jobs.");
    set_admin_role(system, "hiring_manager");
    REQUIRE(system.invoke(*system.first, "Which jobs?", "one").reply == "No jobs.");
}

TEST_CASE("a run that has no reply is told to its key whatever its tools have read", "[agent_scopes]") {
    agent_system system;
    system.model.answer({model_answer::call("get_billing", "{}"), model_answer::error(500)});
    auto const failed = system.invoke(*system.first, "Which plan?", "one");
    REQUIRE(failed.state == "failed");
    REQUIRE(tool_scopes(system) == "billing:read");
    set_admin_role(system, "recruiter");
    REQUIRE(system.invoke(*system.first, "Which plan?", "one").failed_correlation_id == failed.failed_correlation_id);
}

TEST_CASE("the interviewers of a candidate ask for members:read when the session is resumed", "[agent_scopes]") {
    agent_system system;
    system.model.answer({model_answer::call("get_candidate", R"({"candidateId":"0199c1a1c3d87f02b5a6e4d17c930f58"})"),
                         model_answer::text("Unknown."), model_answer::text("Still unknown.")});
    system.database.owner().run("INSERT INTO recruiting.candidates (id, organization_id, name) SELECT "
                                "'0199c1a1c3d87f02b5a6e4d17c930f58', id, 'Ada' FROM recruiting.organizations");
    auto const begun = system.invoke(*system.first, "Who interviews Ada?");
    auto const narrow = system.admin_key({"agents:invoke"});
    auto const refused = system.resume_as(narrow, begun.session_id, "Who?");
    REQUIRE(details(refused) == texts{"scope members:read", "scope candidates:read"});
    REQUIRE(refused.raw.header("www-authenticate") ==
            R"(Bearer error="insufficient_scope", scope="members:read candidates:read")");
    auto const half = system.admin_key({"agents:invoke", "members:read"});
    REQUIRE(details(system.resume_as(half, begun.session_id, "Who?")) == texts{"scope candidates:read"});
}

TEST_CASE("the names in a pipeline ask for candidates:read and members:read when the session is resumed",
          "[agent_scopes]") {
    agent_system system;
    system.database.owner().run(
        "INSERT INTO recruiting.jobs (id, organization_id, title, status) SELECT "
        "'0199c1a1c3d87f02b5a6e4d17c930f58', id, 'Welder', 'open' FROM recruiting.organizations");
    auto const asked_with = [&](std::string const& secret) {
        system.model.answer({model_answer::call("get_pipeline", R"({"jobId":"0199c1a1c3d87f02b5a6e4d17c930f58"})"),
                             model_answer::text("Nobody."), model_answer::text("Still nobody.")});
        return system.invoke_as(secret, "Who interviews whom?").session_id;
    };
    auto const pipeline = system.admin_key({"agents:invoke", "pipeline:read"});
    auto const candidates = system.admin_key({"agents:invoke", "pipeline:read", "candidates:read"});
    auto const named = asked_with(system.secret);
    REQUIRE(details(system.resume_as(pipeline, named, "Who?")) == texts{"scope members:read", "scope candidates:read"});
    REQUIRE(details(system.resume_as(candidates, named, "Who?")) == texts{"scope members:read"});
    auto const half = asked_with(candidates);
    REQUIRE(details(system.resume_as(pipeline, half, "Who?")) == texts{"scope candidates:read"});
    auto const nameless = asked_with(pipeline);
    REQUIRE(system.resume_as(pipeline, nameless, "Who?").reply == "Still nobody.");
}

TEST_CASE("a tool that was refused has used no scope", "[agent_scopes]") {
    agent_system system;
    auto const narrow = system.admin_key({"agents:invoke"});
    system.model.answer({model_answer::call("search_candidates", "{}"), model_answer::text("I may not.")});
    auto const asked = system.invoke_as(narrow, "Who has applied?", "one");
    REQUIRE(tool_scopes(system).empty());
    REQUIRE(system.invoke_as(narrow, "Who has applied?", "one").reply == "I may not.");
    REQUIRE(system.resume_as(narrow, asked.session_id, "Why?").state == "completed");
}

TEST_CASE("a run that dies keeps the scopes that its tools used", "[agent_scopes]") {
    agent_system system;
    model_answer silent;
    silent.hangs = true;
    system.model.answer({model_answer::call("search_candidates", "{}"), silent, model_answer::text("I can't tell.")});
    system.first->post_and_leave("/agent/invoke", system.secret, prompt_body("Who has applied?"), key_line("one"),
                                 [&] { return system.model.requests().size() == 2; });
    REQUIRE(tool_scopes(system) == "candidates:read");
    system.expire_leases();
    REQUIRE(system.run_ends_as("failed"));
    auto const session = system.value("SELECT replace(id::text, '-', '') FROM recruiting.agent_sessions");
    auto const narrow = system.admin_key({"agents:invoke"});
    REQUIRE(system.resume_as(narrow, session, "Who?").status == 403);
}

} // namespace scopes_test
