// The pool that runs the console's changes: one transaction per change, and what is known of it when a connection
// fails.
#include "auth_api/console/change_pool.hpp"

#include "auth_api/settings.hpp"
#include "directory/store.hpp"
#include "integration/auth_api/console/changes.hpp"
#include "integration/support/http_server_harness.hpp"
#include "pg/client.hpp"
#include "pg/servers.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <thread>

namespace change_pool_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace recruiting::auth_api::console;
using namespace std::chrono_literals;

namespace {

/// A change that leaves a mark: an audit row of the request's id.
void leave_mark(change_input& in, std::string_view target) {
    directory::change const made{in.member.organization_id, "stage.changed", "mark", parse_id(target).value()};
    directory::record_change(in.database, made, {});
}

http::response fine() {
    http::response answer;
    answer.body = "{}";
    return answer;
}

result<http::response> mark(change_input& in) {
    leave_mark(in, in.path[0]);
    return fine();
}
result<http::response> mark_and_refuse(change_input& in) {
    leave_mark(in, in.path[0]);
    return make_error(error_code::not_found);
}
result<http::response> mark_and_throw(change_input& in) {
    leave_mark(in, in.path[0]);
    throw std::runtime_error("a bug");
}
result<http::response> mark_and_lose(change_input& in) {
    leave_mark(in, in.path[0]);
    pg::client superuser(shared_database().superuser_url(), "tests");
    superuser.run("SELECT pg_terminate_backend($1)", pg::params{}.integer(in.database.connected_pid()));
    leave_mark(in, to_string(random_id()));
    return fine();
}
// What another connection of the process does that reaches the server which was promoted.
void see_a_later_timeline(auth_api::settings const& config, pg::client& database) {
    auto const answer = database.run(pg::select_line);
    auto newer = pg::read_line(answer[0]);
    newer.timeline += 1;
    static_cast<void>(config.servers->refuse(newer));
}
result<http::response> mark_on_a_replaced_server(change_input& in) {
    leave_mark(in, in.path[0]);
    see_a_later_timeline(in.config, in.database);
    return fine();
}
result<http::response> mark_and_sleep(change_input& in) {
    leave_mark(in, in.path[0]);
    in.database.run("SELECT pg_sleep(0.3)");
    return fine();
}
result<http::response> wait_forever(change_input& in) {
    in.database.run("SELECT pg_sleep(600)");
    return fine();
}
result<http::response> mark_and_commit_slowly(change_input& in) {
    leave_mark(in, in.path[0]);
    in.database.run("INSERT INTO recruiting.slow_commits VALUES (1)");
    return fine();
}
result<http::response> lock_self(change_input& in) {
    in.database.run("SELECT id FROM recruiting.organizations WHERE slug = $1 FOR NO KEY UPDATE",
                    pg::params{}.text(in.organization_slug));
    return fine();
}
result<http::response> pass_gate(change_input& in) {
    in.database.run("SELECT pg_advisory_xact_lock(hashtext($1))", pg::params{}.text(in.organization_slug));
    return fine();
}
result<http::response> describe(change_input& in) {
    auto const found = in.database.run(
        "SELECT current_setting('recruiting.worker') || ' ' || current_setting('recruiting.role') || ' ' "
        "|| current_setting('statement_timeout') || ' ' || current_setting('lock_timeout')");
    http::response answer;
    answer.body =
        std::string(found.text(0, 0)) + ' ' + in.member.member_email + ' ' + std::string(in.organization_slug);
    return answer;
}

struct fixture : console_changes {
    using console_changes::console_changes;
    std::string const target = to_string(random_id());

    bool marked() { return !audited(target).empty(); }
    bool is_unavailable(auth_api::change_function function) {
        try {
            static_cast<void>(call({function, admin, target}));
            return false;
        } catch (outage const&) {
            return true;
        }
    }
};

void one_connection(change_pool_settings& how) { how.connections = 1; }
void impatient(change_pool_settings& how) {
    how.connections = 1;
    how.change_timeout = 2s; // an ordinary change takes less, also on a busy machine
}
void patient(change_pool_settings& how) {
    how.connections = 2;
    how.lock_timeout = how.statement_timeout = how.change_timeout = 20s;
    how.longest_wait = 20s;
    how.most_waiting_of_organization = 15;
}
void one_waits(change_pool_settings& how) {
    how.connections = 1;
    how.most_waiting = 1;
}

struct calls {
    explicit calls(console_changes& in) : changes(in) {}
    ~calls() { wait_for(started); }
    calls(calls const&) = delete;
    calls& operator=(calls const&) = delete;
    void start(auth_api::change_function function, std::string const& id) {
        start(function, id, changes.admin, uuid{});
    }
    void start(auth_api::change_function function, std::string const& id, digest const& session, uuid const& member) {
        change_request request;
        request.function = function;
        request.session.hash = session;
        request.organization_id = changes.organization.id;
        request.member_id = member;
        request.path.values[0] = id;
        request.path.count = 1;
        ++started;
        asio::co_spawn(context, ask(std::move(request)), asio::detached);
        context.poll();
    }
    task<void> ask(change_request request) {
        try {
            auto const outcome = co_await changes.pool->run(context.get_executor(), std::move(request));
            ended += outcome.error ? "refused " : "done ";
        } catch (outage const&) {
            ended += "unavailable ";
        }
    }
    /// Until so many calls have ended, ten seconds at most.
    void wait_for(std::ptrdiff_t count) {
        auto const until = std::chrono::steady_clock::now() + 10s;
        while (std::ranges::count(ended, ' ') < count && std::chrono::steady_clock::now() < until)
            context.run_one_for(50ms);
    }

    console_changes& changes;
    asio::io_context context{1};
    asio::executor_work_guard<io_executor> working{context.get_executor()};
    std::ptrdiff_t started{0};
    std::string ended;
};

} // namespace

TEST_CASE_METHOD(fixture, "a change runs as the console, in the session's organization and role, with timeouts",
                 "[console]") {
    auto const made = call({describe, admin, target});
    CHECK(made.answer.body == "console admin 4s 1s " + email("admin") + ' ' + slug);
    REQUIRE(made.principal);
    CHECK(made.principal->organization_id == organization.id);
}

TEST_CASE_METHOD(fixture, "a change is committed when it returns an answer, and undone otherwise", "[console]") {
    CHECK(call({mark_and_refuse, admin, target}).error->code == error_code::not_found);
    CHECK_FALSE(marked());
    CHECK(call({mark_and_throw, admin, target}).error->code == error_code::internal_error);
    CHECK_FALSE(marked());
    CHECK_FALSE(call({mark, admin, target}).error.has_value());
    CHECK(marked());
}

TEST_CASE_METHOD(fixture, "a connection that is lost between statements: unavailable, nothing changed, the next works",
                 "[console]") {
    CHECK(is_unavailable(mark_and_lose));
    CHECK_FALSE(marked());
    CHECK(outcome({mark, admin, target}) == "200");
}

TEST_CASE("a connection that was lost while nobody used it is made again", "[console]") {
    fixture f(shared_database(), one_connection);
    REQUIRE(f.outcome({mark, f.admin, to_string(random_id())}) == "200");
    pg::client superuser(shared_database().superuser_url(), "tests");
    auto const ended = superuser.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = "
                                     "'recruiting-auth-api console' AND datname = current_database()");
    REQUIRE(ended.size() >= 1);
    CHECK(f.outcome({mark, f.admin, f.target}) == "200");
}

TEST_CASE("a commit whose answer does not come has an unknown outcome", "[console]") {
    test_database database;
    database.owner().script(
        "CREATE TABLE recruiting.slow_commits (v int); GRANT INSERT ON recruiting.slow_commits TO recruiting_auth;"
        "CREATE FUNCTION recruiting.sleep_at_commit() RETURNS trigger LANGUAGE plpgsql AS "
        "'BEGIN PERFORM pg_sleep(4); RETURN NULL; END';"
        "CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON recruiting.slow_commits DEFERRABLE INITIALLY DEFERRED "
        "FOR EACH ROW EXECUTE FUNCTION recruiting.sleep_at_commit()");
    fixture f(database, impatient);
    auto const made = f.call({mark_and_commit_slowly, f.admin, f.target});
    REQUIRE(made.error.has_value());
    CHECK(made.error->code == error_code::outcome_unknown);
    auto const until = std::chrono::steady_clock::now() + 10s;
    while (!f.marked() && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(20ms);
    CHECK(f.marked()); // it had happened after all
}

TEST_CASE("a server that was replaced acknowledges no change", "[console]") {
    fixture f(shared_database(), one_connection);
    CHECK(f.outcome({mark_on_a_replaced_server, f.admin, f.target}) == "500 outcome_unknown");
    CHECK(f.is_unavailable(mark));
}

TEST_CASE("a server that was replaced while nobody used its connection takes no change", "[console]") {
    fixture f(shared_database(), one_connection);
    REQUIRE(f.outcome({mark, f.admin, to_string(random_id())}) == "200");
    see_a_later_timeline(*f.config, f.owner);
    CHECK(f.is_unavailable(mark));
    CHECK_FALSE(f.marked());
}

TEST_CASE("a change that takes too long is undone, and the next works", "[console]") {
    fixture f(shared_database(), impatient);
    CHECK(f.is_unavailable(wait_forever));
    CHECK(f.outcome({mark, f.admin, f.target}) == "200");
}

TEST_CASE_METHOD(fixture, "a change that waits for a lock for too long is unavailable", "[console]") {
    pg::transaction const held(owner);
    owner.run("SELECT FROM recruiting.organizations WHERE slug = $1 FOR UPDATE", pg::params{}.text(slug));
    CHECK(is_unavailable(lock_self));
}

TEST_CASE("a database that is unavailable is reported, and again by the next change", "[console]") {
    fixture f(shared_database(), [](change_pool_settings& how) {
        how.database_url = "postgresql://recruiting_auth@127.0.0.1:1/recruiting";
        how.connections = 1;
    });
    CHECK(f.is_unavailable(mark));
    CHECK(f.is_unavailable(mark));
}

TEST_CASE("the queue is bounded", "[console]") {
    fixture f(shared_database(), one_waits);
    calls c(f);
    c.start(mark_and_sleep, f.target);
    std::this_thread::sleep_for(100ms); // the one thread has taken it up
    c.start(mark, to_string(random_id()));
    c.start(mark, to_string(random_id()));
    c.wait_for(1);
    CHECK(c.ended == "unavailable ");
    c.wait_for(2);
    CHECK(c.ended.find("unavailable done ") == 0);
    c.wait_for(3);
    CHECK(c.ended.find("unavailable done done ") == 0);
}

TEST_CASE("one organization runs one change at a time, and few wait: it keeps no other's from running", "[console]") {
    fixture f(shared_database(), patient);
    fixture other;
    auto const second = f.join("second", role::admin);
    auto const third = f.join("third", role::admin);
    calls c(f);
    f.owner.run("SELECT pg_advisory_lock(hashtext($1))", pg::params{}.text(f.slug));
    c.start(pass_gate, f.target);
    CHECK(eventually([&] { return f.database.has_lock_waiter(); }));
    for (int i = 0; i < 7; ++i) c.start(pass_gate, f.target);
    c.start(pass_gate, f.target); // the ninth of a member, who may have eight
    c.wait_for(1);
    CHECK(c.ended == "unavailable ");
    for (int i = 0; i < 8; ++i) c.start(pass_gate, f.target, second, f.organization.id);
    CHECK(f.outcome({mark, other.admin, other.target, "{}", {}, other.organization.id}) == "200");
    CHECK(other.marked());                                      // the second thread was free
    c.start(pass_gate, f.target, third, other.organization.id); // as many of the organization wait as may
    c.wait_for(2);
    CHECK(c.ended == "unavailable unavailable ");
    f.owner.run("SELECT pg_advisory_unlock(hashtext($1))", pg::params{}.text(f.slug));
    c.wait_for(18);
    CHECK(std::ranges::count(c.ended, 'd') == 16);
}

TEST_CASE("organizations take turns, however many changes one has waiting", "[console]") {
    fixture f(shared_database(), [](change_pool_settings& how) {
        patient(how);
        how.connections = 1;
    });
    fixture other;
    calls c(f);
    f.owner.run("SELECT pg_advisory_lock(hashtext($1))", pg::params{}.text(f.slug));
    c.start(pass_gate, f.target);
    CHECK(eventually([&] { return f.database.has_lock_waiter(); }));
    for (int i = 0; i < 7; ++i) c.start(mark_and_sleep, to_string(random_id()));
    std::thread opener([&] {
        std::this_thread::sleep_for(200ms); // the other's change waits meanwhile
        f.owner.run("SELECT pg_advisory_unlock(hashtext($1))", pg::params{}.text(f.slug));
    });
    CHECK(f.outcome({mark, other.admin, other.target, "{}", {}, other.organization.id}) == "200");
    opener.join();
    c.context.poll();
    CHECK(std::ranges::count(c.ended, ' ') <= 4); // of eight that were there before
    c.wait_for(8);
}

TEST_CASE("stopping lets the running change end and refuses those that wait", "[console]") {
    fixture f(shared_database(), one_connection);
    calls c(f);
    c.start(mark_and_sleep, f.target);
    std::this_thread::sleep_for(100ms);
    c.start(mark, to_string(random_id()));
    f.pool->stop();
    c.start(mark, to_string(random_id()));
    c.wait_for(3);
    CHECK(f.marked());
    CHECK(c.ended == "unavailable done unavailable ");
}

TEST_CASE("many threads change at once", "[console]") {
    fixture f;
    std::vector<std::thread> threads;
    std::atomic<int> done{0};
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&f, &done] {
            calls c(f);
            for (int n = 0; n < 10; ++n) {
                c.start(mark, to_string(random_id()));
                c.wait_for(n + 1);
                if (c.ended.ends_with("done ")) ++done;
            }
        });
    for (auto& one : threads) one.join();
    CHECK(done == 40);
}

} // namespace change_pool_test
