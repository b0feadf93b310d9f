// Segments are transactions of their own: errors and lost connections touch only what they must.
#include "async/ticker.hpp"
#include "pg/pipeline.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <optional>

namespace pipeline_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

// Runs a coroutine to its end on a loop of its own, rethrows what it threw, and fails when it did not finish.
template <class Work>
void run_to_end(Work const& work, std::chrono::milliseconds deadline = std::chrono::seconds{30},
                std::string const& options = {}) {
    asio::io_context context{1};
    ticker clock(context, std::chrono::milliseconds{10});
    pg::pipeline_settings settings;
    settings.url = shared_database().auth_url();
    settings.segment_timeout = deadline;
    settings.options = options;
    pg::pipeline connection(context, clock, settings);
    bool finished = false;
    std::exception_ptr error;
    auto const body = [&]() -> task<void> {
        while (!connection.ready()) co_await sleep_for(std::chrono::milliseconds{5});
        try {
            co_await work(connection);
        } catch (...) {
            error = std::current_exception();
        }
        finished = true;
        context.stop();
    };
    spawn(context, body());
    context.run_for(std::chrono::seconds{60});
    if (error) std::rethrow_exception(error);
    REQUIRE(finished);
}

/// Does a pipeline with this connection string become ready?
bool connects(std::string const& url) {
    asio::io_context context{1};
    ticker clock(context, std::chrono::milliseconds{10});
    pg::pipeline_settings settings;
    settings.url = url;
    pg::pipeline connection(context, clock, settings);
    auto const end = std::chrono::steady_clock::now() + std::chrono::seconds{20};
    while (!connection.ready() && std::chrono::steady_clock::now() < end)
        context.run_for(std::chrono::milliseconds{10});
    return connection.ready();
}

std::vector<pg::statement> one(std::string sql) {
    std::vector<pg::statement> segment;
    segment.push_back({std::move(sql), {}});
    return segment;
}

// The SQLSTATE a segment fails with, "lost" for the connection, "" when it runs.
task<std::string> outcome_of(pg::pipeline& connection, std::vector<pg::statement> segment) {
    std::string outcome;
    try {
        auto const rows = co_await connection.run(std::move(segment));
        static_cast<void>(rows);
    } catch (pg::query_error const& error) {
        outcome = error.sqlstate();
    } catch (pg::connection_lost const&) {
        outcome = "lost";
    }
    co_return outcome;
}

} // namespace

TEST_CASE("an error fails its own segment and no other", "[pg][pipeline]") {
    run_to_end([](pg::pipeline& connection) -> task<void> {
        auto const before = co_await outcome_of(connection, one("SELECT 1"));
        auto const divided = co_await outcome_of(connection, one("SELECT 1/0"));
        auto const misspelt = co_await outcome_of(connection, one("SELEC 1"));
        auto const again = co_await outcome_of(connection, one("SELEC 1")); // its Parse is not taken for prepared
        auto const after = co_await outcome_of(connection, one("SELECT 1"));
        CHECK(before.empty());
        CHECK(divided == "22012");
        CHECK(misspelt == "42601");
        CHECK(again == "42601");
        CHECK(after.empty());
    });
}

TEST_CASE("a segment that fails before it prepares a statement fails no other that was sent meanwhile",
          "[pg][pipeline]") {
    run_to_end([](pg::pipeline& connection) -> task<void> {
        auto const ask = [](pg::pipeline& on, std::vector<pg::statement> segment, std::string& outcome) -> task<void> {
            outcome = co_await outcome_of(on, std::move(segment));
        };
        auto const executor = co_await asio::this_coro::executor;
        for (bool const composed : {false, true}) {
            std::string failed;
            std::vector<pg::statement> failing = one("SELECT 1/0");
            failing.push_back({"SELECT 'met twice'", {}, composed});
            asio::co_spawn(executor, ask(connection, std::move(failing), failed), asio::detached);
            std::vector<pg::statement> next;
            next.push_back({"SELECT 'met twice'", {}, composed});
            auto const meanwhile = co_await outcome_of(connection, std::move(next));
            CHECK(failed == "22012");
            CHECK(meanwhile.empty());
        }
    });
}

TEST_CASE("a segment that fails at its commit has failed", "[pg][pipeline]") {
    run_to_end([](pg::pipeline& connection) -> task<void> {
        auto const made = co_await outcome_of(
            connection, one("CREATE TEMP TABLE deferred (id integer UNIQUE DEFERRABLE INITIALLY DEFERRED)"));
        auto const twice = co_await outcome_of(connection, one("INSERT INTO deferred VALUES (1), (1)"));
        auto const after = co_await outcome_of(connection, one("SELECT 1"));
        CHECK(made.empty());
        CHECK(twice == pg::unique_violation);
        CHECK(after.empty());
    });
}

TEST_CASE("settings of a segment end with it", "[pg][pipeline]") {
    run_to_end([](pg::pipeline& connection) -> task<void> {
        auto segment = one("SELECT set_config('recruiting.role', 'admin', true)");
        segment.push_back({"SELECT coalesce(current_setting('recruiting.role', true), '')", {}});
        auto const within = co_await connection.run(std::move(segment));
        auto const after =
            co_await connection.run(one("SELECT coalesce(current_setting('recruiting.role', true), '')"));
        CHECK(within[1].text(0, 0) == "admin");
        CHECK(after[0].text(0, 0).empty());
    });
}

TEST_CASE("a backend that dies fails what is in flight, the next segments run on a new connection", "[pg][pipeline]") {
    run_to_end([](pg::pipeline& connection) -> task<void> {
        auto const died = co_await outcome_of(connection, one("SELECT pg_terminate_backend(pg_backend_pid())"));
        CHECK(died == "lost");
        while (!connection.ready()) co_await sleep_for(std::chrono::milliseconds{5});
        auto const after = co_await outcome_of(connection, one("SELECT 1"));
        CHECK(after.empty());
    });
}

TEST_CASE("a server that gives no answer is given up after the deadline", "[pg][pipeline]") {
    auto const body = [](pg::pipeline& connection) -> task<void> {
        auto const slept = co_await outcome_of(connection, one("SELECT pg_sleep(30)"));
        CHECK(slept == "lost");
    };
    run_to_end(body, std::chrono::milliseconds{500});
}

TEST_CASE("notifications arrive", "[pg][pipeline]") {
    asio::io_context context{1};
    ticker clock(context, std::chrono::milliseconds{10});
    pg::pipeline_settings settings;
    settings.url = shared_database().owner_url(); // services may not notify
    pg::pipeline connection(context, clock, settings);
    std::string heard;
    connection.listen(
        "jobs_changed",
        [&](std::string_view payload) {
            heard = payload;
            context.stop();
        },
        [] {});
    auto const notify = [&]() -> task<void> {
        while (!connection.ready()) co_await sleep_for(std::chrono::milliseconds{5});
        auto const outcome = co_await outcome_of(connection, one("SELECT pg_notify('jobs_changed', 'hello')"));
        CHECK(outcome.empty());
    };
    spawn(context, notify());
    context.run_for(std::chrono::seconds{60});
    REQUIRE(heard == "hello");
}

TEST_CASE("a statement that takes too long is cancelled, and no other with it", "[pg][pipeline]") {
    auto const body = [](pg::pipeline& connection) -> task<void> {
        auto const backend = co_await connection.run(one("SELECT pg_backend_pid()::text"));
        std::string first;
        auto const ask = [](pg::pipeline& on, std::string& outcome) -> task<void> {
            outcome = co_await outcome_of(on, one("SELECT pg_sleep(60)"));
        };
        auto const executor = co_await asio::this_coro::executor;
        asio::co_spawn(executor, ask(connection, first), asio::detached);
        auto const second = co_await connection.run(one("SELECT pg_backend_pid()::text"));
        CHECK(first == "57014");
        CHECK(second[0].text(0, 0) == backend[0].text(0, 0)); // on the same connection
    };
    run_to_end(body, std::chrono::seconds{30}, "-c statement_timeout=200");
}

TEST_CASE("a statement's deadline counts from when PostgreSQL starts it", "[pg][pipeline]") {
    auto const body = [](pg::pipeline& connection) -> task<void> {
        // The last waits for longer than the deadline until its turn comes.
        int answered = 0;
        auto const ask = [](pg::pipeline& on, int& count) -> task<void> {
            auto const outcome = co_await outcome_of(on, one("SELECT pg_sleep(0.3)"));
            if (outcome.empty()) ++count;
        };
        auto const executor = co_await asio::this_coro::executor;
        for (int i = 0; i < 6; ++i) asio::co_spawn(executor, ask(connection, answered), asio::detached);
        auto const last = co_await outcome_of(connection, one("SELECT 1"));
        CHECK(last.empty());
        CHECK(answered == 6);
    };
    run_to_end(body, std::chrono::milliseconds{1000});
}

TEST_CASE("filters beyond their number replace each other, and every answer comes", "[pg][pipeline]") {
    run_to_end([](pg::pipeline& connection) -> task<void> {
        for (int i = 0; i < 150; ++i) {
            auto const text = std::to_string(i);
            std::vector<pg::statement> segment;
            segment.push_back({"SELECT 1 + " + text, {}, true});
            segment.push_back({"SELECT 2 + " + text, {}, true});
            if (i % 3 == 0) segment.push_back({"SELECT 1 / 0", {}});
            auto const outcome = co_await outcome_of(connection, std::move(segment));
            CHECK(outcome == (i % 3 == 0 ? "22012" : ""));
        }
        auto const held = co_await connection.run(one("SELECT count(*)::text FROM pg_prepared_statements"));
        CHECK(held[0].text(0, 0) == "259"); // 256, 1 / 0, the heartbeat, and this one
    });
}

TEST_CASE("a list of hosts may leave out ports", "[pg]") {
    auto const url = shared_database().auth_url();
    auto const end = url.find('/', url.find('@'));
    CHECK(connects(url.substr(0, end) + ",127.0.0.2" + url.substr(end)));
    CHECK(connects(url.substr(0, url.find('@')) + "@127.0.0.2," + url.substr(url.find('@') + 1)));
}

} // namespace pipeline_test
