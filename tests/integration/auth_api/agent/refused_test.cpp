// A refused invocation stores nothing, and its Idempotency-Key stays usable (proto-docs/agent.md).
#include "integration/auth_api/agent/system.hpp"
#include "support/catch.hpp"

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

} // namespace

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
