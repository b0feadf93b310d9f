// Whatever a model server does, a run ends: completed or failed, never stuck, and what it used is counted
// (proto-docs/agent.md).
#include "integration/auth_api/agent/system.hpp"
#include "support/catch.hpp"

#include <vector>

namespace misbehaviour_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

void short_limits(auth_api::settings& config) {
    config.agent.round_limit = 4;
    config.agent.tool_call_limit = 5;
}

std::string stored(agent_system& system, std::string const& column) {
    return system.value("SELECT " + column + " FROM recruiting.agent_runs ORDER BY started_at DESC LIMIT 1");
}

model_answer hanging() {
    model_answer out;
    out.hangs = true;
    return out;
}

model_answer of_body(std::string body, unsigned status = 200) {
    model_answer out;
    out.body = std::move(body);
    out.status = status;
    return out;
}

} // namespace

TEST_CASE("a run that takes too long fails", "[agent_model]") {
    agent_system system([](auth_api::settings& config) { config.agent.run_timeout = std::chrono::milliseconds{300}; });
    system.model.answer(hanging());
    auto const answer = system.invoke(*system.first, "How are you?", "one");
    REQUIRE(answer.state == "failed");
    REQUIRE(system.invoke(*system.second, "How are you?", "one").failed_correlation_id == answer.failed_correlation_id);
}

TEST_CASE("a model that calls tools for ever is stopped by the round limit", "[agent_model]") {
    agent_system system(short_limits);
    system.model.answer(model_answer::call("get_organization", "{}"));
    REQUIRE(system.invoke(*system.first, "How are you?").state == "failed");
    REQUIRE(stored(system, "failure") == "round_limit");
    REQUIRE(system.model.requests().size() == 4);
    REQUIRE(stored(system, "tool_call_count") == "3");
    // Its last request offers no tools: only a text could come of it.
    REQUIRE(system.model.requests().at(2).body.find("\"tools\"") != std::string::npos);
    REQUIRE(system.model.requests().at(3).body.find("\"tools\"") == std::string::npos);
}

TEST_CASE("past the limit of tool calls a model is told so", "[agent_model]") {
    agent_system system(short_limits);
    std::string calls;
    for (int i = 0; i < 8; ++i)
        calls += std::string(i == 0 ? "" : ",") + R"({"id":"c)" + std::to_string(i) +
                 R"(","type":"function","function":{"name":"get_organization","arguments":"{}"}})";
    system.model.answer(
        {of_body(R"({"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[)" + calls + "]}}]}"),
         model_answer::text("Enough.")});
    auto const answer = system.invoke(*system.first, "How are you?");
    REQUIRE(answer.state == "completed");
    REQUIRE(answer.reply == "Enough.");
    REQUIRE(stored(system, "tool_call_count") == "5");
    REQUIRE(system.value("SELECT count(*) FROM recruiting.agent_messages WHERE role = 'tool'") == "8");
    REQUIRE(system.value(
                "SELECT count(*) FROM recruiting.agent_messages WHERE content LIKE '%used up its tool calls%'") == "3");
}

TEST_CASE("unknown tools and bad arguments are results for the model", "[agent_model]") {
    agent_system system;
    system.model.answer({model_answer::call("format_disk", "{}"), model_answer::call("get_job", "[1"),
                         model_answer::call("get_job", R"({"id":7})"), model_answer::text("I could not.")});
    auto const answer = system.invoke(*system.first, "How are you?");
    REQUIRE(answer.state == "completed");
    REQUIRE(answer.reply == "I could not.");
    REQUIRE(system.value("SELECT count(*) FROM recruiting.agent_messages WHERE role = 'tool' AND "
                         "content LIKE '{\"error\":%'") == "3");
}

TEST_CASE("a model's thoughts are not sent, not stored and not given back to it", "[agent_model]") {
    agent_system system;
    system.model.answer(
        {of_body(R"({"choices":[{"message":{"content":"<think>secretly</think>I look.","reasoning_content":"secretly",)"
                 R"("tool_calls":[{"id":"x","function":{"name":"get_organization","arguments":"{}"}}]}}]})"),
         model_answer::text("secretly\n</think>\n\nThree jobs are open.")});
    auto const answer = system.invoke(*system.first, "How many jobs are open?");
    REQUIRE(answer.state == "completed");
    REQUIRE(answer.reply == "Three jobs are open.");
    REQUIRE(system.session(*system.first, answer.session_id).raw.body.find("secretly") == std::string::npos);
    REQUIRE(system.value("SELECT count(*) FROM recruiting.agent_messages WHERE content LIKE '%secretly%'") == "0");
    REQUIRE(system.value("SELECT count(*) FROM audit_rows WHERE audit_rows::text LIKE '%secretly%'") == "0");
    REQUIRE(system.resume(answer.session_id, "And now?").state == "completed");
    REQUIRE(system.model.requests().size() == 3);
    for (auto const& request : system.model.requests()) REQUIRE(request.body.find("secretly") == std::string::npos);
}

TEST_CASE("a thought that was cut off and a tool call in the text fail a run, each with its reason", "[agent_model]") {
    agent_system system;
    system.model.answer(model_answer::text("<think>\nthey ask for"));
    auto const cut = system.invoke(*system.first, "How many jobs are open?", "one");
    REQUIRE(cut.state == "failed");
    REQUIRE_FALSE(cut.reply);
    REQUIRE(stored(system, "failure") == "empty_answer");
    system.model.answer(model_answer::text("<tool_call>{\"name\":\"list_jobs\",\"arguments\":{}}</tool_call>"));
    REQUIRE(system.invoke(*system.first, "How many jobs are open?", "two").state == "failed");
    REQUIRE(stored(system, "failure") == "tool_parser_missing");
    REQUIRE(stored(system, "input_tokens || '/' || output_tokens || '/' || tool_call_count") == "10/5/0");
    REQUIRE(system.value("SELECT count(*) FROM audit_rows WHERE action = 'agent.run_failed' "
                         "AND error_code = 'tool_parser_missing'") == "1");
}

TEST_CASE("what a run used is counted once, in its session and in billing, however it ended", "[agent_model]") {
    agent_system system(short_limits);
    system.model.answer({model_answer::call("get_organization", "{}"), model_answer::text("Fine.")});
    auto const done = system.invoke(*system.first, "How are you?", "one");
    REQUIRE(system.invoke(*system.second, "How are you?", "one").replay);
    auto const session = [&](std::string const& column) {
        return system.value("SELECT " + column +
                            " FROM recruiting.agent_sessions WHERE replace(id::text, '-', '') = '" + done.session_id +
                            "'");
    };
    REQUIRE(session("input_tokens || '/' || output_tokens") == "20/10");
    system.model.answer({model_answer::call("get_organization", "{}"), of_body("{}", 500)});
    REQUIRE(system.resume(done.session_id, "And now?").state == "failed");
    REQUIRE(session("input_tokens || '/' || output_tokens") == "30/15");
    REQUIRE(session("run_count || '/' || message_count") == "2/7");
    REQUIRE(system.value("SELECT count(*) || '/' || sum(input_tokens) || '/' || sum(output_tokens) "
                         "FROM recruiting.usage_records WHERE kind = 'agent_run'") == "2/30/15");
    auto const billing = system.first->get("/billing", system.secret);
    REQUIRE(billing.status == 200);
    REQUIRE(billing.body.find(R"("agentRuns":2,"agentInputTokens":30,"agentOutputTokens":15)") != std::string::npos);
}

} // namespace misbehaviour_test
