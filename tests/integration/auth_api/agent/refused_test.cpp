// A refused invocation stores nothing, and its Idempotency-Key stays usable (proto-docs/agent.md).
#include "integration/auth_api/agent/system.hpp"
#include "support/catch.hpp"

#include <future>

namespace refused_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

void require_nothing_stored(agent_system& system) {
    REQUIRE(system.runs() == "0");
    REQUIRE(system.value("SELECT count(*) FROM recruiting.agent_sessions") == "0");
    REQUIRE(system.value("SELECT count(*) FROM recruiting.agent_messages") == "0");
    REQUIRE(system.model.requests().empty());
}

void require_key_usable(agent_system& system) {
    auto const run = system.invoke(*system.second, "How are you?", "one");
    REQUIRE(run.state == "completed");
    REQUIRE_FALSE(run.replay);
    REQUIRE(system.runs() == "1");
}

agent_answer post(agent_system const& system, std::string const& body, std::string const& lines = key_line("one")) {
    return read_invoke_answer(system.first->post("/agent/invoke", system.secret, body, lines));
}

} // namespace

TEST_CASE("a key together with a sessionId is refused and stores nothing", "[agent_idempotency]") {
    agent_system system;
    std::string const session(32, 'a');
    auto const refused = post(system, R"({"prompt":"How are you?","sessionId":")" + session + R"("})");
    REQUIRE(refused.status == 400);
    REQUIRE(refused.code == "invalid_request");
    require_nothing_stored(system);
    require_key_usable(system);
}

TEST_CASE("what is asked badly stores nothing", "[agent_idempotency]") {
    agent_system system;
    std::string const bodies[] = {"",
                                  "{",
                                  "[]",
                                  "{}",
                                  R"({"prompt":1})",
                                  R"({"prompt":""})",
                                  R"({"prompt":"a","promt":"b"})",
                                  R"({"prompt":"a\u0000"})"};
    for (auto const& body : bodies) {
        CAPTURE(body);
        auto const refused = post(system, body);
        REQUIRE(refused.status == 400);
        REQUIRE(refused.code == "invalid_request");
    }
    REQUIRE(post(system, prompt_body(std::string(32'001, 'x'))).status == 400);
    REQUIRE(post(system, prompt_body("a"), "Idempotency-Key: \r\n").status == 400);
    REQUIRE(post(system, prompt_body("a"), key_line(std::string(256, 'k'))).status == 400);
    REQUIRE(post(system, prompt_body("a"), key_line("one") + key_line("two")).status == 400);
    REQUIRE(post(system, prompt_body(std::string(300 * 1024, 'x'))).status == 413);
    require_nothing_stored(system);
    require_key_usable(system);
}

TEST_CASE("who may not invoke stores nothing", "[agent_idempotency]") {
    agent_system system;
    REQUIRE(system.invoke_as("", "How are you?", "one").status == 401);
    REQUIRE(system.invoke_as("sp_test_nonsense", "How are you?", "one").status == 401);
    auto const scopeless = make_key(system.database.owner(), system.slug, system.admin, {"*:read"}).secret;
    auto const refused = system.invoke_as(scopeless, "How are you?", "one");
    REQUIRE(refused.status == 403);
    REQUIRE(refused.code == "insufficient_scope");
    require_nothing_stored(system);
    require_key_usable(system);
}

TEST_CASE("an unknown session and another member's are the same 404", "[agent_idempotency]") {
    agent_system system;
    auto const theirs = system.invoke_as(system.key_of(role::recruiter), "How are you?");
    auto const unknown = system.resume(std::string(32, 'a'), "Hello?");
    auto const foreign = system.resume(theirs.session_id, "Hello?");
    REQUIRE(unknown.status == 404);
    REQUIRE(foreign.status == 404);
    REQUIRE(system.runs() == "1");
}

TEST_CASE("an organization with all its runs going on is told 429", "[agent_idempotency]") {
    agent_system system([](auth_api::settings& config) { config.agent.runs_per_organization = 1; });
    held_model model(system.model);
    auto running =
        std::async(std::launch::async, [&] { return system.invoke(*system.first, "How are you?", "other"); });
    REQUIRE(eventually([&] { return system.model.requests().size() == 1; }));
    auto const refused = system.invoke(*system.second, "How are you?", "one");
    REQUIRE(refused.status == 429);
    REQUIRE(refused.code == "rate_limited");
    REQUIRE_FALSE(refused.raw.header("retry-after").empty());
    // A repeat begins no run, so it is not counted.
    REQUIRE(system.invoke(*system.second, "How are you?", "other").state == "in_progress");
    model.release();
    REQUIRE(running.get().state == "completed");
    REQUIRE(system.runs() == "1");
    auto const run = system.invoke(*system.second, "How are you?", "one");
    REQUIRE(run.state == "completed");
    REQUIRE_FALSE(run.replay);
}

TEST_CASE("while the model server is away nothing begins", "[agent_idempotency]") {
    agent_system system;
    system.model.answer_models(model_answer::error(503));
    auto const refused = system.invoke(*system.first, "How are you?", "one");
    REQUIRE(refused.status == 503);
    REQUIRE(refused.code == "model_unavailable");
    REQUIRE_FALSE(refused.raw.header("retry-after").empty());
    require_nothing_stored(system);
    system.model.answer_models(model_answer{R"({"object":"list","data":[]})"});
    require_key_usable(system);
    REQUIRE(system.invoke(*system.first, "How are you?").status == 200);
}

TEST_CASE("a repeat is answered though the model server is away", "[agent_idempotency]") {
    agent_system system;
    auto const original = system.invoke(*system.first, "How are you?", "one");
    system.model.answer_models(model_answer::error(503));
    auto const replay = system.invoke(*system.second, "How are you?", "one");
    REQUIRE(replay.state == "completed");
    REQUIRE(replay.replay);
    REQUIRE(replay.reply == original.reply);
}

} // namespace refused_test
