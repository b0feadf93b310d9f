// How a run ended stands in the audit log, and its id is a UUID (proto-docs/agent.md).
#include "integration/auth_api/agent/system.hpp"
#include "support/catch.hpp"

#include <boost/json.hpp>
#include <future>
#include <regex>

namespace audit_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

bool is_rfc_9562(std::string const& text) {
    static std::regex const form("[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
    return std::regex_match(text, form);
}

std::string rows(agent_system& system, std::string const& condition) {
    return system.value("SELECT count(*) FROM audit_rows WHERE " + condition);
}

} // namespace

TEST_CASE("a run that failed is told in the audit log: the request's row is not successful", "[agent_audit]") {
    agent_system system;
    system.model.answer(model_answer::error(500));
    auto const failed = system.invoke(*system.first, "Tell nobody my plan.", "one");
    REQUIRE(failed.status == 200);
    REQUIRE(failed.state == "failed");
    auto const again = system.invoke(*system.second, "Tell nobody my plan.", "one");
    REQUIRE(again.replay);
    auto const of_run = " AND correlation_id = '" + failed.failed_correlation_id.value() + "'";
    REQUIRE(rows(system, "action = 'api.request' AND NOT success AND error_code = 'agent_run_failed' AND "
                         "status_code = 200 AND endpoint = '/api/v1/agent/invoke'" +
                             of_run) == "2");
    REQUIRE(rows(system, "action = 'api.request' AND success") == "0");
}

TEST_CASE("a row says that the run ended, how, under its correlation id", "[agent_audit]") {
    agent_system system;
    system.model.answer({model_answer::text("Fine."), model_answer::error(500)});
    auto const completed = system.invoke(*system.first, "Tell nobody my plan.", "one");
    auto const failed = system.invoke(*system.first, "Tell nobody my plan.", "two");
    auto const key = system.value("SELECT id FROM recruiting.api_keys");
    auto const common = "actor_type = 'agent' AND actor_role = 'admin' AND actor_email = '" + system.admin +
                        "' AND credential_id = '" + key +
                        "' AND target_type = 'agent_session' AND duration_ms >= 0 AND ";
    REQUIRE(rows(system, common +
                             "action = 'agent.run_completed' AND success AND error_code IS NULL AND correlation_id = "
                             "'" +
                             completed.raw.header("correlation-id") + "' AND target_id = '" + completed.session_id +
                             "'") == "1");
    REQUIRE(rows(system, common +
                             "action = 'agent.run_failed' AND NOT success AND error_code = 'model_bad_response' AND "
                             "correlation_id = '" +
                             failed.failed_correlation_id.value() + "' AND session_id = '" + failed.session_id + "'") ==
            "1");
    REQUIRE(rows(system, "audit_rows::text LIKE '%nobody%' OR audit_rows::text LIKE '%Fine%'") == "0");
    auto const shown = system.first->get("/audit?action=agent.run_failed", system.secret);
    auto const row = boost::json::parse(shown.body).at("data").at(0);
    REQUIRE(row.at("correlationId").as_string() == failed.failed_correlation_id.value());
    REQUIRE(row.at("errorCode") == "model_bad_response");
}

TEST_CASE("a run whose process died has its row too, and one only", "[agent_audit]") {
    agent_system system;
    held_model model(system.model);
    auto running = std::async(std::launch::async, [&] { return system.invoke(*system.first, "How are you?", "one"); });
    REQUIRE(eventually([&] { return system.model.requests().size() == 1; }));
    system.expire_leases();
    REQUIRE(system.run_ends_as("failed"));
    model.release(); // its runner then tries to end it as well
    REQUIRE(running.get().state == "failed");
    REQUIRE(system.invoke(*system.second, "How are you?", "one").state == "failed");
    REQUIRE(rows(system, "action LIKE 'agent.run_%ed' AND action <> 'agent.run_started'") == "1");
    REQUIRE(rows(system, "action = 'agent.run_failed' AND error_code = 'lease_expired'") == "1");
}

TEST_CASE("a run ends, and the row says so, in one transaction", "[agent_audit]") {
    agent_system system;
    pg::client other(system.database.owner_url(), "tests");
    pg::transaction const sealing(other); // so that nobody seals
    other.run("SELECT pg_advisory_xact_lock(hashtext('recruiting.audit_log'))");
    system.model.answer({model_answer::text("Fine."), model_answer::error(500)});
    static_cast<void>(system.invoke(*system.first, "How are you?"));
    static_cast<void>(system.invoke(*system.first, "How are you?"));
    REQUIRE(
        system.value("SELECT count(*) FROM recruiting.agent_runs r, recruiting.audit_intake i, unnest(i.events) AS a "
                     "WHERE a.correlation_id = r.id AND a.action = 'agent.run_' || r.status "
                     "AND i.xmin = r.xmin") == "2");
}

TEST_CASE("failedCorrelationId is a UUID of RFC 9562, version and variant set", "[agent_audit]") {
    agent_system system;
    system.model.answer(model_answer::error(500));
    for (auto const* key : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
        auto const failed = system.invoke(*system.first, "How are you?", key);
        REQUIRE(is_rfc_9562(failed.failed_correlation_id.value()));
        REQUIRE(failed.raw.header("correlation-id") == failed.failed_correlation_id);
        REQUIRE(system.session(*system.second, failed.session_id).failed_correlation_id ==
                failed.failed_correlation_id);
    }
}

} // namespace audit_test
