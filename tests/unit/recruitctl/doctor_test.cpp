// The doctor's outcomes about anything but PostgreSQL, from facts alone.
#include "recruitctl/doctor/host_check.hpp"
#include "recruitctl/doctor/programs_check.hpp"
#include "recruitctl/doctor/servers_check.hpp"
#include "recruitctl/doctor/settings_check.hpp"
#include "recruitctl/doctor/standby_check.hpp"
#include "support/catch.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace doctor_test {
using namespace recruiting;
using namespace recruiting::recruitctl::doctor;
using namespace std::chrono_literals;

namespace {

// The finding of this name; its status is skipped when there is none.
finding named(findings const& all, std::string_view check) {
    for (auto const& one : all)
        if (one.check == check) return one;
    return {check_status::skipped, "", "no such finding", ""};
}

installation packages() {
    installation out;
    out.kind = setup_kind::packages;
    out.directory = "/etc/recruiting";
    for (std::size_t i = 0; i < out.programs.size(); ++i) {
        auto& program = out.programs[i];
        program.name = program_names[i];
        program.here = true;
        program.source = program.file = "/etc/recruiting/" + program.name + ".conf";
        program.binary = "/usr/bin/" + program.full_name();
    }
    return out;
}

installed_program& program(installation& of, std::string_view name) {
    return const_cast<installed_program&>(of.program(name));
}

secret_file secret(std::string of, std::string setting, std::string digest, mode_t mode = 0640) {
    return {std::move(of), std::move(setting), "/etc/recruiting/secrets/x", true, true, mode, std::move(digest)};
}

} // namespace

TEST_CASE("settings: what a program says of its own is told, with where to change it", "[doctor]") {
    auto const of = packages();
    self_checks said;
    said[0] = ended_program{0, "recruiting-gateway: the settings are valid\n", {}};
    said[1] = ended_program{2, "recruiting-auth-api: A must be set\nrecruiting-auth-api: B is wrong\n", {}};
    auto const all = check_settings(of, said);
    CHECK(all[0].what == check_status::ok);
    CHECK(all[1].what == check_status::problem);
    CHECK(all[1].text == "A must be set; B is wrong");
    CHECK(all[1].fix.find("/etc/recruiting/auth-api.conf") != std::string::npos);
    CHECK(all[1].fix.find("recruiting-auth-api-handover") != std::string::npos);
    CHECK(all[2].what == check_status::skipped); // it was not asked
    auto none = packages();
    program(none, "gateway").here = false;
    CHECK(check_settings(none, {})[0].what == check_status::skipped);
    program(none, "gateway").broken = true;
    CHECK(check_settings(none, {})[0].what == check_status::problem);
}

TEST_CASE("secrets: there, closed to others, and the same where they must be", "[doctor]") {
    auto const of = packages();
    auto const pepper = "RECRUITING_KEY_PEPPER_FILE";
    auto const ours = secret("recruitctl", pepper, "one");
    auto const theirs = secret("auth-api", pepper, "one");
    CHECK(named(check_secrets(of, {ours, theirs}), "secrets.pepper").what == check_status::ok);
    CHECK(named(check_secrets(of, {ours, secret("auth-api", pepper, "two")}), "secrets.pepper").what ==
          check_status::problem);
    CHECK(named(check_secrets(of, {theirs}), "secrets.pepper").what == check_status::skipped);
    auto const open = check_secrets(of, {secret("auth-api", pepper, "one", 0644)});
    CHECK(open.front().what == check_status::problem);
    CHECK(open.front().fix.starts_with("chmod o-rwx /etc/recruiting/secrets/x"));
    auto missing = theirs;
    missing.there = missing.readable = false;
    CHECK(check_secrets(of, {missing}).front().what == check_status::problem);
    auto closed = theirs;
    closed.readable = false;
    CHECK(check_secrets(of, {closed}).front().what == check_status::skipped);
    auto const same = check_secrets(of, {theirs, secret("auth-api", "RECRUITING_CURSOR_SECRET_FILE", "one")});
    CHECK(same.back().what == check_status::warning);
}

TEST_CASE("settings that two programs must share", "[doctor]") {
    auto of = packages();
    of.own["RECRUITING_ENVIRONMENT"] = "test";
    CHECK(named(check_agreement(of), "settings.environment").what == check_status::skipped); // it may have any default
    program(of, "auth-api").reported["RECRUITING_ENVIRONMENT"] = "test";
    CHECK(named(check_agreement(of), "settings.environment").what == check_status::ok);
    program(of, "auth-api").reported.clear();
    program(of, "auth-api").settings["RECRUITING_ENVIRONMENT"] = "live";
    CHECK(named(check_agreement(of), "settings.environment").what == check_status::problem);
    of.own["RECRUITING_ENVIRONMENT"] = "live";
    CHECK(named(check_agreement(of), "settings.environment").what == check_status::ok);
    CHECK(named(check_agreement(of), "settings.public-url").what == check_status::warning); // live and not https
    for (auto const* const name : {"auth-api", "public-api"})
        program(of, name).settings["RECRUITING_PUBLIC_URL"] = "https://jobs.example.com";
    CHECK(named(check_agreement(of), "settings.public-url").what == check_status::ok);
    program(of, "public-api").settings["RECRUITING_PUBLIC_URL"] = "https://other.example.com";
    CHECK(named(check_agreement(of), "settings.public-url").what == check_status::warning);
}

TEST_CASE("a process is looked into by the user it runs as, in every sense", "[doctor]") {
    CHECK(runs_as("Name:\tx\nUid:\t1000\t1000\t1000\t1000\nGid:\t0\t0\t0\t0\n", 1000));
    CHECK_FALSE(runs_as("Name:\tx\nUid:\t1000\t1000\t1000\t1000\n", 0)); // not by root either
    CHECK_FALSE(runs_as("Name:\tx\nUid:\t1000\t0\t0\t0\n", 0));
    CHECK_FALSE(runs_as("Name:\tUid:\t0\t0\t0\t0\nUid:\t1000\t1000\t1000\t1000\n", 0));
    CHECK_FALSE(runs_as("Name:\tx\nUid:\t\n", 0));
    CHECK_FALSE(runs_as("", 0));
}

TEST_CASE("Redis: what it throws away, what stops its writes, which version", "[doctor]") {
    redis_facts fine;
    fine.version = "7.0.15";
    fine.role = "master";
    fine.maxmemory = "0";
    fine.policy = "noeviction";
    auto const of = [](redis_facts facts) {
        return check_redis({std::move(facts), {}}, "redis", "redis://:secret@h:1");
    };
    for (auto const& one : of(fine)) CHECK(one.what == check_status::ok);
    CHECK(of(fine).front().text == "redis://***@h:1");
    auto facts = fine;
    facts.policy = "allkeys-lru";
    CHECK(named(of(facts), "redis.memory").what == check_status::warning);
    facts.maxmemory = "1000000";
    CHECK(named(of(facts), "redis.memory").what == check_status::problem);
    facts.policy.clear();
    CHECK(named(of(facts), "redis.memory").what == check_status::skipped);
    facts = fine;
    facts.version = "6.2.1";
    CHECK(named(of(facts), "versions.redis").what == check_status::problem);
    facts = fine;
    facts.role = "slave";
    CHECK(named(of(facts), "redis.role").what == check_status::problem);
    facts = fine;
    facts.failed_writes = "err";
    facts.stop_writes = "yes";
    CHECK(named(of(facts), "redis.persistence").what == check_status::problem);
    CHECK(check_redis({std::nullopt, "refused"}, "redis", "redis://h").front().what == check_status::problem);
    CHECK(check_redis({std::nullopt, ""}, "redis", "").front().what == check_status::skipped);
}

TEST_CASE("certificates: readable, not near their end, for the right name, and in use", "[doctor]") {
    auto const of = packages();
    timestamp const now(1'800'000'000s);
    auto const checked = [&](certificate_facts one, std::optional<timestamp> served = {}) {
        return check_certificates(of, {{std::move(one)}, "jobs.example.com", now}, served);
    };
    certificate_facts const fine{"certificates.gateway", "/c.pem", {}, now + 24h * 90, true};
    CHECK(checked(fine).size() == 1);
    CHECK(checked(fine).front().what == check_status::ok);
    auto facts = fine;
    facts.expires = now + 24h * 20;
    CHECK(checked(facts).front().what == check_status::warning);
    facts.expires = now + 24h * 6;
    CHECK(checked(facts).front().what == check_status::problem);
    CHECK(checked(facts).front().text.find("in 6 days") != std::string::npos);
    facts.expires = now - 1h;
    CHECK(checked(facts).front().text.find("has expired") != std::string::npos);
    facts = fine;
    facts.wrong = "can't use the private key /k.pem of /c.pem";
    CHECK(checked(facts).front().text == facts.wrong);
    facts = fine;
    facts.serves_public_host = false;
    CHECK(named(checked(facts), "certificates.names").what == check_status::problem);
    CHECK(named(checked(fine, now + 24h), "certificates.reload").what == check_status::warning);
    CHECK(checked(fine, fine.expires).size() == 1);
    CHECK(check_certificates(of, {{}, "", now}, {}).front().what == check_status::ok);
    CHECK(check_certificates(of, {{}, "", now}, now + 24h).front().what == check_status::problem);
    CHECK(check_certificates({}, {{}, "", now}, {}).front().what == check_status::skipped);
}

TEST_CASE("of the certificates that gateways show to clients, the first that expires counts", "[doctor]") {
    auto const telling = [](std::string const& program, std::string const& certificate, std::string const& seconds) {
        auto const name = "recruiting_gateway_tls_certificate_expiry_timestamp_seconds{certificate=\"" + certificate;
        return instance_facts{program, "", {}, {}, {200, name + "\"} " + seconds + "\n", ""}};
    };
    programs_facts facts;
    CHECK_FALSE(first_expiry(facts));
    for (auto const* const value : {"+Inf", "NaN", "0", "-1", "1e300"}) {
        facts.instances = {telling("gateway", "listener", value)};
        CHECK_FALSE(first_expiry(facts));
    }
    facts.instances = {telling("gateway", "upstream", "1700000000")};
    CHECK_FALSE(first_expiry(facts));
    facts.instances.push_back(telling("gateway", "listener", "1900000000"));
    facts.instances.push_back(telling("gateway", "listener", "1800000000"));
    CHECK(first_expiry(facts) == timestamp(1'800'000'000s));
}

TEST_CASE("programs: away, not ready, ready with something away, and requests through the gateway", "[doctor]") {
    auto const of = packages();
    programs_facts facts;
    facts.instances = {{"gateway",
                        "127.0.0.1:9080",
                        {200, "", ""},
                        {200, R"({"checks":{"redis":"unavailable: counting locally","authApi":"ok"}})", ""},
                        {}},
                       {"auth-api",
                        "127.0.0.1:9081",
                        {200, "", ""},
                        {503, R"({"checks":{"postgres":"unavailable"},"status":"not ready"})", ""},
                        {}},
                       {"public-api", "127.0.0.1:9082", {0, "", "connect failed"}, {}, {}}};
    auto const all = check_instances(of, facts);
    CHECK(all[0].what == check_status::warning);
    CHECK(all[0].text.find("redis: unavailable: counting locally") != std::string::npos);
    CHECK(all[1].what == check_status::problem);
    CHECK(all[1].text.find("postgres: unavailable") != std::string::npos);
    CHECK(all[2].what == check_status::problem);
    CHECK(all[2].fix.find("recruiting-public-api-handover") != std::string::npos);
    facts.gateway_probes = {{"auth-api", "http://h/a", {200, "", ""}}, {"public-api", "http://h/b", {503, "", ""}}};
    CHECK(check_gateway_probes(facts)[0].what == check_status::ok);
    CHECK(check_gateway_probes(facts)[1].fix.find("RECRUITING_GATEWAY_PUBLIC_API") != std::string::npos);
    facts.gateway_probes[0].answer.status = 429;
    CHECK(check_gateway_probes(facts)[0].what == check_status::skipped);
    CHECK(check_gateway_probes({}).front().what == check_status::skipped);
    CHECK(check_instances(of, {})[0].what == check_status::skipped);
}

TEST_CASE("versions: what runs, what is installed, and recruitctl are the same", "[doctor]") {
    auto const of = packages();
    auto const running = [](std::string const& version) {
        programs_facts out;
        out.instances.push_back(
            {"gateway",
             "",
             {},
             {},
             {200, "recruiting_build_info{program=\"recruiting-gateway\",version=\"" + version + "\"} 1\n", ""}});
        return out;
    };
    auto const of_gateway = [&](programs_facts const& facts, std::string const& binary, std::string_view own) {
        return named(check_versions(of, facts, own, {binary, "", ""}), "versions.gateway");
    };
    CHECK(of_gateway(running("1.0"), "recruiting-gateway 1.0\n", "1.0").what == check_status::ok);
    CHECK(of_gateway({}, "recruiting-gateway 1.0\n", "1.0").what == check_status::ok);
    CHECK(of_gateway(running("1.0"), "recruiting-gateway 1.1\n", "1.1").fix == "recruiting-gateway-handover");
    CHECK(of_gateway(running("1.0"), "", "1.1").what == check_status::warning);
    CHECK(of_gateway({}, "", "1.0").what == check_status::skipped);
    auto two = running("1.0");
    two.instances.push_back(running("1.1").instances.front());
    CHECK(of_gateway(two, "", "1.1").text.find("1.0 and 1.1") != std::string::npos);
}

TEST_CASE("where clients reach the gateway", "[doctor]") {
    auto of = packages();
    CHECK(url_of_gateway(of, "https://jobs.example.com/").first == "https://jobs.example.com");
    CHECK(url_of_gateway(of, "").first.empty()); // it does not run, and its file does not say
    program(of, "gateway").reported["RECRUITING_GATEWAY_LISTEN"] = "127.0.0.1:8080";
    CHECK(url_of_gateway(of, "").first == "http://127.0.0.1:8080");
    program(of, "gateway").reported.clear();
    auto& gateway = program(of, "gateway").settings;
    gateway["RECRUITING_GATEWAY_LISTEN"] = "0.0.0.0:80";
    CHECK(url_of_gateway(of, "").first == "http://127.0.0.1:80");
    gateway["RECRUITING_GATEWAY_PROXY_PROTOCOL"] = "v2";
    CHECK(url_of_gateway(of, "").first.empty());
    program(of, "public-api").settings["RECRUITING_PUBLIC_URL"] = "https://jobs.example.com";
    CHECK(url_of_gateway(of, "").first == "https://jobs.example.com");
    program(of, "gateway").here = false;
    CHECK(url_of_gateway(of, "").first.empty());
}

TEST_CASE("settings that a running program reports win, but those that decide where a secret goes", "[doctor]") {
    auto const reported = read_reported(R"({"settings":[{"name":"A","value":"1","set":true,"origin":"default"},)"
                                        R"({"name":"B","value":"redis://***@h","set":true,"origin":"file"},)"
                                        R"({"name":"C","value":"redis://***@other","set":true,"origin":"environment"},)"
                                        R"({"name":"S","secret":true,"set":true,"origin":"file"}]})",
                                        {{"B", "redis://:geheim@h"}, {"C", "redis://:geheim@h"}});
    CHECK(reported == setting_values{{"A", "1"}, {"B", "redis://:geheim@h"}, {"C", "redis://***@other"}});
    for (auto const* const broken : {"", "[]", "{}", R"({"settings":1})", R"({"settings":[1,{"name":2,"value":"x"}]})"})
        CHECK(read_reported(broken, {}).empty());
    CHECK(read_reported_connections(R"({"settings":[],"connections":{"postgres":17,"redis":0}})") == 17);
    for (auto const* const broken : {"", "[]", "{}", R"({"connections":17})", R"({"connections":{"postgres":"17"}})"})
        CHECK_FALSE(read_reported_connections(broken));
    installed_program auth;
    auth.settings["RECRUITING_MAIL_URL"] = "smtp://jo:secret@127.0.0.1";
    auth.reported["RECRUITING_MAIL_URL"] = "smtp://127.0.0.2";
    CHECK(mail_server_of(auth)->url == "smtp://127.0.0.1");
    CHECK(auth.setting("RECRUITING_MAIL_URL") == "smtp://127.0.0.2");
}

TEST_CASE("relative paths begin where the program was started", "[doctor]") {
    installed_program one;
    CHECK(one.path("/etc/x") == "/etc/x");
    CHECK(one.path("").empty());
    one.directory = "/srv/run";
    CHECK(one.path("tls/x") == "/srv/run/tls/x");
    CHECK(one.path("/etc/x") == "/etc/x");
}

TEST_CASE("relative TLS files of scripts/up are checked where the gateway runs", "[doctor]") {
    auto pattern = (std::filesystem::temp_directory_path() / "recruiting-doctor-XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    std::filesystem::path const directory = pattern;
    std::filesystem::create_directory(directory / "tls");
    std::ofstream(directory / "tls/localhost.key") << "a key";
    std::filesystem::permissions(directory / "tls/localhost.key",
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    installation of;
    of.kind = setup_kind::run_dir;
    auto& gateway = program(of, "gateway");
    gateway.here = true;
    gateway.directory = directory;
    gateway.settings["RECRUITING_GATEWAY_TLS_CERTIFICATES"] = "tls/localhost.pem:tls/localhost.key";
    auto const secrets = read_secrets(of);
    REQUIRE(secrets.size() == 1);
    CHECK(secrets.front().path == (directory / "tls/localhost.key").string());
    CHECK(check_secrets(of, secrets).front().what == check_status::ok);
    // The gateway's own check reads the files as well: a program that finds them only from its own directory stands for
    // it.
    auto const binary = directory / "recruiting-gateway";
    std::ofstream(binary) << "#!/bin/sh\ntest -e tls/localhost.key\n";
    std::filesystem::permissions(binary, std::filesystem::perms::owner_all);
    gateway.binary = binary.string();
    CHECK(ask_programs(of, 10s)[0].value().code == 0);
    std::filesystem::remove_all(directory);
}

TEST_CASE("the mail server is asked as auth-api would", "[doctor]") {
    installed_program auth;
    auto& settings = auth.settings;
    settings["RECRUITING_MAIL_URL"] = "smtp://jo%40x:p%3Aw@mail.example.com:587/name";
    auto server = mail_server_of(auth);
    REQUIRE(server);
    CHECK(server->url == "smtp://mail.example.com:587/name");
    CHECK(server->user == "jo@x");
    CHECK(server->password == "p:w");
    CHECK(server->security == transfer::smtp_security::required);
    for (auto const* const elsewhere : {"smtp://localhost.example.com", "smtp://127.example.com:25"}) {
        settings["RECRUITING_MAIL_URL"] = elsewhere;
        CHECK(mail_server_of(auth)->security == transfer::smtp_security::required);
    }
    settings["RECRUITING_MAIL_URL"] = "smtp://jo:secret@mail.example.com";
    for (auto const* const open : {"off", "opportunistic"}) {
        settings["RECRUITING_MAIL_TLS"] = open; // auth-api refuses it
        CHECK(mail_server_of(auth)->user.empty());
        CHECK(mail_server_of(auth)->password.empty());
    }
    settings.erase("RECRUITING_MAIL_TLS");
    settings["RECRUITING_MAIL_URL"] = "smtp://[::1]:25";
    CHECK(mail_server_of(auth)->security == transfer::smtp_security::off);
    settings["RECRUITING_MAIL_URL"] = "smtp://127.0.0.1:25";
    CHECK(mail_server_of(auth)->security == transfer::smtp_security::off);
    settings["RECRUITING_MAIL_TLS"] = "opportunistic";
    CHECK(mail_server_of(auth)->security == transfer::smtp_security::opportunistic);
    settings["RECRUITING_MAIL_URL"] = "file:/var/mail";
    CHECK_FALSE(mail_server_of(auth));
    CHECK(check_mail({mail_facts{mail_facts::kind::none, "", {}}, {}}).front().what == check_status::warning);
    CHECK(check_mail({mail_facts{mail_facts::kind::smtp, "h", {false, "login denied"}}, {}}).front().what ==
          check_status::problem);
    CHECK(check_mail({mail_facts{}, {}}).front().what == check_status::skipped);
}

TEST_CASE("a standby: none, away, as another role, with an older schema, behind, of another server, or fine",
          "[doctor]") {
    standby_use use{"auth-api", "recruiting_auth", "", "RECRUITING_AUTH_API_STANDBY_URL", 5s};
    auto const of = [&](standby_facts facts) { return check_standby(use, {std::move(facts), {}}).front(); };
    CHECK(check_standby(use, {{}, "there is none"}).empty());
    use.url = "postgresql://recruiting_auth:secret@standby/recruiting";
    auto const away = check_standby(use, {{}, "no reply in time"}).front();
    CHECK(away.what == check_status::warning);
    CHECK(away.text.find("secret") == std::string::npos);
    auto const now = *parse_time("2026-11-26T12:00:00Z");
    standby_facts const fine{
        "recruiting_auth", 49, 49, {"1/5/3", true, now, now - 1s, 7, 7}, {"1/5/3", false, now, std::nullopt, 9, 9}};
    CHECK(of(fine).what == check_status::ok);
    auto facts = fine;
    facts.role = "recruiting_public";
    CHECK(of(facts).what == check_status::problem);
    facts = fine;
    facts.schema = 48;
    CHECK(of(facts).what == check_status::warning);
    facts = fine;
    facts.moment.replayed = now - 6s;
    CHECK(of(facts).text.find("behind by more than 5000 ms") != std::string::npos);
    facts = fine;
    facts.moment.is_standby = false;
    CHECK(of(facts).what == check_status::problem);
}

} // namespace doctor_test
