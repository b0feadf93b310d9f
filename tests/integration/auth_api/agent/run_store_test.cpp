// What a runner writes when the answer to its last attempt got lost: the old attempt may still be committing.
#include "auth_api/agent/run/run_store.hpp"
#include "integration/auth_api/agent/system.hpp"
#include "support/catch.hpp"

#include <future>

namespace run_store_test {
using namespace recruiting;
using namespace recruiting::test;
namespace agent = recruiting::auth_api::agent;

namespace {

pg::rows run_on(pg::client& database, pg::statement const& what) { return database.run(what); }

} // namespace

TEST_CASE("progress sent again while its first attempt commits is recognised", "[agent_idempotency]") {
    agent_system system;
    held_model model(system.model);
    auto running = std::async(std::launch::async, [&] { return system.invoke(*system.first, "How are you?", "one"); });
    REQUIRE(eventually([&] { return system.model.requests().size() == 1; }));

    std::vector<agent::message> const said = {{agent::message_role::assistant, "Let me see.", {}, {}, {}}};
    auto const run = system.database.owner().run("SELECT id, lease_owner FROM recruiting.agent_runs");
    auto const progress = agent::add_progress(
        {run.id(0, 0), run.id(0, 1), {new_record_id()}, said, {10, 2}, 0, std::chrono::seconds{30}});
    pg::client first(system.database.auth_url());
    pg::client second(system.database.auth_url());

    pg::transaction stalled(first);
    run_on(first, agent::as_runner());
    run_on(first, agent::lock_run(run.id(0, 0)));
    REQUIRE(agent::read_held(run_on(first, progress)));
    auto again = std::async(std::launch::async, [&] {
        pg::transaction sent_again(second);
        run_on(second, agent::as_runner());
        run_on(second, agent::lock_run(run.id(0, 0)));
        bool const held = agent::read_held(run_on(second, progress));
        sent_again.commit();
        return held;
    });
    REQUIRE(eventually([&] { return system.value("SELECT count(*) > 0 FROM pg_locks WHERE NOT granted") == "true"; }));
    stalled.commit();
    REQUIRE(again.get());
    REQUIRE(system.value("SELECT count(*) FROM recruiting.agent_messages WHERE role = 'assistant'") == "1");
    REQUIRE(system.value("SELECT input_tokens FROM recruiting.agent_runs") == "10");
    model.release();
    REQUIRE(running.get().state == "completed");
}

} // namespace run_store_test
