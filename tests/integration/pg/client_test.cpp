// The blocking client: types, errors, transactions, COPY.
#include "integration/support/loopback_server.hpp"
#include "pg/client.hpp"
#include "pg/servers.hpp"
#include "pg/url.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"

#include <chrono>
#include <limits>

namespace client_test {
using namespace recruiting;
using recruiting::test::shared_database;

TEST_CASE("values of every type come back as they were sent", "[pg]") {
    auto& database = shared_database().owner();
    auto const id = random_id();
    auto const time = parse_time("1969-12-31T23:59:59.123456Z").value();
    std::string const bytes("\0\x01\xff'\\", 5);
    auto const found = database.run(
        "SELECT $1::text, $2::uuid, $3::timestamptz, $4::boolean, $5::smallint, $6::integer, $7::bigint, $8::bytea, "
        "$9::text[]::text, $10::text, '2000-01-01T00:00:00Z'::timestamptz",
        pg::params{}
            .text("ä'\"\\")
            .id(id)
            .time(time)
            .boolean(true)
            .integer(-7)
            .integer(std::numeric_limits<int>::min())
            .integer(std::numeric_limits<std::int64_t>::max())
            .bytes(bytes)
            .text_array({"a", "b,\"c\\", "", "NULL", "{}"})
            .null());
    REQUIRE(found.size() == 1);
    REQUIRE(found.columns() == 11);
    REQUIRE(found.text(0, 0) == "ä'\"\\");
    REQUIRE(found.id(0, 1) == id);
    REQUIRE(found.time(0, 2) == time);
    REQUIRE(found.boolean(0, 3));
    REQUIRE(found.integer(0, 4) == -7);
    REQUIRE(found.integer(0, 5) == std::numeric_limits<int>::min());
    REQUIRE(found.integer(0, 6) == std::numeric_limits<std::int64_t>::max());
    REQUIRE(found.bytes(0, 7) == bytes);
    REQUIRE(found.text(0, 8) == R"({a,"b,\"c\\","","NULL","{}"})");
    REQUIRE(found.is_null(0, 9));
    REQUIRE_FALSE(found[0].from(9).optional_text().has_value());
    using value = pg::column_value;
    CHECK(found.optional_value(0, 0) == value(std::string_view("ä'\"\\")));
    CHECK(found.optional_value(0, 1) == value(id));
    CHECK(found.optional_value(0, 2) == value(time));
    CHECK(found.optional_value(0, 3) == value(true));
    CHECK(found.optional_value(0, 4) == value(std::int64_t{-7}));
    CHECK(found.optional_value(0, 5) == value(std::int64_t{std::numeric_limits<int>::min()}));
    CHECK(found.optional_value(0, 6) == value(std::numeric_limits<std::int64_t>::max()));
    CHECK_FALSE(found.optional_value(0, 9).has_value());
    REQUIRE(found.time(0, 10) == parse_time("2000-01-01T00:00:00Z"));
}

TEST_CASE("reading a column as another type is a bug, not a value", "[pg]") {
    auto const found = shared_database().owner().run("SELECT 1::integer, 'abc'::text, NULL::integer");
    REQUIRE_THROWS_AS(found.id(0, 0), std::logic_error);
    REQUIRE_THROWS_AS(found.time(0, 0), std::logic_error);
    REQUIRE_THROWS_AS(found.boolean(0, 0), std::logic_error);
    REQUIRE_THROWS_AS(found.integer(0, 1), std::logic_error);
    REQUIRE_THROWS_AS(found.integer(0, 2), std::logic_error);
    REQUIRE_THROWS_AS(found.text(1, 0), std::logic_error);
    REQUIRE_THROWS_AS(found.text(0, 3), std::logic_error);
}

TEST_CASE("errors carry SQLSTATE and constraint, and no values of the row", "[pg]") {
    auto& database = shared_database().owner();
    database.script("CREATE TEMPORARY TABLE IF NOT EXISTS t (v text CONSTRAINT t_once UNIQUE)");
    database.run("INSERT INTO t VALUES ($1)", pg::params{}.text("private@example.com"));
    try {
        database.run("INSERT INTO t VALUES ($1)", pg::params{}.text("private@example.com"));
        FAIL("inserted twice");
    } catch (pg::query_error const& error) {
        REQUIRE(error.sqlstate() == pg::unique_violation);
        REQUIRE(error.constraint() == "t_once");
        REQUIRE(std::string(error.what()).find("private") == std::string::npos);
    }
    REQUIRE_THROWS_AS(database.run("SELECT $1::text", pg::params{}.text(std::string_view("a\0b", 3))), pg::query_error);
    REQUIRE_THROWS_AS(database.run("SELEC"), pg::query_error);
    REQUIRE(database.run("SELECT 1").integer(0, 0) == 1);
    database.script("DROP TABLE t");
}

TEST_CASE("a script may change what prepared statements return", "[pg]") {
    auto& database = shared_database().owner();
    database.script("CREATE TEMPORARY TABLE changing (a int)");
    REQUIRE(database.run("SELECT * FROM changing").columns() == 1);
    database.script("ALTER TABLE changing ADD b int");
    REQUIRE(database.run("SELECT * FROM changing").columns() == 2);
    database.script("DROP TABLE changing");
}

TEST_CASE("a transaction ends with commit or not at all", "[pg]") {
    auto& database = shared_database().owner();
    database.script("CREATE TEMPORARY TABLE kept (v int)");
    {
        pg::transaction left(database);
        database.run("INSERT INTO kept VALUES (1)");
    }
    REQUIRE(database.run("SELECT FROM kept").empty());
    {
        pg::transaction broken(database);
        REQUIRE_THROWS_AS(database.run("SELECT 1 / 0"), pg::query_error);
        REQUIRE_THROWS_AS(broken.commit(), std::logic_error);
    }
    {
        pg::transaction good(database);
        REQUIRE(database.run("INSERT INTO kept VALUES (1), (2)").affected() == 2);
        good.commit();
    }
    REQUIRE(database.run("SELECT FROM kept").size() == 2);
    database.script("DROP TABLE kept");
}

TEST_CASE("COPY takes text lines, and names the line that is wrong", "[pg]") {
    auto& database = shared_database().owner();
    database.script("CREATE TEMPORARY TABLE copied (n int, v text)");
    std::string lines;
    for (int i = 0; i < 1000; ++i) {
        lines += std::to_string(i) + "\t";
        pg::append_copy_text(lines, "a\tb\nc\r\\d");
        lines += "\n";
    }
    database.copy_start("COPY copied FROM STDIN");
    database.copy_send(lines);
    REQUIRE(database.copy_finish() == 1000);
    REQUIRE(database.run("SELECT DISTINCT v FROM copied").text(0, 0) == "a\tb\nc\r\\d");
    database.copy_start("COPY copied FROM STDIN");
    database.copy_send("1\tx\nsecret\ty\n");
    try {
        database.copy_finish();
        FAIL("copied");
    } catch (pg::query_error const& error) {
        REQUIRE(std::string(error.what()).find("line 2") != std::string::npos);
    }
    REQUIRE(database.run("SELECT FROM copied").size() == 1000);
    database.script("DROP TABLE copied");
}

TEST_CASE("a backend that dies is an outage", "[pg]") {
    pg::client victim(shared_database().owner_url());
    auto const process = victim.run("SELECT pg_backend_pid()").integer(0, 0);
    REQUIRE(shared_database()
                .owner()
                .run("SELECT pg_terminate_backend($1::integer, 5000)", pg::params{}.integer(process))
                .boolean(0, 0));
    REQUIRE_THROWS_AS(victim.run("SELECT 1"), pg::connection_lost);
    REQUIRE_THROWS_AS(victim.run("SELECT 2"), pg::connection_lost);
    REQUIRE(pg::is_accepting(shared_database().owner_url()));
    REQUIRE_FALSE(pg::is_accepting("postgresql://127.0.0.1:1/none"));
}

TEST_CASE("a host that closes the connection is left for the next one", "[pg]") {
    test::loopback_server const closes([](int, std::atomic<bool> const&) {});
    auto options = pg::options_of(shared_database().owner_url()).value();
    options["host"] = "127.0.0.1," + options["host"];
    options["port"] = std::to_string(closes.port()) + "," + options["port"];
    std::string both;
    for (auto const& [keyword, value] : options) both.append(keyword).append("='").append(value).append("' ");
    pg::client client(both);
    REQUIRE(client.run("SELECT 1").integer(0, 0) == 1);
    REQUIRE(closes.connections() == 1);
    REQUIRE(pg::is_accepting(both));
}

TEST_CASE("a server that was replaced is noticed, and not connected to again", "[pg]") {
    pg::client_options how;
    how.servers = std::make_shared<pg::known_servers>();
    pg::client client(shared_database().owner_url(), how);
    auto const answer = client.run(pg::select_line);
    auto newer = pg::read_line(answer[0]);
    newer.timeline += 1;
    REQUIRE_FALSE(client.superseded());
    REQUIRE(how.servers->refuse(newer).empty());
    REQUIRE(client.superseded());
    REQUIRE_THROWS_AS(pg::client(shared_database().owner_url(), how), pg::connection_lost);
}

TEST_CASE("transactions within another one are parts of it", "[pg]") {
    pg::client database(shared_database().owner_url(), "tests");
    database.script("CREATE TEMPORARY TABLE enclosed (v int)");
    auto const add = [&](int value, bool commits) {
        pg::transaction inner(database);
        database.run("INSERT INTO enclosed VALUES ($1)", pg::params{}.integer(value));
        if (commits) inner.commit();
    };
    auto const values = [&] {
        auto const found = database.run("SELECT coalesce(string_agg(v::text, ' ' ORDER BY v), '') FROM enclosed");
        return std::string(found.text(0, 0));
    };
    {
        pg::transaction outer(database);
        add(1, true);
        add(2, false); // undone, and the others stay
        add(3, true);
        outer.commit();
    }
    REQUIRE(values() == "1 3");
    {
        pg::transaction const left(database);
        add(4, true);
    }
    REQUIRE(values() == "1 3");
    add(5, true); // a transaction of its own again
    REQUIRE(values() == "1 3 5");
}

TEST_CASE("a transaction that is left for an error leaves none open", "[pg]") {
    pg::client database(shared_database().owner_url(), "tests");
    {
        pg::transaction const failing(database);
        REQUIRE_THROWS_AS(database.run("SELECT 1 / 0"), pg::query_error);
    }
    pg::transaction next(database);
    REQUIRE(database.run("SELECT 1").integer(0, 0) == 1);
    next.commit();
}

TEST_CASE("a statement in an inner transaction that fails spoils only that one", "[pg]") {
    pg::client database(shared_database().owner_url(), "tests");
    pg::transaction outer(database);
    try {
        pg::transaction inner(database);
        database.run("SELECT 1 / 0");
    } catch (pg::query_error const&) {
    }
    REQUIRE(database.run("SELECT 1").integer(0, 0) == 1);
    REQUIRE_NOTHROW(outer.commit());
}

TEST_CASE("options hold for the session, and a deadline ends every wait", "[pg]") {
    using namespace std::chrono_literals;
    pg::client_options how;
    how.application_name = "tests";
    how.options = "-c statement_timeout=60000 -c lock_timeout=1234";
    pg::client database(shared_database().owner_url(), how);
    REQUIRE(database.run("SHOW lock_timeout").text(0, 0) == "1234ms");
    database.set_deadline(std::chrono::steady_clock::now() + 30s);
    REQUIRE(database.run("SELECT $1::text", pg::params{}.text("x")).text(0, 0) == "x");
    REQUIRE_THROWS_AS(database.run("SELECT 1 / 0"), pg::query_error);
    REQUIRE_NOTHROW(database.script("SELECT 1; SELECT 2"));
    REQUIRE_THROWS_AS(database.script("SELECT 1; SELECT 1 / 0; SELECT 2"), pg::query_error);
    database.set_deadline(std::chrono::steady_clock::now() + 50ms);
    auto const began = std::chrono::steady_clock::now();
    REQUIRE_THROWS_AS(database.run("SELECT pg_sleep(60)"), pg::connection_lost);
    REQUIRE(std::chrono::steady_clock::now() - began < 30s);
    database.set_deadline(std::nullopt);
    REQUIRE_THROWS_AS(database.run("SELECT 1"), pg::connection_lost); // its answer could be another statement's
}

} // namespace client_test
