// GET /agent/sessions/{id}: what a client polls, and a conversation read back (proto-docs/agent.md).
#include "core/ids.hpp"
#include "integration/auth_api/agent/sessions_harness.hpp"

namespace sessions_record_test {
using namespace recruiting;
using namespace recruiting::test;
using boost::json::value;

namespace {

std::string dashed(std::string const& id) { return to_dashed_string(*parse_id(id)); }

// The members of one value for each message, in the order shown.
std::vector<std::string> contents(value const& session) {
    std::vector<std::string> out;
    for (auto const& message : session.at("messages").as_array()) out.emplace_back(message.at("content").as_string());
    return out;
}

} // namespace

TEST_CASE("a completed session has its reply, runs and messages", "[agent_sessions]") {
    agent_sessions_fixture f;
    auto const ana = f.member("ana", role::recruiter);
    auto const id = f.session(ana, "Jobs", {.reply = "first", .started = "-2 minutes"});
    auto const last = f.add_run(id, {.reply = "second \"quoted\""});
    f.add_message(id, "user", "How many?");
    f.add_message(id, "assistant", "", R"([{"id":"call_1","name":"list_jobs","arguments":"{\"status\":\"open\"}"}])");
    f.add_message(id, "tool", R"({"data":[]})", "", "list_jobs");
    f.add_message(id, "assistant", "second \"quoted\"");
    auto const session = f.data("/" + id, ana);
    CHECK(session.at("status") == "completed");
    CHECK(session.at("reply") == "second \"quoted\"");
    CHECK_FALSE(session.as_object().contains("error"));
    CHECK_FALSE(session.as_object().contains("failedCorrelationId"));
    CHECK(session.at("runCount") == 2);
    CHECK(session.at("usage") == boost::json::parse(R"({"inputTokens":140,"outputTokens":14})"));
    CHECK(session.at("hasMoreMessages") == false);
    auto const& runs = session.at("runs").as_array();
    REQUIRE(runs.size() == 2);
    auto const& run = runs[1].as_object();
    CHECK(run.at("correlationId") == value(dashed(last)));
    CHECK(run.at("status") == "completed");
    CHECK(run.at("model") == "double");
    CHECK(run.at("startedAt").is_string());
    CHECK(run.at("finishedAt").is_string());
    CHECK(run.at("toolCallCount") == 2);
    CHECK(run.at("usage") == boost::json::parse(R"({"inputTokens":70,"outputTokens":7})"));
    CHECK(run.at("credentialId") == value(ana.credential_id));
    auto const& messages = session.at("messages").as_array();
    REQUIRE(messages.size() == 4);
    CHECK(messages[0].at("role") == "user");
    CHECK(messages[0].at("toolCalls").is_null());
    CHECK(messages[0].at("toolName").is_null());
    CHECK(messages[1].at("toolCalls").at(0).at("name") == "list_jobs");
    CHECK(messages[2].at("role") == "tool");
    CHECK(messages[2].at("toolName") == "list_jobs");
    CHECK(messages[3].at("content") == "second \"quoted\"");
}

TEST_CASE("a run in progress has no reply, when its lease runs out it reads as failed at once", "[agent_sessions]") {
    agent_sessions_fixture f;
    auto const ana = f.member("ana", role::recruiter);
    auto const id = f.session(ana, "Jobs", {.started = "-2 minutes"});
    auto const run = f.add_run(id, {.status = "in_progress"});
    auto const running = f.data("/" + id, ana);
    CHECK(running.at("status") == "in_progress");
    CHECK(running.at("reply").is_null());
    CHECK_FALSE(running.as_object().contains("error"));
    CHECK(running.at("runs").at(1).at("finishedAt").is_null());
    f.owner().script("UPDATE recruiting.agent_runs SET lease_expires_at = now() WHERE status = 'in_progress'");
    auto const died = f.data("/" + id, ana);
    CHECK(died.at("status") == "failed");
    CHECK(died.at("reply").is_null());
    CHECK(died.at("failedCorrelationId") == value(dashed(run)));
    CHECK(died.at("runs").at(0).at("status") == "completed");
    CHECK(died.at("runs").at(1).at("status") == "failed");
}

TEST_CASE("polling shows which run status and reply are of", "[agent_sessions]") {
    agent_sessions_fixture f;
    auto const ana = f.member("ana", role::recruiter);
    auto const id = f.session(ana, "Jobs", {.reply = "first", .started = "-3 minutes"});
    auto const first = std::string(f.data("/" + id, ana).at("correlationId").as_string());
    auto const second = dashed(f.add_run(id, {.status = "failed", .started = "-2 minutes"}));
    auto const third = dashed(f.add_run(id, {.status = "in_progress"}));
    auto const told = [&](std::string const& run) {
        auto const session = f.data("/" + id + (run.empty() ? "" : "?correlationId=" + run), ana);
        CHECK(session.at("runs").as_array().size() == 3);
        return std::vector<value>{session.at("correlationId"), session.at("status"), session.at("reply")};
    };
    // The session was resumed meanwhile: its last run is another one than the client's.
    CHECK(told("") == std::vector<value>{value(third), "in_progress", nullptr});
    CHECK(told(first) == std::vector<value>{value(first), "completed", "first"});
    CHECK(told(second) == std::vector<value>{value(second), "failed", nullptr});
    CHECK(told(third) == std::vector<value>{value(third), "in_progress", nullptr});
    auto const failed = f.data("/" + id + "?correlationId=" + second, ana);
    CHECK(failed.at("failedCorrelationId") == value(second));
    CHECK(failed.at("error") == "The agent run did not complete.");
    CHECK_FALSE(f.data("/" + id + "?correlationId=" + first, ana).as_object().contains("error"));

    auto const other = f.session(ana, "Others", {});
    CHECK(f.refused_field("/" + other + "?correlationId=" + first, ana) == "correlationId");
    CHECK(f.refused_field("/" + id + "?correlationId=x", ana) == "correlationId");
}

TEST_CASE("of many runs the latest 200 are shown", "[agent_sessions]") {
    agent_sessions_fixture f;
    auto const ana = f.member("ana", role::recruiter);
    auto const id = f.session(ana, "Long", {.started = "-1 day"});
    for (int n = 0; n < 200; ++n) f.add_run(id, {.started = std::to_string(n - 1000) + " seconds"});
    auto const session = f.data("/" + id, ana);
    CHECK(session.at("runCount") == 201);
    auto const& runs = session.at("runs").as_array();
    REQUIRE(runs.size() == 200);
    CHECK(runs.front().at("startedAt").as_string() < runs.back().at("startedAt").as_string());
}

TEST_CASE("an unknown, a malformed and another member's id are one identical 404, admins see it",
          "[agent_sessions][404]") {
    agent_sessions_fixture f;
    auto const admin = f.member("chief", role::admin);
    auto const ana = f.member("ana", role::recruiter);
    auto const ben = f.member("ben", role::recruiter);
    auto const id = f.session(ana, "Ana's");
    f.add_message(id, "user", "a secret plan");
    std::vector<std::string> bodies;
    for (auto const& path : {"/" + id, "/" + to_string(new_record_id()), "/" + dashed(id), std::string("/x")}) {
        auto const answer = f.get(path, ben);
        CHECK(answer.status == 404);
        auto error = boost::json::parse(answer.body).at("error");
        error.as_object().erase("requestId");
        bodies.push_back(boost::json::serialize(error));
    }
    CHECK(bodies == std::vector<std::string>(4, bodies[0]));
    CHECK(contents(f.data("/" + id, admin)) == std::vector<std::string>{"a secret plan"});
    f.set_role(admin, "hiring_manager");
    CHECK(f.get("/" + id, admin).status == 404);
    f.set_role(ana, "viewer");
    CHECK(f.get("/" + id, ana).status == 403);
}

} // namespace sessions_record_test
