// Runs whose process dies, is paused or goes down, and clients that leave (proto-docs/agent.md).
#include "integration/auth_api/agent/system.hpp"
#include "support/catch.hpp"

#include <future>

namespace dying_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

constexpr auto told = "The agent run did not complete.";

std::string run_id(agent_system& system) { return system.value("SELECT id FROM recruiting.agent_runs"); }

void require_failed_for_ever(agent_system& system, std::string const& prompt, std::string const& key) {
    auto const id = run_id(system);
    for (auto const* instance : {system.first.get(), system.second.get(), system.first.get()}) {
        auto const again = system.invoke(*instance, prompt, key);
        REQUIRE(again.state == "failed");
        REQUIRE(again.replay);
        REQUIRE_FALSE(again.reply);
        REQUIRE(again.error == told);
        REQUIRE(again.failed_correlation_id == id);
        auto const session = system.session(*instance, again.session_id);
        REQUIRE(session.state == "failed");
        REQUIRE(session.error == told);
        REQUIRE(session.failed_correlation_id == id);
    }
    REQUIRE(system.runs() == "1");
}

} // namespace

TEST_CASE("a run whose lease ran out is failed for ever, whatever its process still does", "[agent_idempotency]") {
    agent_system system;
    held_model model(system.model);
    auto running = std::async(std::launch::async, [&] { return system.invoke(*system.first, "How are you?", "one"); });
    REQUIRE(eventually([&] { return system.model.requests().size() == 1; }));
    system.expire_leases();
    REQUIRE(system.run_ends_as("failed"));
    model.release(); // it answers, too late
    auto const first_told = running.get();
    REQUIRE(first_told.state == "failed");
    REQUIRE_FALSE(first_told.replay);
    REQUIRE(first_told.failed_correlation_id == run_id(system));
    require_failed_for_ever(system, "How are you?", "one");
    REQUIRE(system.model.requests().size() == 1);
    REQUIRE(system.value("SELECT count(*) FROM recruiting.agent_messages WHERE role = 'assistant'") == "0");
}

TEST_CASE("a repeat fails a run whose lease ran out though nothing reaps", "[agent_idempotency]") {
    agent_system system([](auth_api::settings& config) { config.workers = false; });
    held_model model(system.model);
    auto running = std::async(std::launch::async, [&] { return system.invoke(*system.first, "How are you?", "one"); });
    REQUIRE(eventually([&] { return system.model.requests().size() == 1; }));
    system.expire_leases();
    REQUIRE(system.invoke(*system.second, "How are you?", "one").state == "failed");
    model.release();
    static_cast<void>(running.get());
    require_failed_for_ever(system, "How are you?", "one");
}

TEST_CASE("the run of a process that died is failed although the server's clock was set back", "[agent_idempotency]") {
    agent_system system([](auth_api::settings& config) { config.agent.lease = std::chrono::milliseconds{1'000}; });
    held_model const model(system.model);
    system.second->post_and_leave("/agent/invoke", system.secret, prompt_body("How are you?"), key_line("one"),
                                  [&] { return system.model.requests().size() == 1; });
    system.second.reset();
    system.database.owner().run(
        "UPDATE recruiting.agent_runs SET lease_expires_at = clock_timestamp() + interval '58 minutes'");
    REQUIRE(system.run_ends_as("failed"));
}

TEST_CASE("a process that goes down fails the runs that take longer", "[agent_idempotency]") {
    agent_system system([](auth_api::settings& config) {
        config.agent.drain_timeout = std::chrono::milliseconds{50};
        config.agent.lease = std::chrono::minutes{10}; // nobody else could
    });
    held_model const model(system.model);
    auto waiting = std::async(std::launch::async, [&] { return system.invoke(*system.first, "How are you?", "one"); });
    REQUIRE(eventually([&] { return system.model.requests().size() == 1; }));
    system.first->drain();
    auto const answer = waiting.get();
    REQUIRE(answer.state == "failed");
    REQUIRE(answer.error == told);
    REQUIRE(eventually([&] { return system.first->drained(); }));
    REQUIRE(system.value("SELECT failure FROM recruiting.agent_runs") == "shut_down");
    auto const again = system.invoke(*system.second, "How are you?", "one");
    REQUIRE(again.failed_correlation_id == answer.failed_correlation_id);
}

TEST_CASE("after a failed run the session takes another", "[agent_idempotency]") {
    agent_system system;
    {
        held_model model(system.model);
        auto running =
            std::async(std::launch::async, [&] { return system.invoke(*system.first, "How are you?", "one"); });
        REQUIRE(eventually([&] { return system.model.requests().size() == 1; }));
        system.expire_leases();
        REQUIRE(system.run_ends_as("failed"));
        model.release();
        static_cast<void>(running.get());
    }
    system.model.answer(model_answer::text("Fine."));
    auto const failed = system.invoke(*system.first, "How are you?", "one");
    auto const resumed = system.resume(failed.session_id, "And now?");
    REQUIRE(resumed.state == "completed");
    REQUIRE(resumed.session_id == failed.session_id);
    auto const session = system.session(*system.second, failed.session_id);
    REQUIRE(session.state == "completed");
    REQUIRE_FALSE(session.error);
    REQUIRE(system.invoke(*system.second, "How are you?", "one").failed_correlation_id == failed.failed_correlation_id);
}

TEST_CASE("a beginning that waits for another holds up no lease", "[agent_idempotency]") {
    agent_system system([](auth_api::settings& config) {
        config.agent.lease = std::chrono::milliseconds{1'200};
        config.agent.heartbeat = std::chrono::milliseconds{200};
        config.statement_timeout = std::chrono::milliseconds{20'000};
    });
    held_model model(system.model);
    auto running = std::async(std::launch::async, [&] { return system.invoke(*system.first, "How are you?", "one"); });
    REQUIRE(eventually([&] { return system.model.requests().size() == 1; }));

    // A process was paused in the middle of a beginning.
    pg::client paused(system.database.owner_url());
    pg::transaction beginning(paused);
    static_cast<void>(paused.run("SELECT pg_advisory_xact_lock(hashtextextended('recruiting.agent_runs ' || id, 0)) "
                                 "FROM recruiting.organizations WHERE slug = $1",
                                 pg::params().text(system.slug)));
    auto waiting = std::async(std::launch::async, [&] { return system.invoke(*system.first, "And you?", "two"); });
    auto const begun_before = "SELECT started_at + interval '2500 milliseconds' < now() FROM recruiting.agent_runs";
    REQUIRE(eventually([&] { return system.value(begun_before) == "true"; })); // two leases later
    REQUIRE(system.runs() == "1");
    beginning.commit();
    model.release();
    REQUIRE(running.get().state == "completed");
    REQUIRE(waiting.get().state == "completed");
}

} // namespace dying_test
