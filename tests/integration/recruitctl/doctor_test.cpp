// The doctor against a real PostgreSQL and Redis: healthy ones are, and each thing broken is named with its fix.
#include "integration/support/redis_servers.hpp"
#include "recruitctl/commands/migrations.hpp"
#include "recruitctl/doctor/database.hpp"
#include "recruitctl/doctor/diagnose.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"
#include "support/tls_certificates.hpp"

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace doctor_test {
using namespace recruiting;
using namespace recruiting::recruitctl;
using namespace recruiting::recruitctl::doctor;
using namespace std::chrono_literals;
using recruiting::test::test_database;

namespace {

namespace fs = std::filesystem;

// A directory of settings as packages leave it.
class config_directory {
public:
    config_directory() {
        auto pattern = (fs::temp_directory_path() / "recruiting-doctor-XXXXXX").string();
        REQUIRE(::mkdtemp(pattern.data()) != nullptr);
        path_ = pattern;
        fs::create_directory(path_ / "secrets");
        write("secrets/key-pepper", std::string(32, 'p'));
        write("secrets/cursor-secret", std::string(32, 'c'));
    }
    ~config_directory() { fs::remove_all(path_); }
    config_directory(config_directory const&) = delete;
    config_directory& operator=(config_directory const&) = delete;

    void write(std::string const& name, std::string const& content) const {
        std::ofstream(path_ / name) << content;
        fs::permissions(path_ / name, fs::perms::owner_read | fs::perms::owner_write);
    }
    [[nodiscard]] fs::path const& path() const noexcept { return path_; }

private:
    fs::path path_;
};

struct world {
    test_database database;
    doctor_questions ask;

    world() {
        ask.where.config_directory = "/no/such/directory";
        ask.own["RECRUITING_DATABASE_URL"] = database.owner_url();
        ask.migrations = {read_migrations(test::migrations_directory()), {}};
        ask.limit = ask.programs.limit = 20s; // what is there answers at once; a busy machine may take its time
    }
    [[nodiscard]] findings all() const { return diagnose(ask); }
};

finding named(findings const& all, std::string_view check) {
    for (auto const& one : all)
        if (one.check == check) return one;
    return {check_status::skipped, "", "no such finding", ""};
}

// What is not ok among those of a group.
std::vector<std::string> wrong_in(findings const& all, std::string_view group) {
    std::vector<std::string> out;
    for (auto const& one : all)
        if (group_of(one) == group && one.what != check_status::ok) out.push_back(one.check + ": " + one.text);
    return out;
}

} // namespace

TEST_CASE("a healthy database has no problem", "[doctor]") {
    world w;
    auto const all = w.all();
    for (auto const& one : all) {
        CAPTURE(one.check, one.text);
        // A server for tests alone may have been made quick and forgetful.
        CHECK((one.what != check_status::problem || one.check == "database.durability"));
    }
    for (auto const* const check :
         {"reach.postgres", "versions.postgres", "clock.postgres", "database.owner", "database.recruiting_auth",
          "database.row-security", "migrations.schema", "partitions.audit_log", "sealer.lag", "sealer.chains",
          "queues.mail", "queues.booking", "queues.agent"}) {
        CAPTURE(check);
        CHECK(named(all, check).what == check_status::ok);
    }
    CHECK(named(all, "reach.postgres").text.find("test@") == std::string::npos);
}

TEST_CASE("a database that nobody migrated, and one that is away", "[doctor]") {
    world w;
    test_database const empty(test::migrated::no);
    w.ask.own["RECRUITING_DATABASE_URL"] = empty.owner_url();
    CHECK(named(w.all(), "migrations.schema").fix == "recruitctl migrate");
    w.ask.own["RECRUITING_DATABASE_URL"] =
        "postgresql://u:geheim@127.0.0.1:" + std::to_string(test::free_port()) + "/d";
    auto const all = w.all();
    CHECK(named(all, "reach.postgres").what == check_status::problem);
    CHECK(named(all, "reach.postgres").text.find("geheim") == std::string::npos);
    CHECK(named(all, "migrations.schema").what == check_status::skipped);
}

TEST_CASE("migrations that are missing, changed or of a newer version", "[doctor]") {
    world w;
    auto& owner = w.database.owner();
    owner.run("UPDATE recruiting.schema_migrations SET checksum = 'other' WHERE number = 3");
    CHECK(named(w.all(), "migrations.schema").text == "0003_records.sql is not the file that was applied");
    owner.run("DELETE FROM recruiting.schema_migrations WHERE number = 3");
    CHECK(named(w.all(), "migrations.schema").text == "0003_records.sql is not applied");
    owner.run("INSERT INTO recruiting.schema_migrations (number, name, checksum) VALUES (900, '0900_new.sql', 'x')");
    CHECK(wrong_in(w.all(), "migrations").size() == 2);
}

TEST_CASE("a month without its partition", "[doctor]") {
    world w;
    auto& owner = w.database.owner();
    owner.script("DO $$ BEGIN EXECUTE 'DROP TABLE recruiting.audit_log_' || to_char(now() AT TIME ZONE 'UTC' + "
                 "interval '2 months', "
                 "'YYYY_MM'); END $$");
    CHECK(named(w.all(), "partitions.audit_log").what == check_status::warning);
    owner.script("DO $$ BEGIN EXECUTE 'DROP TABLE recruiting.audit_log_' || to_char(now() AT TIME ZONE 'UTC', "
                 "'YYYY_MM'); END $$");
    CHECK(named(w.all(), "partitions.audit_log").what == check_status::problem);
}

TEST_CASE("a sealer that lags, and a row that was changed after it was sealed", "[doctor]") {
    world w;
    auto& owner = w.database.owner();
    owner.run("INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, action, success) "
              "VALUES ('0199c1a1-c3d8-7f02-b5a6-e4d17c930f01', clock_timestamp(), "
              "gen_random_uuid(), 'system', 'x', true)");
    owner.run("UPDATE recruiting.audit_intake SET added_at = added_at - interval '1 hour'");
    CHECK(named(w.all(), "sealer.lag").what == check_status::problem);
    owner.run("SELECT recruiting.seal_audit_rows(10)");
    CHECK(named(w.all(), "sealer.chains").what == check_status::ok);
    owner.run("UPDATE recruiting.audit_log SET action = 'y'");
    auto const all = w.all();
    CHECK(named(all, "sealer.lag").what == check_status::ok);
    CHECK(named(all, "sealer.chains").what == check_status::problem);
    CHECK(named(all, "sealer.chains").text.starts_with("changed: "));
}

TEST_CASE("requests that nobody takes up, tables without row security, statistics hidden", "[doctor]") {
    world w;
    auto& owner = w.database.owner();
    owner.run(
        "INSERT INTO recruiting.booking_requests (organization_id, job_id, stage_id, starts_at, email, received_at) "
        "VALUES (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), now(), 'a@b', now() - interval '1 hour')");
    owner.script("ALTER TABLE recruiting.candidates NO FORCE ROW LEVEL SECURITY");
    auto const all = w.all();
    CHECK(named(all, "queues.booking").what == check_status::problem);
    CHECK(named(all, "database.row-security").text.find("recruiting.candidates") != std::string::npos);
    CHECK(named(all, "database.statistics").what == check_status::warning);
    w.database.apply("hide_statistics.sql");
    auto const hidden = w.all();
    CHECK(named(hidden, "database.statistics").what == check_status::ok);
    CHECK(named(hidden, "sealer.lag").what == check_status::ok);
}

TEST_CASE("a role that may look past row-level security", "[doctor]") {
    world w;
    auto const alone = test::lock_roles();
    pg::client superuser(w.database.superuser_url(), "tests");
    superuser.run("BEGIN"); // roles are the whole server's: nobody else may see this one
    superuser.script("ALTER ROLE recruiting_auth BYPASSRLS");
    auto const facts = read_database(superuser, {});
    superuser.script("ROLLBACK");
    REQUIRE(facts.roles.found);
    CHECK((*facts.roles.found)[1].bypasses_rls);
    CHECK_FALSE((*facts.roles.found)[2].bypasses_rls);
}

TEST_CASE("Redis: healthy, throwing counts away, and away", "[doctor]") {
    world w;
    test::private_redis const healthy;
    w.ask.own["RECRUITING_REDIS_URL"] = healthy.url();
    auto all = w.all();
    for (auto const* const check :
         {"reach.redis", "versions.redis", "redis.memory", "redis.persistence", "clock.redis"}) {
        CAPTURE(check, named(all, check).text);
        CHECK(named(all, check).what == check_status::ok);
    }
    test::private_redis const forgetful({"--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"});
    w.ask.own["RECRUITING_REDIS_URL"] = forgetful.url();
    CHECK(named(w.all(), "redis.memory").what == check_status::problem);
    w.ask.own["RECRUITING_REDIS_URL"] = "redis://:geheim@127.0.0.1:" + std::to_string(test::free_port());
    w.ask.limit = 1s;
    all = w.all();
    CHECK(named(all, "reach.redis").what == check_status::problem);
    CHECK(named(all, "reach.redis").text.find("geheim") == std::string::npos);
}

TEST_CASE("a Redis and a PostgreSQL that hang hold nothing up", "[doctor]") {
    world w;
    test::private_redis redis;
    w.ask.own["RECRUITING_REDIS_URL"] = redis.url();
    w.ask.limit = 500ms;
    redis.hang();
    CHECK(named(w.all(), "reach.redis").what == check_status::problem);
    redis.resume();
}

TEST_CASE("certificates: a fine one, one that has expired, one with another's key", "[doctor]") {
    world w;
    config_directory const directory;
    w.ask.where.config_directory = directory.path();
    test::certificate_authority authority;
    // Programs that run at the usual admin addresses, of scripts/up for instance, would report settings of their own.
    auto const checked = [&](tls_files const& files) {
        directory.write("gateway.conf",
                        "RECRUITING_GATEWAY_ADMIN_LISTEN=127.0.0.1:1\n"
                        "RECRUITING_GATEWAY_TLS_LISTEN=127.0.0.1:8443\nRECRUITING_GATEWAY_TLS_CERTIFICATES=" +
                            files.certificates + ":" + files.key + "\n");
        return w.all();
    };
    auto const fine = authority.issue("fine", {"DNS:jobs.example.com"}, 24h * 90);
    CHECK(named(checked(fine), "certificates.gateway").what == check_status::ok);
    CHECK(named(checked(authority.issue("short", {"DNS:jobs.example.com"}, 24h * 10)), "certificates.gateway").what ==
          check_status::warning);
    CHECK(named(checked(authority.issue("old", {"DNS:jobs.example.com"}, -1h)), "certificates.gateway")
              .text.find("has expired") != std::string::npos);
    auto const other = authority.issue("other", {"DNS:jobs.example.com"});
    CHECK(named(checked({fine.certificates, other.key}), "certificates.gateway").what == check_status::problem);
    directory.write("public-api.conf", "RECRUITING_PUBLIC_URL=https://else.example.com\n"
                                       "RECRUITING_PUBLIC_API_ADMIN_LISTEN=127.0.0.1:1\n");
    CHECK(named(checked(fine), "certificates.names").what == check_status::problem);
}

TEST_CASE("settings of packages: wrong ones, and secrets that everybody may read", "[doctor]") {
    world w;
    config_directory const directory;
    w.ask.where.config_directory = directory.path();
    w.ask.own["RECRUITING_KEY_PEPPER_FILE"] = (directory.path() / "secrets/key-pepper").string();
    directory.write("auth-api.conf", "RECRUITING_AUTH_API_THREADS=many\nRECRUITING_AUTH_API_DATABASE_URL=" +
                                         w.database.auth_url() + "\n");
    directory.write("gateway.conf", "no setting\n");
    directory.write("recruitctl.conf", "RECRUITING_DATABASE_URL=" + w.database.owner_url() + "\n");
    auto all = w.all();
    auto const program = fs::read_symlink("/proc/self/exe").parent_path() / "recruiting-auth-api";
    if (::access(program.c_str(), X_OK) == 0) {
        CHECK(named(all, "settings.auth-api").what == check_status::problem);
        CHECK(named(all, "settings.auth-api").text.find("RECRUITING_AUTH_API_THREADS must be") != std::string::npos);
    } else {
        CHECK(named(all, "settings.auth-api").what == check_status::skipped);
    }
    CHECK(named(all, "settings.gateway").what == check_status::problem);
    CHECK(named(all, "settings.public-api").what == check_status::skipped);
    CHECK(named(all, "reach.postgres-auth-api").what == check_status::ok);
    CHECK(named(all, "secrets.pepper").what == check_status::ok);
    CHECK(wrong_in(all, "secrets") ==
          std::vector<std::string>{"secrets.pepper-in-use: no auth-api with workers ran on this database yet"});
    for (auto const* const file : {"secrets/key-pepper", "recruitctl.conf"}) {
        auto const path = directory.path() / file;
        fs::permissions(path, fs::perms::others_read, fs::perm_options::add);
        auto const wrong = wrong_in(w.all(), "secrets").front();
        CHECK(wrong.find("all users of this host can read") != std::string::npos);
        CHECK(wrong.find(path.string()) != std::string::npos);
        fs::permissions(path, fs::perms::others_read, fs::perm_options::remove);
    }
    directory.write("auth-api.conf", "RECRUITING_AUTH_API_DATABASE_URL=" + w.database.public_url() + "\n");
    CHECK(named(w.all(), "reach.postgres-auth-api").text.find("recruiting_public") != std::string::npos);
    directory.write("auth-api.conf", "");
    CHECK(named(w.all(), "reach.postgres-auth-api").fix.find("auth-api.conf") != std::string::npos);
}

TEST_CASE("a program of scripts/up whose process is gone is looked for where it listened", "[doctor]") {
    world w;
    config_directory const directory;
    fs::create_directory(directory.path() / "state");
    auto const port = std::to_string(test::free_port());
    directory.write("state/listen.auth-api-admin", "127.0.0.1:" + port + "\n");
    w.ask.where.run_directory = directory.path();
    auto const all = w.all();
    CHECK(named(all, "settings.auth-api").what == check_status::problem);
    CHECK(named(all, "reach.auth-api").text.find("127.0.0.1:" + port) != std::string::npos);
    CHECK(named(all, "reach.auth-api").fix.find("scripts/up --only auth-api") != std::string::npos);
}

} // namespace doctor_test
