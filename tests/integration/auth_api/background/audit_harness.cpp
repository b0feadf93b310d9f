#include "integration/auth_api/background/audit_harness.hpp"

#include "audit/event_store.hpp"
#include "support/catch.hpp"

namespace recruiting::test {

void event_loop::run_until(std::function<bool()> const& condition) {
    auto const deadline = coarse_clock::now() + std::chrono::seconds{60};
    while (!condition()) {
        if (coarse_clock::now() > deadline) FAIL("the awaited condition did not come true");
        context.run_for(std::chrono::milliseconds{5}); // what is due, or connections starve while conditions take long
    }
}

pg::pipeline_settings workers_connection(std::string const& url) {
    pg::pipeline_settings out;
    out.url = url;
    out.application_name = "auth-api workers";
    out.options = "-c plan_cache_mode=force_generic_plan";
    return out;
}

void delete_expired_until(test_database& database, std::function<bool()> const& condition) {
    constexpr std::chrono::hours month{30 * 24};
    event_loop loop;
    pg::pipeline connection(loop.context, loop.clock, workers_connection(database.auth_url()));
    auto const running = auth_api::start_retention(loop.context, connection, {month, month, month});
    loop.run_until(condition);
}

void cancel_waiting(event_loop& loop, test_database& database) {
    pg::client superuser(database.superuser_url(), "tests");
    loop.run_until([&] { return database.has_lock_waiter(); });
    std::string const at(superuser.run("SELECT clock_timestamp()::text").text(0, 0));
    superuser.run("SELECT pg_cancel_backend(pid) FROM pg_stat_activity "
                  "WHERE datname = current_database() AND wait_event_type = 'Lock'");
    loop.run_until([&] {
        return superuser
            .run("SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND "
                 "wait_event_type = 'Lock' AND query_start > $1::timestamptz)",
                 pg::params{}.text(at))
            .boolean(0, 0);
    });
}

running_sealer::running_sealer(event_loop& loop, std::string const& url, std::int64_t batch)
    : connection(loop.context, loop.clock, workers_connection(url)),
      worker(auth_api::start_sealer(loop.context, connection, {std::chrono::milliseconds{5}, batch}, metrics)) {}

audit_log::audit_log(migrated state) : database(state), organizations{random_id(), random_id(), random_id()} {}

std::vector<audit::event> audit_log::insert(int rows, timestamp occurred_at) {
    std::vector<audit::event> events;
    for (int i = 0; i < rows; ++i) {
        audit::event e;
        e.occurred_at = occurred_at + std::chrono::microseconds{i};
        e.organization_id = organizations.at(next_organization_++ % organizations.size());
        e.credential_id = random_id();
        e.credential_name = "key \"one\"";
        e.action = "api.request";
        e.method = "GET";
        e.endpoint = "/api/v1/me";
        e.path = "/api/v1/me";
        e.status_code = 200;
        e.ip_address = i % 2 == 0 ? "192.0.2.1" : "2001:db8::1";
        e.request_id = new_request_id();
        e.duration_ms = i;
        events.push_back(e);
    }
    append(events);
    return events;
}

void audit_log::append(std::span<audit::event const> events) {
    pg::client services(database.auth_url(), "tests");
    auto const type = audit::read_event_type(services.run(audit::select_event_type().sql));
    auto const statement = audit::insert_events(events, type);
    services.run(statement);
}

void audit_log::seal_all(std::int64_t batch) {
    event_loop loop;
    running_sealer sealer(loop, database.auth_url(), batch);
    loop.run_until([&] { return unsealed() == 0; });
}

void audit_log::tamper(std::string const& sql) { database.owner().script(sql); }

std::int64_t audit_log::number(std::string const& sql) { return database.owner().run(sql).integer(0, 0); }

std::int64_t audit_log::unsealed() {
    return number("SELECT coalesce(sum(event_count), 0)::bigint FROM recruiting.audit_intake");
}

std::vector<std::string> audit_log::discrepancies(audit::organization_choice of,
                                                  std::vector<std::pair<uuid, audit::kept_head>> const& kept) {
    std::vector<std::string> found;
    counts = audit::verify(database.owner(), of, kept, [&](audit::discrepancy const& p) {
        auto text = std::string(to_string(p.kind));
        if (p.sequence) text += " " + std::to_string(*p.sequence);
        if (p.last_sequence) text += "-" + std::to_string(*p.last_sequence);
        found.push_back(text);
    });
    return found;
}

audit::kept_head audit_log::head(uuid const& organization) {
    auto const heads = audit::read_heads(database.owner(), organization);
    return {heads.at(0).end, heads.at(0).occurred_at};
}

} // namespace recruiting::test
