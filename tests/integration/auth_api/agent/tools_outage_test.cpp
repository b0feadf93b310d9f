// The agent's tools while PostgreSQL goes away: waited for within bounds, and what was changed is changed once.
#include "integration/auth_api/agent/tools_harness.hpp"
#include "integration/support/cut_link.hpp"
#include "support/catch.hpp"

#include <boost/json.hpp>

namespace tools_outage_test {
using namespace recruiting;
using namespace recruiting::test;
namespace json = boost::json;

namespace {

constexpr auto warehouse = R"({"name":"warehouse"})";

bool revoked(auth_api::agent::tool_result const& result) {
    INFO(result.content);
    REQUIRE_FALSE(result.failed);
    return json::parse(result.content).at("data").at("revoked").as_bool();
}

auth_api::agent::agent_settings patient_for(std::chrono::milliseconds time) {
    auth_api::agent::agent_settings out;
    out.tool_timeout = time;
    return out;
}

} // namespace

TEST_CASE("a tool waits for PostgreSQL to come back, and then answers", "[agent_tools]") {
    agent_organization o;
    cut_link link(o.database.auth_url());
    running_tools tools(o.loop, o.database.auth_url(), link.url(), link.url(), patient_for(std::chrono::minutes{1}));
    auto const run = o.begin_run(o.key(role::admin));
    link.cut();
    o.loop.run_until([&] { return !tools.reads.ready(); });
    int ticks = 0; // of 50 ms: PostgreSQL is back while the tool tries again
    auto const rejoin = o.loop.clock.subscribe([&](coarse_clock::time_point) {
        if (++ticks == 4) link.join();
    });
    auto const result = o.call(tools, run, "get_organization");
    o.loop.clock.unsubscribe(rejoin);
    REQUIRE_FALSE(result.failed);
    REQUIRE(o.audited("target_id = 'get_organization' AND success") == 1);
}

TEST_CASE("patience and the run's end bound the waiting", "[agent_tools]") {
    agent_organization o;
    cut_link link(o.database.auth_url());
    running_tools impatient(o.loop, o.database.auth_url(), link.url(), link.url(), patient_for({}));
    running_tools patient(o.loop, o.database.auth_url(), link.url(), link.url(), patient_for(std::chrono::hours{1}));
    auto run = o.begin_run(o.key(role::admin));
    link.cut();
    o.loop.run_until([&] { return !impatient.reads.ready() && !patient.reads.ready(); });
    REQUIRE_THROWS_AS(o.call(impatient, run, "get_organization"), outage);
    run.deadline = coarse_clock::now() + std::chrono::milliseconds{200};
    REQUIRE_THROWS_AS(o.call(patient, run, "get_organization"), outage);
    REQUIRE(impatient.metrics.render().find(R"(tool="get_organization",outcome="outage"} 1)") != std::string::npos);
}

TEST_CASE("no result without its audit row", "[agent_tools]") {
    agent_organization o;
    running_tools tools(o.loop, o.database.auth_url(), patient_for(std::chrono::milliseconds{100}));
    auto const run = o.begin_run(o.key(role::admin));
    o.database.owner().run("REVOKE INSERT (events, event_count) ON recruiting.audit_intake FROM recruiting_auth");
    REQUIRE_THROWS_AS(o.call(tools, run, "get_organization"), outage);
}

TEST_CASE("a revocation whose answer was lost is told as done, and was done once", "[agent_tools]") {
    agent_organization o;
    cut_link link(o.database.auth_url());
    running_tools tools(o.loop, o.database.auth_url(), o.database.auth_url(), link.url());
    auto const in_use = GENERATE(false, true);
    auto const target = o.key(role::recruiter, {"*"}, "warehouse");
    auto const run = o.begin_run(in_use ? target : o.key(role::recruiter), "revoke warehouse");
    link.lose_an_answer();
    REQUIRE(revoked(o.call(tools, run, "revoke_api_key", warehouse)));
    REQUIRE(link.answers_lost() == 1);
    REQUIRE(o.audited("action = 'key.revoked' AND actor_type = 'agent'") == 1);
    REQUIRE(o.audited("action = 'agent.tool_call' AND success AND target_id = 'revoke_api_key'") == 1);
}

TEST_CASE("a revocation that could not be sent is made when PostgreSQL is back", "[agent_tools]") {
    agent_organization o;
    cut_link link(o.database.auth_url());
    running_tools tools(o.loop, o.database.auth_url(), o.database.auth_url(), link.url());
    static_cast<void>(o.key(role::recruiter, {"*"}, "warehouse"));
    auto const run = o.begin_run(o.key(role::recruiter), "revoke warehouse");
    link.cut();
    o.loop.run_until([&] { return !tools.changes.ready(); });
    link.join();
    REQUIRE(revoked(o.call(tools, run, "revoke_api_key", warehouse)));
    REQUIRE(o.audited("action = 'key.revoked'") == 1);
}

TEST_CASE("a statement that PostgreSQL refuses is an error to read, and nothing is revoked", "[agent_tools]") {
    agent_organization o;
    static_cast<void>(o.key(role::recruiter, {"*"}, "warehouse"));
    auto const run = o.begin_run(o.key(role::recruiter), "revoke warehouse");
    o.database.owner().run("REVOKE UPDATE (revoked_at) ON recruiting.api_keys FROM recruiting_auth");
    auto const result = o.call(run, "revoke_api_key", warehouse);
    REQUIRE(json::parse(result.content).at("error").at("code") == "internal_error");
    REQUIRE(o.number("SELECT count(*) FROM recruiting.api_keys WHERE revoked_at IS NOT NULL") == 0);
    REQUIRE(o.audited("target_id = 'revoke_api_key' AND status_code = 500") == 1);
}

TEST_CASE("a key that somebody else revokes at the same moment is told as revoked already", "[agent_tools]") {
    agent_organization o;
    static_cast<void>(o.key(role::recruiter, {"*"}, "warehouse"));
    auto const secret = o.key(role::recruiter);
    auto const run = o.begin_run(secret, "revoke warehouse");
    pg::client other(o.database.owner_url(), "other");
    pg::transaction holding(other);
    other.run("UPDATE recruiting.api_keys SET revoked_at = clock_timestamp(), revoked_by = NULL "
              "WHERE name = 'warehouse'");
    bool committed = false;
    int ticks = 0;
    auto const commit = o.loop.clock.subscribe([&](coarse_clock::time_point) {
        if (++ticks < 3 || committed) return;
        holding.commit();
        committed = true;
    });
    auto const result = json::parse(o.call(run, "revoke_api_key", warehouse).content).at("data");
    o.loop.clock.unsubscribe(commit);
    REQUIRE(result.at("revoked") == false);
    REQUIRE(result.at("reason") == "already_revoked");
    REQUIRE(o.audited("action = 'key.revoked'") == 0);
}

} // namespace tools_outage_test
