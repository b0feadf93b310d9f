// A connection serves only as the program's own role; any other one is reported in words, at the start and while it
// runs.
#include "auth_api/settings.hpp"
#include "integration/auth_api/harness.hpp"
#include "integration/support/http_server_harness.hpp"
#include "pg/schema_store.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

namespace service_role_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

/// What a program of this role finds wrong with the connection.
std::string fault_of(std::string const& url, pg::service_role const& role) {
    pg::client connection(url, "tests");
    pg::schema_gate gate(role);
    auto const who = connection.run(gate.who());
    try {
        gate.admit(who, connection.run(gate.version()));
    } catch (pg::query_error const& error) {
        gate.admit(who, std::nullopt, error.sqlstate());
    }
    return gate.fault();
}

// A role of the server that no other test uses, which can log in as the services' roles do.
class login_role {
public:
    explicit login_role(test_database const& of, std::string const& attributes)
        : name_("tests_login_" + of.name()), auth_url_(of.auth_url()), superuser_(of.superuser_url(), "tests") {
        run("CREATE ROLE " + name_ + " LOGIN PASSWORD 'test' " + attributes);
    }
    ~login_role() { run("DROP ROLE " + name_); }
    login_role(login_role const&) = delete;
    login_role& operator=(login_role const&) = delete;

    void run(std::string const& statement) {
        auto const alone = lock_roles();
        superuser_.script(statement);
    }
    [[nodiscard]] std::string const& name() const { return name_; }
    [[nodiscard]] std::string url() const {
        std::string const known = "recruiting_auth";
        auto out = auth_url_;
        return out.replace(out.find(known), known.size(), name_);
    }

private:
    std::string name_;
    std::string auth_url_;
    pg::client superuser_;
};

} // namespace

TEST_CASE("each program takes its own role, and no other one's", "[service_role]") {
    auto const& database = shared_database();
    CHECK(fault_of(database.auth_url(), pg::auth_role).empty());
    CHECK(fault_of(database.public_url(), pg::public_role).empty());
    CHECK(fault_of(database.public_url(), pg::auth_role) ==
          "database role recruiting_public is not recruiting_auth: correct the user in the database URL");
    CHECK(fault_of(database.auth_url(), pg::public_role) ==
          "database role recruiting_auth is not recruiting_public: correct the user in the database URL");
    for (auto const& role : {pg::auth_role, pg::public_role}) {
        CHECK(fault_of(database.owner_url(), role)
                  .starts_with("database role recruiting_owner is not " + std::string(role.name)));
        CHECK(fault_of(database.superuser_url(), role).find("gets past row-level security") != std::string::npos);
    }
}

TEST_CASE("a member of the program's role is as good, until it may do more", "[service_role]") {
    test_database const database;
    login_role login(database, "IN ROLE recruiting_auth");
    CHECK(fault_of(login.url(), pg::auth_role).empty());
    for (auto const* const other : {"recruiting_owner", "recruiting_public"}) {
        login.run("GRANT " + std::string(other) + " TO " + login.name());
        CHECK(fault_of(login.url(), pg::auth_role) == "database role " + login.name() + " may act as " + other +
                                                          ": the program needs recruiting_auth without that right");
        login.run("REVOKE " + std::string(other) + " FROM " + login.name());
    }
    login.run("ALTER ROLE " + login.name() + " BYPASSRLS");
    CHECK(fault_of(login.url(), pg::auth_role) ==
          "database role " + login.name() +
              " gets past row-level security: the program needs recruiting_auth without that right");
}

TEST_CASE("SET ROLE gives a session the program's role, and hides no right of its user", "[service_role]") {
    test_database const database;
    login_role login(database, "NOINHERIT IN ROLE recruiting_auth");
    auto const set =
        std::string(login.url().find('?') == std::string::npos ? "?" : "&") + "options=-crole%3Drecruiting_auth";
    CHECK(
        fault_of(login.url(), pg::auth_role).starts_with("database role " + login.name() + " is not recruiting_auth"));
    CHECK(fault_of(login.url() + set, pg::auth_role).empty());
    login.run("ALTER ROLE " + login.name() + " BYPASSRLS");
    CHECK(fault_of(login.url() + set, pg::auth_role).find("may act as " + login.name()) != std::string::npos);
}

TEST_CASE("rights that are not as the migrations made them are named", "[service_role]") {
    test_database database;
    struct changed_right {
        std::string change;
        std::string undo;
        std::string words;
    };
    std::vector<changed_right> const changes{
        {"REVOKE INSERT ON recruiting.audit_intake FROM recruiting_auth",
         "GRANT INSERT (events, event_count) ON recruiting.audit_intake TO recruiting_auth",
         "lacks INSERT on recruiting.audit_intake"},
        {"GRANT SELECT ON recruiting.published_jobs TO recruiting_auth",
         "REVOKE SELECT ON recruiting.published_jobs FROM recruiting_auth", "has SELECT on recruiting.published_jobs"},
        {"REVOKE USAGE ON SCHEMA recruiting FROM recruiting_auth",
         "GRANT USAGE ON SCHEMA recruiting TO recruiting_auth", "may not use the schema"},
        {"REVOKE EXECUTE ON FUNCTION recruiting.schema_version FROM recruiting_auth",
         "GRANT EXECUTE ON FUNCTION recruiting.schema_version TO recruiting_auth", "may not use the schema"},
    };
    pg::client superuser(database.superuser_url(), "tests");
    for (auto const& one : changes) {
        superuser.script(one.change);
        CHECK(fault_of(database.auth_url(), pg::auth_role) ==
              "database role recruiting_auth " + one.words + ": grant and revoke what the migrations do");
        superuser.script(one.undo);
        CHECK(fault_of(database.auth_url(), pg::auth_role).empty());
    }
}

TEST_CASE("while it runs the authenticated API notices that its role may do more, serves nothing, and recovers",
          "[service_role]") {
    test_database database;
    auto const slug = new_slug();
    make_organization(database.owner(), slug);
    auto const key = make_key(database.owner(), slug, "admin@" + slug + ".example", {"*"});
    login_role login(database, "IN ROLE recruiting_auth");
    std::uint16_t port = 0;
    auth_api_harness const api(login.url(), false, [&](auth_api::settings& of) { port = of.admin_listen.port; });
    REQUIRE(api.get("/jobs", key.secret).status == 200);
    login.run("GRANT recruiting_owner TO " + login.name());
    auto const readyz = [&] { return http_client(port).get("/readyz"); };
    CHECK(eventually([&] { return readyz().body.find("may act as recruiting_owner") != std::string::npos; }));
    CHECK(readyz().status == 503);
    CHECK(eventually([&] { return api.get("/jobs", key.secret).status == 503; }));
    login.run("REVOKE recruiting_owner FROM " + login.name());
    CHECK(eventually([&] { return readyz().status == 200; }));
    CHECK(api.get("/jobs", key.secret).status == 200);
}

} // namespace service_role_test
