// What the agent's tools ask PostgreSQL of their own is found by index at any number of keys and runs.
#include "auth_api/agent/invoke/invocation.hpp"
#include "auth_api/agent/run/run_store.hpp"
#include "directory/store.hpp"
#include "integration/support/planner.hpp"
#include "support/catch.hpp"

namespace tools_plans_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace recruiting::auth_api;
using namespace std::chrono_literals;

TEST_CASE("the agent's own statements on keys and runs scan no large table", "[agent_tools][plans]") {
    planner plans(large_database().auth_url(), planner::program::auth_api);
    agent::run_context const run;
    for (auto const* role : {"admin", "recruiter"}) {
        INFO(role);
        plans.become(role);
        check_plan(plans, directory::store::keys_like("warehouse", 200), order::any);
        for (auto const& one : agent::hold_run(run, 30s)) check_plan(plans, one, order::from_index);
        auto const held = agent::run_is_held(run, 30s, "agents:invoke");
        check_plan(plans, directory::store::revocation(uuid{}, uuid{}, {}, held), order::from_index);
    }
}

TEST_CASE("what an invocation looks up is found by index", "[agent_tools][plans]") {
    planner plans(large_database().auth_url(), planner::program::auth_api);
    plans.become("admin");
    digest hash;
    hash.fill('x'); // goes into the text of a statement
    for (auto const of : {auth::principal_kind::api_key, auth::principal_kind::member})
        check_plan(plans, agent::find_run_by_key("warehouse", {hash, of}), order::any);
    check_plan(plans, agent::find_session(uuid{}), order::any);
}

} // namespace tools_plans_test
