// The doctor against real servers: healthy ones are, and each thing broken is named with its advice.
#include "auth/pepper.hpp"
#include "integration/gateway/upstream.hpp"
#include "integration/support/model_double.hpp"
#include "integration/support/redis_servers.hpp"
#include "integration/support/smtp_double.hpp"
#include "recruitctl/commands/migrations.hpp"
#include "recruitctl/doctor/check.hpp"
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
    }
    ~config_directory() { fs::remove_all(path_); }
    config_directory(config_directory const&) = delete;
    config_directory& operator=(config_directory const&) = delete;

    void write(std::string const& name, std::string const& content) const {
        fs::create_directories((path_ / name).parent_path());
        std::ofstream(path_ / name) << content;
    }
    [[nodiscard]] fs::path const& path() const noexcept { return path_; }

private:
    fs::path path_;
};

struct world {
    config_directory directory;
    settings own;

    [[nodiscard]] site now() const {
        site out(directory.path(), own);
        out.migrations = read_migrations(test::migrations_directory());
        out.limit = 20s; // what is there answers at once; a busy machine may take its time
        return out;
    }
};

struct with_database : world {
    test_database database;
    with_database() { own["RECRUITING_DATABASE_URL"] = database.owner_url(); }
};

std::string unused() { return "127.0.0.1:" + std::to_string(test::free_port()); }

finding named(findings const& all, std::string_view name) {
    for (auto const& one : all)
        if (one.of->name == name) return one;
    FAIL(name);
    return all.front();
}

} // namespace

TEST_CASE("a healthy database has no problem, and what is not here is skipped", "[doctor]") {
    with_database w;
    auto const all = diagnose(w.now());
    CHECK(all.size() == all_checks().size());
    for (auto const& one : all) {
        CAPTURE(one.of->name, one.found.text);
        // A server for tests alone may have been made quick and forgetful.
        CHECK((one.found.is != verdict::problem || one.of->name == "database.durability"));
    }
    for (auto const* const name : {"reach.postgres", "clock.postgres", "migrations.schema", "sealer.lag"})
        CHECK(named(all, name).found.is == verdict::ok);
    for (auto const* const name :
         {"settings.gateway", "reach.auth-api", "reach.through-to-public-api", "reach.redis", "reach.mail"})
        CHECK(named(all, name).found.is == verdict::skipped);
    CHECK(named(all, "reach.postgres").found.text.find("test@") == std::string::npos);
    CHECK(named(all, "reach.postgres").found.advice.empty());
}

TEST_CASE("a PostgreSQL that is away is one problem, and no password is shown", "[doctor]") {
    world w;
    w.own["RECRUITING_DATABASE_URL"] = "postgresql://u:geheim@" + unused() + "/d";
    auto const all = diagnose(w.now());
    CHECK(count(all, verdict::problem) == 1);
    CHECK(named(all, "reach.postgres").found.is == verdict::problem);
    CHECK(named(all, "reach.postgres").found.text.find("geheim") == std::string::npos);
    CHECK(named(all, "reach.postgres").found.advice.find("RECRUITING_DATABASE_URL") != std::string::npos);
    CHECK(named(all, "migrations.schema").found.is == verdict::skipped);
}

TEST_CASE("a database URL that logs in with another role", "[doctor]") {
    with_database w;
    w.directory.write("auth-api.conf", "RECRUITING_AUTH_API_DATABASE_URL=" + w.database.auth_url() + "\n");
    w.directory.write("public-api.conf", "RECRUITING_PUBLIC_API_DATABASE_URL=" + w.database.auth_url() + "\n");
    CHECK(postgres_login(w.now(), "auth-api").is == verdict::ok);
    CHECK(postgres_login(w.now(), "public-api").is == verdict::problem);
    w.own["RECRUITING_DATABASE_URL"] = w.database.superuser_url();
    CHECK(postgres_login(w.now(), {}).is == verdict::warning);
}

TEST_CASE("migrations that are missing, changed or of a newer version", "[doctor]") {
    with_database w;
    auto& owner = w.database.owner();
    owner.run("UPDATE recruiting.schema_migrations SET checksum = 'other' WHERE number = 3");
    CHECK(schema_version(w.now(), {}).text.find("is not the file that was applied") != std::string::npos);
    owner.run("INSERT INTO recruiting.schema_migrations (number, name, checksum) VALUES (900, '0900_new.sql', 'x')");
    CHECK(schema_version(w.now(), {}).text.find("0900_new.sql was applied by a newer recruitctl") != std::string::npos);
    owner.run("DELETE FROM recruiting.schema_migrations");
    CHECK(schema_version(w.now(), {}).text == "the database has no schema");
    test_database const empty(test::migrated::no);
    w.own["RECRUITING_DATABASE_URL"] = empty.owner_url();
    CHECK(named(diagnose(w.now()), "migrations.schema").found.advice == "recruitctl migrate");
}

TEST_CASE("a database that stores text in another encoding than UTF-8", "[doctor]") {
    with_database w;
    CHECK(database_encoding(w.now(), {}).is == verdict::ok);
    test_database const other(test::migrated::no);
    pg::client superuser(w.database.superuser_url(), "tests");
    superuser.script("DROP DATABASE " + other.name());
    superuser.script("CREATE DATABASE " + other.name() +
                     " OWNER recruiting_owner ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
    w.own["RECRUITING_DATABASE_URL"] = other.owner_url();
    auto const found = named(diagnose(w.now()), "database.encoding").found;
    CHECK(found.is == verdict::problem);
    CHECK(found.text.find("LATIN1") != std::string::npos);
    CHECK(found.advice.find("ENCODING 'UTF8'") != std::string::npos);
}

// tests/packages takes the time zone data away from a whole PostgreSQL.
TEST_CASE("a time zone of an organization that PostgreSQL does not know", "[doctor]") {
    with_database w;
    auto const organization = test::make_organization(w.database.owner(), test::new_slug());
    CHECK(database_zones(w.now(), {}).is == verdict::ok);
    w.database.owner().run("UPDATE recruiting.organizations SET time_zone = 'Europe/Atlantis' WHERE id = $1",
                           pg::params{}.id(organization.id));
    auto const found = named(diagnose(w.now()), "database.time-zones").found;
    CHECK(found.is == verdict::problem);
    CHECK(found.text.find("Europe/Atlantis") != std::string::npos);
    CHECK(found.advice.find("tzdata") != std::string::npos);
}

TEST_CASE("a sealer that stands still", "[doctor]") {
    with_database w;
    auto& owner = w.database.owner();
    owner.run("INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, action, success) "
              "VALUES ('0199c1a1-c3d8-7f02-b5a6-e4d17c930f01', clock_timestamp(), "
              "gen_random_uuid(), 'system', 'x', true)");
    owner.run("UPDATE recruiting.audit_intake SET added_at = added_at - interval '2 minutes'");
    CHECK(sealing(w.now(), {}).is == verdict::warning);
    owner.run("UPDATE recruiting.audit_intake SET added_at = added_at - interval '1 hour'");
    CHECK(sealing(w.now(), {}).is == verdict::problem);
    owner.run("SELECT recruiting.seal_audit_rows(10)");
    CHECK(sealing(w.now(), {}).is == verdict::ok);
    owner.run("INSERT INTO recruiting.audit_set_aside (id, added_at, events) VALUES (1, now(), '{}')");
    CHECK(sealing(w.now(), {}).text == "audit_set_aside has 1 row, which the audit log refused");
}

TEST_CASE("a server that may forget, shows its counters, or leaves the services' roles unconfined", "[doctor]") {
    with_database w;
    pg::client superuser(w.database.superuser_url(), "tests");
    superuser.script("ALTER DATABASE " + w.database.name() + " SET synchronous_commit = off");
    CHECK(durability(w.now(), {}).is == verdict::problem);
    CHECK(durability(w.now(), {}).text.find("synchronous_commit is off") != std::string::npos);
    CHECK(statistics_hidden(w.now(), {}).is == verdict::warning);
    w.database.apply("hide_statistics.sql");
    CHECK(statistics_hidden(w.now(), {}).is == verdict::ok);
    superuser.script("GRANT EXECUTE ON FUNCTION pg_stat_get_numscans(oid) TO PUBLIC"); // as a new version's function is
    CHECK(statistics_hidden(w.now(), {}).text.find("by 1 function (pg_stat_get_numscans):") != std::string::npos);
    superuser.script("GRANT EXECUTE ON FUNCTION lo_put(oid, bigint, bytea) TO PUBLIC");
    CHECK(postgres_roles(w.now(), {}).is == verdict::warning);
    CHECK(postgres_roles(w.now(), {}).text.find("may call 1 function (lo_put) that") != std::string::npos);
    CHECK(postgres_roles(w.now(), {}).advice.find("confine_roles.sql") != std::string::npos);
    w.database.apply("confine_roles.sql");
    CHECK(postgres_roles(w.now(), {}).is == verdict::ok);
}

namespace {

/// Every right on PostgreSQL's own functions.
std::string rights_on_functions(pg::client& superuser) {
    return std::string(superuser
                           .run("SELECT md5(string_agg(f, ',' ORDER BY f)) FROM (SELECT oid || aclexplode(coalesce("
                                "proacl, acldefault('f', proowner)))::text AS f FROM pg_proc "
                                "WHERE pronamespace = 'pg_catalog'::regnamespace) AS rights")
                           .text(0, 0));
}

} // namespace

TEST_CASE("doctor looks at every function that the scripts close, and at no other", "[doctor]") {
    with_database w;
    pg::client superuser(w.database.superuser_url(), "tests");
    superuser.script("GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA pg_catalog TO PUBLIC");
    auto const callable = [&](char const* role) {
        return superuser
            .run("SELECT count(*) FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace "
                 "AND has_function_privilege($1, oid, 'EXECUTE')",
                 pg::params().text(role))
            .integer(0, 0);
    };
    auto const closed_by = [&](char const* script, char const* role) {
        auto const before = callable(role);
        w.database.apply(script);
        return std::to_string(before - callable(role)) + " functions (";
    };
    auto const shown = statistics_hidden(w.now(), {}).text;
    CHECK(shown.find(closed_by("hide_statistics.sql", "recruiting_public")) != std::string::npos);
    auto const of_auth = postgres_roles(w.now(), {}).text;
    CHECK(of_auth.find("recruiting_auth may call " + closed_by("confine_roles.sql", "recruiting_auth")) == 0);
    superuser.script("GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA pg_catalog TO recruiting_public");
    auto const of_public = postgres_roles(w.now(), {}).text;
    superuser.script("REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA pg_catalog FROM recruiting_public");
    superuser.script("GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA pg_catalog TO PUBLIC");
    CHECK(of_public.find("recruiting_public may call " + closed_by("confine_roles.sql", "recruiting_public")) == 0);
}

TEST_CASE("show_statistics.sql undoes hide_statistics.sql and nothing else, once or twice", "[doctor]") {
    with_database w;
    pg::client superuser(w.database.superuser_url(), "tests");
    superuser.script("GRANT EXECUTE ON FUNCTION pg_read_file(text) TO pg_monitor");
    auto const before = rights_on_functions(superuser);
    w.database.apply("hide_statistics.sql");
    REQUIRE(rights_on_functions(superuser) != before);
    w.database.apply("show_statistics.sql");
    CHECK(rights_on_functions(superuser) == before);
    w.database.apply("show_statistics.sql");
    CHECK(rights_on_functions(superuser) == before);
    CHECK(statistics_hidden(w.now(), {}).is == verdict::warning);
}

TEST_CASE("a clock that goes wrong", "[doctor]") {
    with_database w;
    pg::client superuser(w.database.superuser_url(), "tests");
    superuser.script("CREATE SCHEMA wrong; GRANT USAGE ON SCHEMA wrong TO PUBLIC; "
                     "CREATE FUNCTION wrong.clock_timestamp() RETURNS timestamptz LANGUAGE sql "
                     "AS $$SELECT pg_catalog.clock_timestamp() - interval '1 minute'$$; "
                     "ALTER DATABASE " +
                     w.database.name() + " SET search_path = wrong, pg_catalog");
    CHECK(postgres_clock(w.now(), {}).is == verdict::problem);
}

TEST_CASE("Redis: healthy, a replica, throwing counts away, and away", "[doctor]") {
    world w;
    test::private_redis const healthy;
    w.own["RECRUITING_REDIS_URL"] = healthy.url();
    CHECK(redis_reached(w.now(), {}).is == verdict::ok);
    CHECK(redis_memory(w.now(), {}).is == verdict::ok);
    test::private_redis const replica({"--replicaof", "127.0.0.1", "1"});
    w.directory.write("gateway.conf", "RECRUITING_REDIS_URL=" + replica.url() + "\n");
    CHECK(redis_reached(w.now(), {}).text.find("replica") != std::string::npos);
    test::private_redis const forgetful({"--maxmemory-policy", "allkeys-lru"});
    w.directory.write("gateway.conf", "RECRUITING_REDIS_URL=" + healthy.url() + "\n");
    w.directory.write("public-api.conf", "RECRUITING_PUBLIC_API_REDIS_URL=" + forgetful.url() + "\n");
    CHECK(redis_memory(w.now(), {}).is == verdict::warning);
    CHECK(forgetful.say({"CONFIG", "SET", "maxmemory", "100mb"}) == "OK");
    CHECK(redis_memory(w.now(), {}).is == verdict::problem);
    // Full: it refuses to count, until there is room again.
    w.directory.write("public-api.conf", "RECRUITING_REDIS_URL=" + healthy.url() + "\n");
    CHECK(healthy.say({"CONFIG", "SET", "maxmemory", "1"}) == "OK");
    CHECK(redis_memory(w.now(), {}).is == verdict::problem);
    CHECK(redis_memory(w.now(), {}).text.find("Redis refuses to count") != std::string::npos);
    CHECK(redis_memory(w.now(), {}).advice.find("raise maxmemory") != std::string::npos);
    CHECK(healthy.say({"CONFIG", "SET", "maxmemory", "1gb"}) == "OK");
    CHECK(redis_memory(w.now(), {}).is == verdict::ok);
    w.directory.write("gateway.conf", "RECRUITING_REDIS_URL=redis://:geheim@" + unused() + "\n");
    auto of = w.now();
    of.limit = 1s;
    CHECK(redis_reached(of, {}).is == verdict::problem);
    CHECK(redis_reached(of, {}).text.find("geheim") == std::string::npos);
}

TEST_CASE("Redis over TLS, by an address in a file: trusted, or with the reason why it is not", "[doctor]") {
    world w;
    test::certificate_authority authority;
    test::certificate_authority const stranger;
    auto const port = test::free_port();
    test::private_redis const server(
        test::tls_arguments(port, authority.issue("redis", {"IP:127.0.0.1"}), authority.file()));
    authority.write("url", "rediss://127.0.0.1:" + std::to_string(port) + "\n");
    auto const asked = [&](std::string const& ca_file) {
        w.directory.write("gateway.conf", "RECRUITING_REDIS_URL_FILE=" + authority.path("url") +
                                              "\nRECRUITING_REDIS_CA_FILE=" + ca_file + "\n");
        return redis_reached(w.now(), {});
    };
    CHECK(asked(authority.file()).is == verdict::ok);
    auto const refused = asked(stranger.file());
    CHECK(refused.is == verdict::problem);
    CHECK(refused.text.find("TLS: ") != std::string::npos);
}

TEST_CASE("servers that hang hold nothing up", "[doctor]") {
    world w;
    test::private_redis redis;
    test::smtp_double mail;
    mail.behave(test::says("CONNECT", ""));
    w.own["RECRUITING_REDIS_URL"] = redis.url();
    w.directory.write("auth-api.conf",
                      "RECRUITING_AUTH_API_ADMIN_LISTEN=127.0.0.1:1\nRECRUITING_MAIL_URL=" + mail.url() + "\n");
    auto of = w.now();
    of.limit = 500ms;
    redis.hang();
    auto const all = diagnose(std::move(of));
    redis.resume();
    CHECK(named(all, "reach.redis").found.is == verdict::problem);
    CHECK(named(all, "reach.mail").found.is == verdict::problem);
    CHECK(named(all, "redis.memory").found.is == verdict::skipped);
}

TEST_CASE("a program that is away, not ready, or ready without something it can do without", "[doctor]") {
    world w;
    std::string reply;
    test::recording_upstream const admin([&](std::string const&) { return reply; });
    w.directory.write("auth-api.conf",
                      "RECRUITING_AUTH_API_ADMIN_LISTEN=127.0.0.1:" + std::to_string(admin.port()) + "\n");
    auto const answers = [&](std::string const& status, std::string const& body) {
        reply = "HTTP/1.1 " + status + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
        return program_ready(w.now(), "auth-api");
    };
    CHECK(answers("200 OK", R"({"checks":{"postgres":"ok"}})").is == verdict::ok);
    // One answer for /readyz and for /healthz, which names the version.
    CHECK(answers("200 OK", R"({"checks":{"postgres":"ok"},"version":"1.2.3","commit":"0123456789ab"})")
              .text.ends_with(", 1.2.3 (0123456789ab)"));
    auto const warned = answers("200 OK", R"({"checks":{"redis":"unavailable","postgres":"ok"}})");
    CHECK(warned.is == verdict::warning);
    CHECK(warned.text.find("redis: unavailable") != std::string::npos);
    CHECK(answers("503 Service Unavailable", R"({"checks":{"postgres":"unavailable"}})")
              .text.ends_with(": postgres: unavailable"));
    CHECK(admin.count("GET /readyz ") == 4);
    auto of = w.now();
    of.programs[1].admin_given = {*parse_endpoint(unused()),
                                  *parse_endpoint("127.0.0.1:" + std::to_string(admin.port()))};
    CHECK(program_ready(of, "auth-api").text.find("connect failed") != std::string::npos);
}

TEST_CASE("a request that does not come through the gateway", "[doctor]") {
    world w;
    auto of = w.now();
    test::recording_upstream const gateway([](std::string const& request) {
        std::string const status = request.starts_with("GET /api/v1/openapi.json ")          ? "200 OK"
                                   : request.starts_with("GET /api/public/v1/openapi.json ") ? "503 Unavailable"
                                                                                             : "404 Not Found";
        return "HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n";
    });
    of.gateway_url = "http://127.0.0.1:" + std::to_string(gateway.port());
    CHECK(through_gateway(of, "auth-api").is == verdict::ok);
    CHECK(through_gateway(of, "public-api").text.ends_with("/api/public/v1/openapi.json: status 503"));
    of.gateway_url = "http://" + unused();
    CHECK(through_gateway(of, "auth-api").is == verdict::problem);
}

TEST_CASE("a model server that is away, or rejects the key", "[doctor]") {
    world w;
    test::certificate_authority authority;
    authority.write("key", "geheim\n");
    test::model_double const model(authority.issue("model", {"IP:127.0.0.1"}));
    test::recording_upstream const picky([](std::string const& request) {
        bool const ours = request.find("Authorization: Bearer geheim\r\n") != std::string::npos;
        return std::string("HTTP/1.1 ") + (ours ? "200 OK" : "401 Unauthorized") + "\r\nContent-Length: 0\r\n\r\n";
    });
    auto const asked = [&](std::string const& more) {
        w.directory.write("auth-api.conf", more);
        return model_server(w.now(), {});
    };
    CHECK(asked("").is == verdict::ok);
    auto const with_tls = "RECRUITING_AGENT_MODEL_BASE_URL=" + model.base_url() + "/\n";
    CHECK(asked(with_tls).is == verdict::problem); // no authority vouches for its certificate
    CHECK(asked(with_tls + "RECRUITING_AGENT_MODEL_CA_FILE=" + authority.file() + "\n").is == verdict::ok);
    auto const with_key = "RECRUITING_AGENT_MODEL_BASE_URL=http://127.0.0.1:" + std::to_string(picky.port()) + "/v1\n";
    CHECK(asked(with_key).is == verdict::problem);
    CHECK(asked(with_key + "RECRUITING_AGENT_MODEL_API_KEY_FILE=" + authority.path("key") + "\n").is == verdict::ok);
    CHECK(asked("RECRUITING_AGENT_MODEL_BASE_URL=http://" + unused() + "/v1\n").is == verdict::problem);
}

TEST_CASE("a mail server is asked, and given no mail", "[doctor]") {
    world w;
    test::certificate_authority authority;
    test::smtp_double server(authority.issue("mail", {"IP:127.0.0.1"}));
    auto const asked = [&](std::string const& login, std::string const& more) {
        w.directory.write("auth-api.conf",
                          "RECRUITING_MAIL_URL=smtp://" + login + server.url().substr(7) + "\n" + more);
        return mail_relay(w.now(), {});
    };
    std::string const tls = "RECRUITING_MAIL_TLS=required\n";
    CHECK(asked("", "").is == verdict::ok);
    CHECK(asked("", tls).is == verdict::problem); // it offers none
    test::smtp_manners manners;
    manners.offers_starttls = true;
    manners.wants_login = true;
    server.behave(manners);
    CHECK(asked("u:p@", tls).is == verdict::problem); // no authority vouches for its certificate
    auto const trusted = tls + "RECRUITING_MAIL_CA_FILE=" + authority.file() + "\n";
    CHECK(asked("u:p@", trusted).is == verdict::ok);
    CHECK(asked("u:geheim@", trusted).is == verdict::problem);
    CHECK(asked("u:geheim@", trusted).text.find("geheim") == std::string::npos);
    CHECK(server.mails().empty());
}

TEST_CASE("certificates: a fine one, one near its end, one that has expired, one with another's key or name",
          "[doctor]") {
    world w;
    test::certificate_authority authority;
    auto const checked = [&](tls_files const& files) {
        w.directory.write("gateway.conf",
                          "RECRUITING_GATEWAY_TLS_LISTEN=127.0.0.1:8443\nRECRUITING_GATEWAY_TLS_CERTIFICATES=" +
                              files.certificates + ":" + files.key + "\n");
        return certificates(w.now(), {});
    };
    std::vector<std::string> const names{"DNS:jobs.example.com"};
    auto const fine = authority.issue("fine", names, 24h * 90);
    CHECK(checked(fine).is == verdict::ok);
    CHECK(checked(authority.issue("short", names, 24h * 10)).is == verdict::warning);
    CHECK(checked(authority.issue("shorter", names, 24h * 6)).is == verdict::problem);
    CHECK(checked(authority.issue("old", names, -1h)).text.find("has expired") != std::string::npos);
    CHECK(checked({fine.certificates, authority.issue("other", names).key}).is == verdict::problem);
    w.directory.write("public-api.conf", "RECRUITING_PUBLIC_URL=https://else.example.com\n");
    CHECK(checked(fine).text.find("no certificate names else.example.com") != std::string::npos);
    w.directory.write("gateway.conf", "RECRUITING_GATEWAY_TLS_LISTEN=\n");
    CHECK(certificates(w.now(), {}).is == verdict::ok);
}

TEST_CASE("the pepper's file is compared with the keys, and with auth-api's", "[doctor]") {
    with_database w;
    auto& owner = w.database.owner();
    auto const slug = test::new_slug();
    test::make_organization(owner, slug);
    test::make_key(owner, slug, "admin@" + slug + ".example", {"*"});
    CHECK(pepper_matches(w.now(), {}).is == verdict::skipped);
    auto const right = test::test_key_settings().pepper + "\n";
    auto const wrong = std::string(32, 'w');
    w.directory.write("own", wrong);
    w.own["RECRUITING_KEY_PEPPER_FILE"] = (w.directory.path() / "own").string();
    CHECK(pepper_matches(w.now(), {}).is == verdict::problem);
    CHECK(pepper_matches(w.now(), {}).text.starts_with("1 active key can't be used"));
    w.directory.write("own", right);
    CHECK(pepper_matches(w.now(), {}).is == verdict::ok);
    auto const path_of = [&](char const* name) { return (w.directory.path() / name).string(); };
    auto const of_service = "RECRUITING_KEY_PEPPER_FILE=" + path_of("theirs") + "\n";
    w.directory.write("theirs", wrong);
    w.directory.write("auth-api.conf", of_service);
    CHECK(pepper_matches(w.now(), {}).text == "recruitctl and auth-api have different peppers");

    w.directory.write("own", wrong);
    w.directory.write("previous", right);
    w.directory.write("auth-api.conf",
                      of_service + "RECRUITING_KEY_PEPPER_PREVIOUS_FILE=" + path_of("previous") + "\n");
    CHECK(pepper_matches(w.now(), {}).text == "keys do not move to the new pepper yet");
    owner.run("UPDATE recruiting.key_pepper SET fingerprint = $1", pg::params().integer(pepper_fingerprint(wrong)));
    CHECK(pepper_matches(w.now(), {}).is == verdict::warning);
    CHECK(pepper_matches(w.now(), {}).text.starts_with("1 active key has not moved"));
    owner.run("UPDATE recruiting.api_keys SET revoked_at = now()");
    CHECK(pepper_matches(w.now(), {}).is == verdict::ok);
}

TEST_CASE("settings that a program refuses", "[doctor]") {
    with_database w;
    w.directory.write("pepper", std::string(32, 'p'));
    w.directory.write("cursor", std::string(32, 'c'));
    auto const valid = "RECRUITING_AUTH_API_DATABASE_URL=" + w.database.auth_url() +
                       "\nRECRUITING_KEY_PEPPER_FILE=" + (w.directory.path() / "pepper").string() +
                       "\nRECRUITING_CURSOR_SECRET_FILE=" + (w.directory.path() / "cursor").string() + "\n";
    w.directory.write("auth-api.conf", valid + "RECRUITING_AUTH_API_THREADS=many\n");
    w.directory.write("gateway.conf", "no setting\n");
    CHECK(settings_accepted(w.now(), "gateway").text.ends_with("gateway.conf:1: not a NAME=value line"));
    CHECK(settings_accepted(w.now(), "public-api").is == verdict::skipped);
    if (::access((fs::read_symlink("/proc/self/exe").parent_path() / "recruiting-auth-api").c_str(), X_OK) != 0) return;
    auto const refused = settings_accepted(w.now(), "auth-api");
    CHECK(refused.is == verdict::problem);
    CHECK(refused.text.find("auth-api.conf: RECRUITING_AUTH_API_THREADS must be") != std::string::npos);
    w.directory.write("auth-api.conf", valid);
    CHECK(settings_accepted(w.now(), "auth-api").text == (w.directory.path() / "auth-api.conf").string());
}

} // namespace doctor_test
