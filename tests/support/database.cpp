#include "support/database.hpp"

#include "recruitctl/commands/migrations.hpp"

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <unistd.h>

namespace recruiting::test {
namespace {

std::string server_url() {
    auto const* url = std::getenv("RECRUITING_TEST_DATABASE_URL");
    if (url == nullptr || *url == '\0')
        throw std::runtime_error("RECRUITING_TEST_DATABASE_URL is not set: a superuser's URL of a private PostgreSQL, "
                                 "such as scripts/test starts");
    return url;
}

// postgresql://user:password@host:port/database?options with other parts put in.
std::string with(std::string const& url, std::string const& database, std::string const& user = {}) {
    auto const authority = url.find("://") + 3;
    auto const path = url.find_first_of("/?", authority);
    auto const query = url.find('?', authority);
    auto host = url.substr(authority, path == std::string::npos ? path : path - authority);
    if (!user.empty()) {
        auto const at = host.rfind('@');
        host = user + ":test@" + (at == std::string::npos ? host : host.substr(at + 1));
    }
    return url.substr(0, authority) + host + "/" + database + (query == std::string::npos ? "" : url.substr(query));
}

constexpr char const* make_roles = R"(
DO $$
DECLARE role text;
BEGIN
    FOREACH role IN ARRAY ARRAY['recruiting_owner', 'recruiting_auth', 'recruiting_public'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
            EXECUTE format('CREATE ROLE %I', role);
        END IF;
        EXECUTE format('ALTER ROLE %I LOGIN PASSWORD %L', role, 'test');
    END LOOP;
END $$;
)";

std::string file_text(std::string const& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string postgresql_script(std::string const& name) {
    return file_text(RECRUITING_SOURCE_DIR "/deploy/postgresql/" + name);
}

std::string next_name() {
    static std::atomic<int> counter{0};
    return "recruiting_test_" + std::to_string(getpid()) + "_" + std::to_string(++counter);
}

// The rows of requests, sealed or not: a test that looks for one need not wait for its sequence.
constexpr char const* make_audit_rows = R"(
CREATE VIEW audit_rows AS
SELECT id, occurred_at, organization_id, credential_id, credential_name, actor_type, actor_member_id, actor_email,
       actor_role, action, method, endpoint, path, target_type, target_id, status_code, success, error_code,
       required_scope, ip_address, user_agent, request_id, session_id, correlation_id, duration_ms, request_count
  FROM recruiting.audit_log
 UNION ALL
SELECT e.* FROM recruiting.audit_intake i CROSS JOIN LATERAL unnest(i.events) AS e;
)";

// Named for what it holds, so that another schema gets another template.
std::string template_name() {
    auto text = postgresql_script("confine_roles.sql") + make_audit_rows;
    for (auto const& one : recruitctl::read_migrations(migrations_directory())) text += one.name + one.sql;
    return "recruiting_test_template_" + std::to_string(std::hash<std::string>{}(text));
}

// Migrated by the first test program that needs it, and copied by all for every test that wants its own: ctest starts a
// program for each test case. A program that is killed meanwhile leaves no template, because the name comes last.
std::string const& migrated_template() {
    static auto const name = [] {
        auto wanted = template_name();
        pg::client server(server_url(), "tests");
        server.script("SELECT pg_advisory_lock(hashtext('recruiting tests: template'))");
        if (server.run("SELECT FROM pg_database WHERE datname = $1", pg::params().text(wanted)).size() > 0)
            return wanted;
        test_database database(migrated::no);
        {
            pg::client owner(database.owner_url(), "tests");
            recruitctl::apply_migrations(owner, recruitctl::read_migrations(migrations_directory()));
            owner.script(make_audit_rows);
        }                                    // what is in use can't be renamed or copied
        database.apply("confine_roles.sql"); // as a superuser does it after the first start
        server.script("ALTER DATABASE " + database.name() + " RENAME TO " + wanted);
        return wanted;
    }();
    return name;
}

} // namespace

test_database::test_database(migrated state) : name_(next_name()) {
    pg::client server(server_url(), "tests");
    lock_roles()->script(make_roles);
    auto const source =
        state == migrated::yes ? " TEMPLATE " + migrated_template() + " STRATEGY file_copy" : std::string();
    server.script("CREATE DATABASE " + name_ + " OWNER recruiting_owner" + source);
}

test_database::~test_database() {
    owner_.reset();
    try {
        pg::client server(server_url(), "tests");
        server.script("DROP DATABASE IF EXISTS " + name_ + " WITH (FORCE)");
    } catch (std::exception const&) { // a server that was stopped meanwhile takes its databases along
    }
}

std::string test_database::superuser_url() const { return with(server_url(), name_); }
std::string test_database::owner_url() const { return with(server_url(), name_, "recruiting_owner"); }
std::string test_database::auth_url() const { return with(server_url(), name_, "recruiting_auth"); }
std::string test_database::public_url() const { return with(server_url(), name_, "recruiting_public"); }

pg::client& test_database::owner() {
    if (!owner_) owner_ = std::make_unique<pg::client>(owner_url(), "tests");
    return *owner_;
}

bool test_database::has_lock_waiter() const {
    pg::client server(superuser_url(), "tests");
    return !server.run("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()")
                .empty();
}

void test_database::apply(std::string const& script) {
    auto const alone = lock_roles();
    pg::client(superuser_url(), "tests").script(postgresql_script(script));
}

std::unique_ptr<pg::client> lock_roles() {
    auto out = std::make_unique<pg::client>(server_url(), "tests");
    out->script("SELECT pg_advisory_lock(hashtext('recruiting tests: roles'))");
    return out;
}

test_database& shared_database() {
    static test_database database;
    return database;
}

std::string migrations_directory() { return RECRUITING_SOURCE_DIR "/deploy/migrations"; }

} // namespace recruiting::test
