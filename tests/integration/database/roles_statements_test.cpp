// What a service that was taken over can do with statements of its own (threat_model.md): every command of PostgreSQL
// is tried as each service's role, in a database as deploy/postgresql/confine_roles.sql leaves it.
#include "pg/error.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"

#include <fstream>
#include <iterator>
#include <sstream>

namespace roles_statements_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

constexpr auto denied = "42501";

std::string text_of(std::string const& path) {
    std::ifstream file(migrations_directory() + "/../../" + path);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string replaced(std::string text, std::string const& mark, std::string const& by) {
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + by.size()))
        text.replace(at, mark.size(), by);
    return text;
}

struct taken_over {
    explicit taken_over(std::string name)
        : role(std::move(name)),
          attacker(role == "recruiting_auth" ? database.auth_url() : database.public_url(), "tests") {
        superuser.script(text_of("tests/integration/database/roles_samples.sql"));
        superuser.script("REVOKE TEMPORARY ON DATABASE " + database.name() +
                         " FROM PUBLIC"); // a copy has its own rights
    }
    ~taken_over() { superuser.script("DROP SUBSCRIPTION sample_subscription"); } // or the database could not be dropped
    taken_over(taken_over const&) = delete;
    taken_over& operator=(taken_over const&) = delete;

    /// "" when it succeeds, else the SQLSTATE.
    std::string state_of(std::string const& sql) {
        try {
            attacker.script(sql);
            return {};
        } catch (pg::query_error const& error) {
            return error.sqlstate();
        }
    }
    /// The same, and nothing of it stays.
    std::string state_if_undone(std::string const& sql) {
        pg::transaction const undone(attacker);
        return state_of(sql);
    }
    /// Everybody's, on everything, and the policies.
    std::string rights() {
        auto const found = superuser.run(
            "SELECT md5(string_agg(one, ' ' ORDER BY one)) FROM (SELECT proname || proacl::text AS one FROM pg_proc "
            "UNION ALL SELECT relname || relacl::text FROM pg_class UNION ALL SELECT nspname || nspacl::text FROM "
            "pg_namespace UNION ALL SELECT attname || attacl::text FROM pg_attribute UNION ALL SELECT p::text FROM "
            "pg_policies p) AS every");
        return std::string(found.text(0, 0));
    }
    bool may(std::string const& what) { return superuser.run("SELECT " + what).boolean(0, 0); }

    std::string role;
    test_database database;
    pg::client superuser{database.superuser_url(), "tests"};
    pg::client attacker;
};

} // namespace

TEST_CASE("a service's role may run no command but those of its work", "[roles]") {
    auto const role = GENERATE(as<std::string>{}, "recruiting_auth", "recruiting_public");
    taken_over t(role);
    std::istringstream lines(text_of("tests/integration/database/roles_statements.sql"));
    int tried = 0;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("--")) continue;
        auto const sql = replaced(replaced(line, "{role}", role), "{database}", t.database.name());
        INFO(sql);
        CHECK(t.state_of(sql) == denied);
        ++tried;
    }
    CHECK(tried > 200);
    CHECK(t.state_of("ALTER ROLE " + role + " RENAME TO mine") == "0A000");              // nobody renames who they are
    CHECK(t.state_of("SECURITY LABEL ON TABLE recruiting.sample IS 'mine'") == "22023"); // the server has no labels
    // PostgreSQL answers these with a warning, and does nothing.
    for (auto const* sql :
         {"GRANT CREATE ON SCHEMA recruiting TO PUBLIC", "GRANT CONNECT ON DATABASE postgres TO PUBLIC",
          "VACUUM recruiting.sample", "ANALYZE recruiting.sample"})
        CHECK(t.state_of(sql).empty());
    CHECK_FALSE(t.may("has_schema_privilege('" + role + "', 'recruiting', 'CREATE')"));
    CHECK_FALSE(t.may("EXISTS (SELECT FROM pg_stats WHERE tablename = 'sample')"));
}

TEST_CASE("a service's role connects to no other database", "[roles]") {
    auto const role = GENERATE(as<std::string>{}, "recruiting_auth", "recruiting_public");
    taken_over t(role);
    for (std::string const other : {"postgres", "template1", "template0"}) {
        INFO(other);
        auto const url = replaced(role == "recruiting_auth" ? t.database.auth_url() : t.database.public_url(),
                                  "/" + t.database.name(), "/" + other);
        CHECK_THROWS_AS(pg::client(url, "tests"), pg::connection_lost);
    }
    // Those of other tests are databases of this system too.
    CHECK_FALSE(t.may("EXISTS (SELECT FROM pg_database WHERE datallowconn AND datname !~ '^recruiting_test_' "
                      "AND has_database_privilege('" +
                      role + "', datname, 'CONNECT'))"));
}

TEST_CASE("a service's role creates no large objects, and reads none", "[roles]") {
    auto const role = GENERATE(as<std::string>{}, "recruiting_auth", "recruiting_public");
    taken_over t(role);
    t.superuser.script("GRANT ALL ON LARGE OBJECT 4242 TO PUBLIC");
    for (auto const* sql : {"SELECT lo_get(4242)", "SELECT lo_put(4242, 0, 'x')", "SELECT lo_open(4242, 393216)"})
        CHECK(t.state_of(sql) == denied);
    CHECK(t.may("(SELECT count(*) = 1 FROM pg_largeobject_metadata)"));
}

TEST_CASE("a service's role takes only the locks that its work needs", "[roles]") {
    taken_over auth("recruiting_auth");
    taken_over open("recruiting_public");
    for (auto const* sql : {"SELECT pg_try_advisory_lock(1)", "SELECT pg_try_advisory_xact_lock(1)",
                            "SELECT pg_advisory_lock(1)", "SELECT pg_advisory_xact_lock_shared(1, 2)"}) {
        INFO(sql);
        CHECK(auth.state_if_undone(sql).empty()); // the queue of agent runs takes turns by it
        CHECK(open.state_of(sql) == denied);
    }
}

TEST_CASE("a service's role notifies by no function, the owner does", "[roles]") {
    taken_over t(GENERATE(as<std::string>{}, "recruiting_auth", "recruiting_public"));
    CHECK(t.state_of("SELECT pg_notify('recruiting_published', '')") == denied);
    CHECK_NOTHROW(t.database.owner().run("SELECT pg_notify('recruiting_published', '')"));
}

TEST_CASE("not defended: what PostgreSQL lets every role do to itself", "[roles]") {
    auto const role = GENERATE(as<std::string>{}, "recruiting_auth", "recruiting_public");
    taken_over t(role);
    auto const alone = lock_roles(); // two changes of a role at once: "tuple concurrently updated"
    for (std::string const& sql :
         {"ALTER ROLE " + role + " PASSWORD 'test'", "ALTER ROLE " + role + " SET work_mem = '1GB'",
          "ALTER ROLE " + role + " RESET ALL", std::string("LISTEN recruiting_published"),
          std::string("NOTIFY recruiting_published"), std::string("SET statement_timeout = 0")}) {
        INFO(sql);
        CHECK(t.state_if_undone(sql).empty());
    }
}

TEST_CASE("a service's role can't give up its rights or its policies", "[roles]") {
    auto const role = GENERATE(as<std::string>{}, "recruiting_auth", "recruiting_public");
    taken_over t(role);
    auto const before = t.rights();
    CHECK(t.state_of("DROP OWNED BY " + role) == denied);
    CHECK(t.rights() == before);
    for (std::string const sql :
         {"REVOKE ALL ON ALL TABLES IN SCHEMA recruiting FROM ", "REVOKE ALL ON SCHEMA recruiting FROM "}) {
        static_cast<void>(t.state_of(sql + role)); // refused, or answered with warnings alone
        CHECK(t.rights() == before);
    }
}

TEST_CASE("confining the roles again changes nothing", "[roles]") {
    taken_over t("recruiting_auth");
    auto const before = t.rights();
    t.superuser.script(text_of("deploy/postgresql/confine_roles.sql"));
    CHECK(t.rights() == before);
}

} // namespace roles_statements_test
