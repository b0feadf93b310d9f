// What webhooks are told and when: positions compared with what was committed, and deliveries with their endings.
#include "core/text.hpp"
#include "directory/webhooks.hpp"
#include "integration/auth_api/background/booking_harness.hpp"
#include "integration/support/model_double.hpp"
#include "support/catch.hpp"
#include "support/directory.hpp"

#include <algorithm>

namespace webhooks_worker_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace std::chrono_literals;

namespace {

struct webhook_system : booking_system {
    webhook_system() {
        rules.http = true;
        rules.ports.clear();
        rules.networks = {parse_network("127.0.0.0/8").value()};
        address = receiver.base_url() + "/chat/completions";
        receiver.answer({.body = "thanks"});
    }

    directory::created_webhook add(std::vector<std::string> const& resources) {
        auto made = directory::create_webhook(database.owner(), slug, {address, std::nullopt, resources}, rules);
        REQUIRE(made.has_value());
        return std::move(*made);
    }
    directory::webhook now(uuid const& id) {
        auto const all = directory::list_webhooks(database.owner(), slug);
        return *std::ranges::find(*all, id, &directory::webhook::id);
    }
    bool may(uuid const& id, directory::webhook_change what) {
        return static_cast<bool>(directory::change_webhook(database.owner(), slug, id, what));
    }
    /// Compares once: the types of the messages that wait, sorted.
    std::string compared() {
        change("SELECT recruiting.seal_audit_rows(1000)");
        change("SELECT recruiting.write_webhook_messages(100)");
        return value("SELECT coalesce(string_agg(type, ' ' ORDER BY type), '') FROM recruiting.webhook_messages");
    }
    void deliver_all() { change("DELETE FROM recruiting.webhook_messages"); }

    void run_until(std::function<bool()> const& condition) {
        change("UPDATE recruiting.webhooks SET leased_until = now()"); // as when the last worker's leases run out
        event_loop loop;
        metrics::registry metrics;
        pg::pipeline connection(loop.context, loop.clock, workers_connection(database.auth_url()));
        auth_api::webhooks::webhook_settings settings{rules, {}, 50ms, 20ms};
        auth_api::webhooks::workers workers(loop.context, connection, settings, metrics);
        loop.run_until(condition);
    }
    [[nodiscard]] bool has_none_waiting() { return value("SELECT count(*) FROM recruiting.webhook_messages") == "0"; }
    std::string id_sent(std::size_t number) {
        auto const head = receiver.requests().at(number).head;
        auto const at = head.find("msg_");
        return head.substr(at, head.find('\r', at) - at);
    }

    directory::receiver_rules rules;
    model_double receiver;
    std::string address;
};

} // namespace

TEST_CASE("each resource's changes are one message, until it is delivered", "[sync]") {
    webhook_system s;
    auto const hook = s.add({"jobs", "candidates", "members", "pipeline"});
    CHECK(s.compared().empty());

    s.change("UPDATE recruiting.jobs SET title = 'Another'");
    CHECK(s.compared() == "candidates.changed jobs.changed pipeline.changed");
    CHECK(s.value("SELECT subject FROM recruiting.webhook_messages WHERE resource = 'pipeline'") ==
          to_dashed_string(s.job));
    s.deliver_all();
    CHECK(s.compared().empty());

    s.add_candidate("ann@mail.example");
    CHECK(s.compared() == "candidates.changed jobs.changed pipeline.changed"); // the job's candidateCount too
    s.change("UPDATE recruiting.candidates SET phone = '1'");
    s.change("UPDATE recruiting.candidates SET phone = '2'");
    CHECK(s.compared() == "candidates.changed jobs.changed pipeline.changed");
    s.deliver_all();
    CHECK(s.compared() == "candidates.changed pipeline.changed"); // what changed while they waited

    s.deliver_all();
    s.change("UPDATE recruiting.users SET name = 'Renamed'");
    CHECK(s.compared() == "members.changed");
    s.deliver_all();
    s.change("UPDATE recruiting.webhook_positions SET seen_xid = '900000000000' WHERE resource = 'members'");
    CHECK(s.compared() == "members.changed"); // restored from a dump: transactions are counted from the beginning
    s.deliver_all();
    CHECK(s.compared().empty());

    s.add_organization(); // what it does is told to none but itself
    s.change("UPDATE recruiting.jobs SET title = 'Other' WHERE organization_id = '" + to_string(s.organization) + "'");
    CHECK(s.compared().empty());
    REQUIRE(s.may(hook.made.id, directory::webhook_change::pause) == false); // another organization's
}

TEST_CASE("many pipelines that change are one message", "[sync]") {
    webhook_system s;
    static_cast<void>(s.add({"pipeline"}));
    s.change("INSERT INTO recruiting.jobs (id, organization_id, title) SELECT gen_random_uuid(), organization_id, 'T' "
             "FROM recruiting.jobs, generate_series(1, 21)");
    CHECK(s.compared() == "pipeline.changed");
    CHECK(s.value("SELECT count(subject) FROM recruiting.webhook_messages") == "0");
    s.deliver_all();
    s.change("UPDATE recruiting.jobs SET title = 'U' WHERE id IN (SELECT id FROM recruiting.jobs LIMIT 20)");
    s.change("SELECT recruiting.write_webhook_messages(100)");
    CHECK(s.value("SELECT count(DISTINCT subject) FROM recruiting.webhook_messages") == "20");
}

TEST_CASE("what the audit log says of interviews, runs and all else", "[sync]") {
    webhook_system s;
    static_cast<void>(s.add({"audit", "interviews", "agent_runs"}));
    auto const note = [&](std::string const& action, std::string const& endpoint) {
        s.change("INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, action, endpoint, "
                 "success, "
                 "session_id, correlation_id) VALUES (gen_random_uuid(), now(), '" +
                 to_string(s.organization) + "', 'system', '" + action + "', '" + endpoint +
                 "', true, gen_random_uuid(), gen_random_uuid())");
    };
    CHECK(s.compared() == "audit.changed"); // that it was created
    s.deliver_all();
    for (auto const* const endpoint : {"/api/v1/audit", "mcp:search_audit"}) note("api.request", endpoint);
    CHECK(s.compared().empty()); // reads of the log are rows of it
    note("api.request", "/api/v1/jobs");
    CHECK(s.compared() == "audit.changed");
    s.deliver_all();
    note("booking.rescheduled", "");
    note("agent.run_completed", "");
    note("agent.run_failed", "");
    note("agent.run_started", "");
    CHECK(s.compared() == "agent_runs.completed agent_runs.failed audit.changed interviews.changed");
    CHECK(s.value("SELECT count(*) FROM recruiting.webhook_messages WHERE subject IS NOT NULL AND run IS NOT NULL") ==
          "2");
    s.deliver_all();
    for (int i = 0; i < 120; ++i) note("agent.run_completed", "");
    static_cast<void>(s.compared());
    CHECK(s.value("SELECT count(*) FROM recruiting.webhook_messages WHERE resource = 'agent_runs'") == "100");
    s.deliver_all();
    static_cast<void>(s.compared());
    CHECK(s.value("SELECT count(*) FROM recruiting.webhook_messages WHERE resource = 'agent_runs'") == "20");
}

TEST_CASE("a message is sent until the receiver accepts it, under one id", "[sync]") {
    webhook_system s;
    auto const hook = s.add({"jobs"});
    s.receiver.answer(
        {{.body = "no", .status = 500}, {.body = "", .status = 302, .headers = "Location: /x\r\n"}, {.body = "yes"}});
    s.change("UPDATE recruiting.jobs SET title = 'Another'");
    s.run_until([&] { return s.receiver.requests().size() >= 3 && s.has_none_waiting(); });
    auto const requests = s.receiver.requests();
    REQUIRE(requests.size() == 3);
    CHECK(s.id_sent(0) == s.id_sent(2));
    CHECK(requests[0].body == requests[2].body);
    CHECK(requests[0].body.find(R"({"type":"jobs.changed",)") == 0);
    CHECK(requests[0].has("User-Agent: recruiting-webhooks/"));
    auto const listed = directory::list_webhook_deliveries(s.database.owner(), s.slug, hook.made.id);
    REQUIRE(listed->size() == 3);
    CHECK(listed->front().status_code == 200);
    CHECK(listed->front().excerpt == "yes");
    CHECK(listed->back().status_code == 500);
    CHECK_FALSE(s.now(hook.made.id).failing_since);

    auto const again = directory::resend_webhook_delivery(s.database.owner(), s.slug, hook.made.id, listed->back().id);
    REQUIRE(again.has_value());
    s.run_until([&] { return s.receiver.requests().size() == 4 && s.has_none_waiting(); });
    CHECK(s.id_sent(3) == s.id_sent(0));
    CHECK_FALSE(directory::resend_webhook_delivery(s.database.owner(), s.slug, hook.made.id, random_id()).has_value());
}

TEST_CASE("a webhook that was rotated signs with both secrets", "[sync]") {
    webhook_system s;
    auto const hook = s.add({"jobs"});
    auto const rotated = directory::rotate_webhook_secret(s.database.owner(), s.slug, hook.made.id);
    REQUIRE(rotated.has_value());
    CHECK(rotated->secret != hook.secret);
    CHECK(rotated->made.previous_secret_expires_at.has_value());
    REQUIRE(s.may(hook.made.id, directory::webhook_change::test));
    s.run_until([&] { return s.has_none_waiting(); });
    auto const head = s.receiver.requests().at(0).head;
    auto const line =
        head.substr(head.find("webhook-signature: "),
                    head.find("\r\n", head.find("webhook-signature: ")) - head.find("webhook-signature: "));
    CHECK(std::ranges::count(line, ',') == 2);
    REQUIRE(directory::rotate_webhook_secret(s.database.owner(), s.slug, hook.made.id).has_value());
}

TEST_CASE("410 ends a webhook, three days without success stop it with a mail, and both are audited", "[sync]") {
    webhook_system s;
    auto const gone = s.add({"jobs"});
    s.receiver.answer({.body = "", .status = 410});
    REQUIRE(s.may(gone.made.id, directory::webhook_change::test));
    s.run_until([&] { return s.now(gone.made.id).status == "gone"; });
    CHECK(s.has_none_waiting());
    CHECK_FALSE(s.may(gone.made.id, directory::webhook_change::resume));
    CHECK_FALSE(s.may(gone.made.id, directory::webhook_change::test));
    REQUIRE(s.may(gone.made.id, directory::webhook_change::remove));

    auto const failing = s.add({"jobs"});
    s.receiver.answer({.body = "", .status = 500});
    for (int i = 0; i < 3; ++i) REQUIRE(s.may(failing.made.id, directory::webhook_change::test));
    CHECK(s.now(failing.made.id).waiting_messages == 1);
    s.change("UPDATE recruiting.webhooks SET failing_since = now() - interval '71 hours 59 minutes'");
    REQUIRE(s.may(failing.made.id, directory::webhook_change::test));
    s.run_until([&] { return s.now(failing.made.id).failing_since && s.receiver.requests().size() >= 2; });
    CHECK(s.now(failing.made.id).status == "active");
    s.change("UPDATE recruiting.webhooks SET failing_since = now() - interval '72 hours'");
    s.run_until([&] { return s.now(failing.made.id).status == "failed"; });
    CHECK(s.now(failing.made.id).waiting_messages == 1);
    CHECK(s.value("SELECT count(*) FROM recruiting.mail_outbox WHERE kind = 'webhook_failed'") ==
          s.value("SELECT count(*) FROM recruiting.memberships WHERE role = 'admin' AND status = 'active'"));
    s.change("SELECT recruiting.seal_audit_rows(1000)");
    CHECK(s.value("SELECT string_agg(action || ' ' || actor_type, ', ' ORDER BY action) FROM recruiting.audit_log "
                  "WHERE action IN ('webhook.gone', 'webhook.failed')") ==
          "webhook.failed system, webhook.gone system");

    s.receiver.answer({.body = "back"});
    REQUIRE(s.may(failing.made.id, directory::webhook_change::resume));
    s.run_until([&] { return s.has_none_waiting(); });
}

TEST_CASE("nothing is sent of a webhook that is paused or deleted", "[sync]") {
    webhook_system s;
    auto const hook = s.add({"jobs"});
    REQUIRE(s.may(hook.made.id, directory::webhook_change::pause));
    CHECK_FALSE(s.may(hook.made.id, directory::webhook_change::test));
    s.change("UPDATE recruiting.jobs SET title = 'Another'");
    CHECK(s.compared().empty());
    REQUIRE(s.may(hook.made.id, directory::webhook_change::resume));
    CHECK(s.compared() == "jobs.changed"); // what changed meanwhile
    REQUIRE(s.may(hook.made.id, directory::webhook_change::remove));
    auto const other = s.add({"members"});
    REQUIRE(s.may(other.made.id, directory::webhook_change::test));
    s.run_until([&] { return s.receiver.requests().size() == 1 && s.has_none_waiting(); });
    CHECK(s.receiver.requests()[0].body.find("webhook.test") != std::string::npos);
}

TEST_CASE("a receiver that hangs delays no other", "[sync]") {
    webhook_system s;
    s.receiver.answer_by([](model_request_seen const& request) {
        model_answer said{.body = "x"};
        said.hangs = request.body.find("webhook.test") != std::string::npos;
        return said;
    });
    auto const hanging = s.add({"members"});
    auto const other = s.add({"jobs"});
    REQUIRE(s.may(hanging.made.id, directory::webhook_change::test));
    s.run_until([&] {
        if (s.receiver.hanging() == 0) return false;
        if (s.receiver.requests().size() == 1)
            s.change("UPDATE recruiting.jobs SET title = 'Another' WHERE title <> 'Another'");
        return s.receiver.requests().size() == 2 && s.now(other.made.id).waiting_messages == 0;
    });
    CHECK(s.now(hanging.made.id).waiting_messages == 1); // its attempt was dropped with the worker
    s.receiver.answer({.body = "x"});
    s.run_until([&] { return s.has_none_waiting(); });
}

TEST_CASE("an organization has at most twenty webhooks, and no receiver inside", "[directory]") {
    webhook_system s;
    for (int i = 0; i < 20; ++i) static_cast<void>(s.add({"jobs"}));
    CHECK_FALSE(directory::create_webhook(s.database.owner(), s.slug, {s.address, std::nullopt, {"jobs"}}, s.rules)
                    .has_value());
    auto const wrong =
        directory::create_webhook(s.database.owner(), s.slug, {s.address, std::string(201, 'x'), {"jobs", "x"}}, {});
    REQUIRE_FALSE(wrong.has_value());
    CHECK(wrong.error().details.size() == 3);
}

} // namespace webhooks_worker_test
