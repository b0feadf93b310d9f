// Functions that run as recruiting_owner, called or fired by a service that was taken over: what it puts in the way of
// the names they use (temporary relations, types and functions of its own) must not run with the owner's rights.
#include "integration/auth_api/background/booking_harness.hpp"
#include "recruitctl/commands/migrations.hpp"
#include "support/catch.hpp"

namespace roles_owner_functions_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

// Whoever runs these leaves his name in a setting.
constexpr auto traps = R"sql(
CREATE FUNCTION pg_temp.caught() RETURNS pg_catalog.oid LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_catalog.set_config('tests.caught',
        pg_catalog.concat_ws(' ', pg_catalog.current_setting('tests.caught', true), current_user), false);
    RETURN 1; END $$;
CREATE FUNCTION pg_temp.holds(value pg_catalog.text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_temp.caught(); RETURN true; END $$;
CREATE VIEW pg_temp.pg_class AS SELECT pg_temp.caught() AS oid, 'audit_log_2001_01'::pg_catalog.text AS relname;
CREATE VIEW pg_temp.pg_inherits AS SELECT pg_temp.caught() AS inhrelid, pg_temp.caught() AS inhparent;
CREATE DOMAIN pg_temp.text AS pg_catalog.text CHECK (pg_temp.holds(value));
GRANT SELECT ON pg_temp.pg_class, pg_temp.pg_inherits TO PUBLIC;
)sql";

std::string caught(pg::client& by) {
    auto const found = by.run("SELECT coalesce(pg_catalog.current_setting('tests.caught', true), '')");
    return std::string(found.text(0, 0));
}

} // namespace

TEST_CASE("recruiting_auth puts nothing of its own before what retention and months ahead use", "[roles]") {
    test_database database;
    pg::client attacker(database.auth_url(), "tests");
    attacker.script(traps);
    attacker.run("SELECT oid FROM pg_class"); // they do catch
    REQUIRE(caught(attacker).find("recruiting_auth") != std::string::npos);
    attacker.run("SELECT recruiting.make_audit_partitions(NULL)");
    attacker.run("SELECT recruiting.drop_audit_partitions('31 days')");
    CHECK(caught(attacker).find("recruiting_owner") == std::string::npos);
}

TEST_CASE("recruiting_public puts nothing of its own before what a changed booking sets off", "[roles]") {
    booking_system s;
    s.add_candidate("ann@mail.example");
    auto const interviewer = s.add_interviewer();
    s.open_slot(interviewer, 24);
    s.ask("ann@mail.example", 24);
    s.work();
    auto const hash = to_string(random_id()) + to_string(random_id());
    s.change(
        "INSERT INTO recruiting.booking_tokens (hash, join_hash, organization_id, booking_id, expires_at) "
        "SELECT decode('" +
        hash +
        "', 'hex'), sha256(id::text::bytea), organization_id, id, now() + interval '1 day' FROM recruiting.bookings");
    pg::client attacker(s.database.public_url(), "tests");
    attacker.script(traps);
    attacker.run("SELECT set_config('recruiting.booking_token', $1, false)", pg::params().text(hash));
    CHECK(attacker.run("SELECT FROM recruiting.presented_meeting").size() == 1);
    CHECK(attacker.run("UPDATE recruiting.bookings SET status = 'canceled'").affected() == 1);
    CHECK_FALSE(attacker.run("SELECT recruiting.decline_interview()").boolean(0, 0));
    CHECK(caught(attacker).find("recruiting_owner") == std::string::npos);
}

TEST_CASE("every function that runs as its owner says where it looks, and for temporary names last", "[roles]") {
    auto const others = shared_database().owner().run(
        "SELECT p.oid::regprocedure::text FROM pg_proc p WHERE p.pronamespace = 'recruiting'::regnamespace "
        "AND p.prosecdef AND NOT coalesce('search_path=pg_catalog, pg_temp' = ANY (p.proconfig), false)");
    for (int row = 0; row < others.size(); ++row) UNSCOPED_INFO(std::string(others.text(row, 0)));
    CHECK(others.empty());
}

TEST_CASE("services make no temporary tables, the owner does", "[roles]") {
    test_database database(migrated::no); // a copy of the template would not have the database's own rights
    recruitctl::apply_migrations(database.owner(), recruitctl::read_migrations(migrations_directory()));
    auto const may = [&](std::string const& role) {
        return database.owner()
            .run("SELECT has_database_privilege($1, current_database(), 'TEMPORARY')", pg::params().text(role))
            .boolean(0, 0);
    };
    CHECK_FALSE(may("recruiting_auth"));
    CHECK_FALSE(may("recruiting_public"));
    CHECK(may("recruiting_owner"));
}

} // namespace roles_owner_functions_test
