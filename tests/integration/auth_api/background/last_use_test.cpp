// When and from where a key was last used, as the worker of auth-api writes it.
#include "auth_api/background/keys/last_use.hpp"
#include "integration/auth_api/background/audit_harness.hpp"
#include "support/catch.hpp"

namespace last_use_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

struct keys {
    keys() {
        auto& owner = database.owner();
        owner.script(R"(
INSERT INTO recruiting.organizations (id, slug, name) VALUES ('00000000-0000-0000-0000-000000000001', 'acme', 'Acme');
INSERT INTO recruiting.users (id, email_key, name) VALUES ('00000000-0000-0000-0000-000000000002', 'ann@acme.test', 'Ann');
INSERT INTO recruiting.memberships (id, organization_id, user_id, email, role) VALUES (
    '00000000-0000-0000-0000-000000000003', '00000000-0000-0000-0000-000000000001',
    '00000000-0000-0000-0000-000000000002', 'ann@acme.test', 'admin'))");
        for (int i = 0; i < 3; ++i) {
            ids.push_back(random_id());
            owner.run(
                "INSERT INTO recruiting.api_keys (id, organization_id, membership_id, name, secret_hash, "
                "displayed_prefix, environment, scopes, expires_at) VALUES ($1, "
                "'00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000003', "
                "$1::uuid::text, sha256($1::uuid::text::bytea), 'sp_test_', 'test', '{*}', now() + interval '1 day')",
                pg::params{}.id(ids.back()));
        }
    }
    std::string last_use(std::size_t key) {
        auto const rows = database.owner().run("SELECT last_used_at, host(last_used_ip) FROM recruiting.api_keys "
                                               "WHERE id = $1",
                                               pg::params{}.id(ids.at(key)));
        if (rows.is_null(0, 0)) return "never";
        return format_time(rows.time(0, 0)) + " " + std::string(rows.text(0, 1));
    }

    test_database database;
    std::vector<uuid> ids;
};

timestamp at(char const* text) { return *parse_time(text); }

} // namespace

TEST_CASE("last uses are kept to the minute and never set back", "[last_use]") {
    keys k;
    event_loop loop;
    pg::pipeline connection(loop.context, loop.clock, workers_connection(k.database.auth_url()));
    auth_api::last_use first(loop.context, connection, std::chrono::milliseconds{10});
    auth_api::last_use second(loop.context, connection, std::chrono::milliseconds{10});

    first.note(k.ids[0], *parse_ip("192.0.2.1"), at("2026-01-31T09:30:12Z"));
    first.note(k.ids[0], *parse_ip("192.0.2.2"), at("2026-01-31T09:30:50Z")); // the same minute
    first.note(k.ids[1], *parse_ip("2001:db8::1"), at("2026-01-31T09:31:00Z"));
    loop.run_until([&] { return k.last_use(1) == "2026-01-31T09:31:00.000Z 2001:db8::1"; });
    CHECK(k.last_use(0) == "2026-01-31T09:30:00.000Z 192.0.2.1");
    CHECK(k.last_use(2) == "never");

    second.note(k.ids[0], *parse_ip("192.0.2.9"), at("2026-01-31T09:00:00Z")); // another thread's older use
    second.note(k.ids[1], *parse_ip("192.0.2.9"), at("2026-01-31T09:32:00Z"));
    loop.run_until([&] { return k.last_use(1) == "2026-01-31T09:32:00.000Z 192.0.2.9"; });
    CHECK(k.last_use(0) == "2026-01-31T09:30:00.000Z 192.0.2.1");
}

TEST_CASE("what is noted while PostgreSQL is away is written later", "[last_use]") {
    keys k;
    event_loop loop;
    pg::pipeline connection(loop.context, loop.clock, workers_connection(k.database.auth_url()));
    auth_api::last_use uses(loop.context, connection, std::chrono::milliseconds{10});
    loop.run_until([&] { return connection.ready(); });
    pg::client superuser(k.database.superuser_url(), "tests");
    superuser.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                  "WHERE application_name = 'auth-api workers' AND datname = current_database()");
    uses.note(k.ids[0], *parse_ip("192.0.2.1"), at("2026-01-31T09:30:12Z"));
    loop.run_until([&] { return k.last_use(0) != "never"; });
    CHECK(k.last_use(0) == "2026-01-31T09:30:00.000Z 192.0.2.1");
}

TEST_CASE("what PostgreSQL cancels is written later", "[last_use]") {
    keys k;
    event_loop loop;
    pg::pipeline connection(loop.context, loop.clock, workers_connection(k.database.auth_url()));
    auth_api::last_use uses(loop.context, connection, std::chrono::milliseconds{10});
    {
        pg::transaction const lock(k.database.owner());
        k.database.owner().run("SELECT FROM recruiting.api_keys FOR UPDATE");
        uses.note(k.ids[0], *parse_ip("192.0.2.1"), at("2026-01-31T09:30:12Z"));
        cancel_waiting(loop, k.database);
    }
    loop.run_until([&] { return k.last_use(0) != "never"; });
    CHECK(k.last_use(0) == "2026-01-31T09:30:00.000Z 192.0.2.1");
}

} // namespace last_use_test
