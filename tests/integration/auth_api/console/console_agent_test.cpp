// The agent in the console (proto-docs/console.md): a run acts as the member, by the session, and goes on after its
// answer.
#include "integration/auth_api/agent/system.hpp"
#include "integration/auth_api/console/browser.hpp"
#include "support/catch.hpp"

#include <boost/json.hpp>

namespace console_agent_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

namespace json = boost::json;

struct asked {
    http_answer raw;
    std::string session;
    std::string run; // its correlationId
    std::string state;
    bool replay{false};
};

struct agent_console {
    explicit agent_console(std::function<void(auth_api::settings&)> const& adjust = {})
        : console(
              [&, adjust](auth_api::settings& config) {
                  config.agent.model.base_url = model.base_url();
                  config.agent.model.name = "double";
                  config.agent.model.retries = 0;
                  config.agent.orphan_interval = std::chrono::milliseconds{20};
                  config.agent.heartbeat = std::chrono::milliseconds{100};
                  if (adjust) adjust(config);
              },
              true) {}

    asked ask(console_browser& browser, std::string const& prompt, std::string const& idempotency_key = {},
              std::string const& session = {}) {
        auto body = prompt_body(prompt);
        if (!session.empty()) body.insert(1, R"("sessionId":")" + session + R"(",)");
        return read(browser.send("POST", "/agent/invocations", body, key_line(idempotency_key)));
    }
    static asked read(http_answer raw) {
        asked out;
        out.raw = std::move(raw);
        if (out.raw.status != 200 && out.raw.status != 202) return out;
        auto const body = json::parse(out.raw.body);
        auto const& data = body.at("data").as_object();
        out.session = data.at("sessionId").as_string().c_str();
        out.run = data.at("correlationId").as_string().c_str();
        out.state = data.at("status").as_string().c_str();
        out.replay = data.at("idempotentReplay").as_bool();
        return out;
    }
    /// What the page polls, once the run has ended.
    json::object finished(console_browser& browser, asked const& run) {
        json::object out;
        REQUIRE(eventually([&] {
            auto const answer = browser.send("GET", "/agent/sessions/" + run.session + "?correlationId=" + run.run);
            if (answer.status != 200) return false;
            auto const body = json::parse(answer.body);
            out = body.at("data").as_object();
            return out.at("status") != "in_progress";
        }));
        return out;
    }
    std::string count(std::string const& from) { return console.value("SELECT count(*) FROM recruiting." + from); }
    std::string api_key(std::string const& email, std::vector<std::string> const& scopes = {"*"}) {
        return make_key(console.database.owner(), console.slug, email, scopes).secret;
    }
    agent_answer invoke_by_key(std::string const& secret, std::string const& prompt, std::string const& key = {},
                               std::string const& session = {}) {
        auto body = prompt_body(prompt);
        if (!session.empty()) body.insert(1, R"("sessionId":")" + session + R"(",)");
        return read_invoke_answer(console.service.post("/agent/invoke", secret, body, key_line(key)));
    }

    /// The model calls these tools one after the other, and the statement is executed before the first.
    void before_tools(std::string const& statement, std::vector<model_answer> calls) {
        auto const round = std::make_shared<std::atomic<std::size_t>>(0);
        model.answer_by([url = console.database.owner_url(), round, statement,
                         calls = std::move(calls)](model_request_seen const&) {
            auto const number = (*round)++;
            if (number == 0) pg::client(url, "tests").run(statement);
            return number < calls.size() ? calls[number] : model_answer::text("I can't tell.");
        });
    }

    model_double model;
    console_system console;
};

// The text of the last tool result that the model was given.
std::string last_seen(agent_console const& s) { return s.model.requests().back().body; }

} // namespace

TEST_CASE("of concurrent questions with one Idempotency-Key exactly one runs", "[console][agent]") {
    agent_console s;
    console_browser ann(s.console);
    REQUIRE(ann.sign_in(s.console.email("admin")).status == 201);
    held_model held(s.model);
    auto const first = s.ask(ann, "Once?", "k");
    auto const again = s.ask(ann, "Once?", "k");
    CHECK(again.raw.status == 202);
    CHECK(again.replay);
    CHECK(again.run == first.run);
    CHECK(s.count("agent_runs") == "1");
    CHECK_THROWS(s.console.database.owner().run(
        "INSERT INTO recruiting.agent_runs (id, organization_id, session_id, membership_id, idempotency_key, "
        "prompt_hash, "
        "model, lease_owner, lease_expires_at) SELECT gen_random_uuid(), organization_id, session_id, membership_id, "
        "idempotency_key, prompt_hash, model, lease_owner, now() FROM recruiting.agent_runs"));
}

TEST_CASE("a session that ends during a run ends what its tools may read", "[console][agent]") {
    agent_console s;
    console_browser ann(s.console);
    REQUIRE(ann.sign_in(s.console.email("admin")).status == 201);
    std::string statement;
    std::string tool = "get_organization";
    std::string expected = "invalid_credential";
    SECTION("signed out") { statement = "DELETE FROM recruiting.console_sessions"; }
    SECTION("idle for too long") {
        statement = "UPDATE recruiting.console_sessions SET idle_expires_at = now() - interval '1 second'";
    }
    SECTION("acting nowhere") {
        statement = "UPDATE recruiting.console_sessions SET membership_id = NULL";
        expected = "organization_not_chosen";
    }
    SECTION("in a narrower role") {
        statement = "UPDATE recruiting.memberships SET role = 'viewer'";
        tool = "get_billing";
        expected = "insufficient_role";
    }
    s.before_tools(statement, {model_answer::call(tool, "{}")});
    auto const run = s.ask(ann, "What are we called?");
    REQUIRE(run.raw.status == 202);
    REQUIRE(eventually([&] { return s.count("agent_runs WHERE status = 'completed'") == "1"; }));
    CHECK(last_seen(s).find(expected) != std::string::npos);
    CHECK(s.console.value(
              "SELECT count(*) FROM audit_rows WHERE action = 'agent.tool_call' AND NOT success AND error_code = '" +
              expected + "'") == "1");
    CHECK(s.count("agent_runs WHERE cardinality(tool_scopes) > 0") == "0");
}

TEST_CASE("a run reads nothing of another organization that its session has gone to", "[console][agent]") {
    agent_console s;
    auto const other_slug = new_slug();
    auto const other = make_organization(s.console.database.owner(), other_slug);
    make_member(s.console.database.owner(), other_slug, s.console.email("admin"), role::admin);
    make_key(s.console.database.owner(), other_slug, s.console.email("admin"), {"*"});
    s.console.database.owner().run("UPDATE recruiting.api_keys SET name = 'warehouse'");
    console_browser ann(s.console);
    REQUIRE(ann.sign_in(s.console.email("admin")).status == 201);
    auto const go_to = [&](uuid const& id) {
        return ann.send("PUT", "/session/organization", R"({"organizationId":")" + to_string(id) + R"("})").status;
    };
    REQUIRE(go_to(s.console.organization.id) == 200);
    s.before_tools("UPDATE recruiting.console_sessions SET membership_id = (SELECT m.id FROM recruiting.memberships m "
                   "WHERE m.user_id = console_sessions.user_id AND m.organization_id = '" +
                       to_string(other.id) + "')",
                   {model_answer::call("get_organization", "{}"),
                    model_answer::call("revoke_api_key", R"({"name":"warehouse"})")});
    auto const run = s.ask(ann, R"(revoke "warehouse")");
    REQUIRE(run.raw.status == 202);
    REQUIRE(eventually([&] { return s.count("agent_runs WHERE status = 'completed'") == "1"; }));
    CHECK(last_seen(s).find(other_slug) == std::string::npos);
    CHECK(last_seen(s).find("organization_mismatch") != std::string::npos);
    CHECK(s.count("api_keys WHERE revoked_at IS NOT NULL") == "0");
    CHECK(s.count("agent_messages WHERE content LIKE '%" + other_slug + "%'") == "0");
    // There the session of the first organization is unknown.
    CHECK(ann.send("GET", "/agent/sessions/" + run.session).status == 404);
    CHECK(s.ask(ann, "And here?", {}, run.session).raw.status == 404);
}

TEST_CASE("a conversation goes on between console and API keys as far as their scopes reach", "[console][agent]") {
    agent_console s;
    console_browser ann(s.console);
    auto const email = s.console.email("admin");
    REQUIRE(ann.sign_in(email).status == 201);
    auto const wide = s.api_key(email);
    auto const narrow = s.api_key(email, {"agents:*"});
    s.model.answer({model_answer::call("search_candidates", "{}"), model_answer::text("Ada has applied.")});
    auto const run = s.ask(ann, "Who has applied?");
    REQUIRE(s.finished(ann, run).at("reply") == "Ada has applied.");
    auto const refused = s.invoke_by_key(narrow, "Who was that?", {}, run.session);
    CHECK(refused.status == 403);
    CHECK(refused.code == "insufficient_scope");
    CHECK(s.invoke_by_key(wide, "Who was that?", {}, run.session).state == "completed");
    auto const back = s.ask(ann, "And before?", {}, run.session);
    REQUIRE(back.raw.status == 202);
    auto const shown = s.finished(ann, back);
    CHECK(shown.at("runs").as_array().size() == 3);
    CHECK(shown.at("runs").at(0).at("credentialId").is_null());
    CHECK(shown.at("runs").at(1).at("credentialId").is_string());
    auto const by_key = s.invoke_by_key(wide, "Who has applied?");
    auto const resumed = s.ask(ann, "Who?", {}, by_key.session_id);
    CHECK(resumed.raw.status == 202);
    CHECK(s.finished(ann, resumed).at("credentialId").is_string());
    s.console.database.owner().run("UPDATE recruiting.memberships SET role = 'hiring_manager'");
    auto const demoted = s.ask(ann, "Who was that?", {}, run.session);
    CHECK(demoted.raw.status == 403);
    CHECK(error_of(demoted.raw) == "insufficient_role");
    CHECK(demoted.raw.body.find("Your role") != std::string::npos);
}

TEST_CASE("revoke_api_key works from the console, by the member's own words", "[console][agent]") {
    agent_console s;
    console_browser ann(s.console);
    REQUIRE(ann.sign_in(s.console.email("admin")).status == 201);
    auto const secret = s.api_key(s.console.email("admin"));
    s.console.database.owner().run("UPDATE recruiting.api_keys SET name = 'warehouse'");
    s.model.answer({model_answer::call("revoke_api_key", R"({"name":"warehouse"})"), model_answer::text("Done.")});
    auto const unasked = s.ask(ann, "What is new?");
    CHECK(s.finished(ann, unasked).at("reply") == "Done.");
    CHECK(s.console.service.get("/me", secret).status == 200);
    s.model.answer({model_answer::call("revoke_api_key", R"({"name":"warehouse"})"), model_answer::text("Done.")});
    auto const run = s.ask(ann, R"(revoke "warehouse")");
    CHECK(s.finished(ann, run).at("reply") == "Done.");
    CHECK(s.console.service.get("/me", secret).status == 401);
    CHECK(s.console.value("SELECT count(*) FROM audit_rows WHERE action = 'key.revoked' AND actor_type = 'agent' AND "
                          "credential_id IS NULL AND "
                          "credential_name IS NULL AND correlation_id = '" +
                          run.run + "'") == "1");
}

TEST_CASE("a run that nobody waits for is ended by the drain, and a full organization is told", "[console][agent]") {
    agent_console s([](auth_api::settings& config) {
        config.agent.runs_per_organization = 1;
        config.agent.drain_timeout = std::chrono::milliseconds{300};
    });
    console_browser ann(s.console);
    REQUIRE(ann.sign_in(s.console.email("admin")).status == 201);
    held_model const held(s.model);
    auto const run = s.ask(ann, "Hello?");
    REQUIRE(run.raw.status == 202);
    auto const crowded = s.ask(ann, "Hello?");
    CHECK(crowded.raw.status == 429);
    CHECK(crowded.raw.header("ratelimit-policy") == R"("agent_runs";q=1;qu="concurrent-requests")");
    s.console.service.drain();
    CHECK_FALSE(s.console.service.drained());
    REQUIRE(eventually([&] { return s.console.service.drained(); }));
    CHECK(s.count("agent_runs WHERE status = 'failed' AND failure = 'shut_down'") == "1");
}

TEST_CASE("a prompt may be as long as over the API", "[console][agent]") {
    agent_console s;
    console_browser ann(s.console);
    REQUIRE(ann.sign_in(s.console.email("admin")).status == 201);
    s.model.answer(model_answer::text("Done."));
    CHECK(s.ask(ann, std::string(32'000, 'x')).raw.status == 202);
    CHECK(error_of(s.ask(ann, std::string(32'001, 'x')).raw) == "invalid_request");
    CHECK(error_of(s.ask(ann, "  ").raw) == "invalid_request");
}

} // namespace console_agent_test
