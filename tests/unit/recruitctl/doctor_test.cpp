// What doctor decides from facts alone, what it shows and what it never does.
#include "core/commit.hpp"
#include "recruitctl/doctor/check.hpp"
#include "support/catch.hpp"

#include <set>
#include <sstream>

namespace doctor_test {
using namespace recruiting;
using namespace recruiting::recruitctl;
using namespace recruiting::recruitctl::doctor;
using namespace std::chrono_literals;

namespace {

// As if each of them had a file of settings.
site here() {
    site out("/no/such/directory", {});
    for (auto& one : out.programs) one.here = true;
    return out;
}
settings& gateway(site& of) { return of.programs[0].given; }
settings& auth_api(site& of) { return of.programs[1].given; }
settings& public_api(site& of) { return of.programs[2].given; }

check const& named_check(std::string_view name) {
    for (auto const& one : all_checks())
        if (one.name == name) return one;
    FAIL(name);
    return all_checks().front();
}

} // namespace

TEST_CASE("the table: each check has a name of its own in a group, a question and an advice", "[doctor]") {
    std::set<std::string_view> names;
    for (auto const& one : all_checks()) {
        CAPTURE(one.name);
        CHECK(names.insert(one.name).second);
        CHECK(one.name.size() > one.group().size() + 1);
        CHECK(one.question.find('?') != std::string_view::npos);
        CHECK_FALSE(one.advice.empty());
        CHECK(named(one.advice, one).find("PROGRAM") == std::string::npos);
    }
    CHECK(named("start PROGRAM, or PROGRAM", named_check("reach.auth-api")) == "start auth-api, or auth-api");
}

TEST_CASE("the report: a line a check, its advice below, groups apart, a sum", "[doctor]") {
    findings const all{{&named_check("reach.redis"), {verdict::ok, "there", ""}},
                       {&named_check("reach.mail"), {verdict::problem, "away", "start it"}},
                       {&named_check("clock.postgres"), {verdict::skipped, "not known", ""}}};
    std::ostringstream out;
    print_report(out, all, false);
    CHECK(out.str() == "recruitctl " + version_and_commit() +
                           "\n\nreach\n  ok       redis     there\n  problem  mail      away\n           → start it\n\n"
                           "clock\n  skipped  postgres  not known\n\n1 ok, 0 warnings, 1 problem, 1 skipped\n");
    std::ostringstream coloured;
    print_report(coloured, all, true);
    CHECK(coloured.str().find("\x1b[32mok") != std::string::npos);
    auto const json = to_json(all);
    CHECK(json.at("recruitctl").at("commit").as_string() == commit());
    CHECK_FALSE(json.at("healthy").as_bool());
    CHECK(json.at("counts").at("skipped") == 1);
    CHECK(json.at("checks").at(1).at("fix") == "start it");
    CHECK(json.at("checks").at(0).at("fix").is_null());
}

TEST_CASE("no key is ever shown, and nothing drives the terminal", "[doctor]") {
    std::ostringstream out;
    print_report(out,
                 {{&named_check("reach.mail"), {verdict::problem, "the key sp_live_abc123 is\x1b[2J wrong", "fix it"}}},
                 false);
    CHECK(out.str().find("abc123") == std::string::npos);
    CHECK(out.str().find('\x1b') == std::string::npos);
}

TEST_CASE("of several outcomes the worst counts, with all texts that are as bad", "[doctor]") {
    auto const worst = worst_of({{verdict::warning, "a", "x"},
                                 {verdict::problem, "b", ""},
                                 {verdict::skipped, "c", ""},
                                 {verdict::problem, "d", "y"}});
    CHECK(worst.is == verdict::problem);
    CHECK(worst.text == "b; d");
    CHECK(worst.advice == "y");
    CHECK(worst_of({{verdict::ok, "a", ""}, {verdict::skipped, "b", ""}}).is == verdict::skipped);
}

TEST_CASE("clocks: what the way there may account for is no error", "[doctor]") {
    CHECK(evaluate_clock(0us, 1ms).is == verdict::ok);
    CHECK(evaluate_clock(900ms, 1ms).is == verdict::ok);
    CHECK(evaluate_clock(-1'500ms, 1ms).is == verdict::warning);
    CHECK(evaluate_clock(1'500ms, 600ms).is == verdict::ok);
    CHECK(evaluate_clock(29s, 1ms).is == verdict::warning);
    CHECK(evaluate_clock(-31s, 1ms).is == verdict::problem);
    CHECK(evaluate_clock(2s, 1ms).text == "differs from this host's by 2000 ms");
}

TEST_CASE("a time zone that is missing is a problem", "[doctor]") {
    CHECK(time_zones(here(), {}).is == verdict::ok);
    CHECK(evaluate_zones(std::array{"Europe/Berlin", "Europe/Atlantis"}).is == verdict::problem);
}

TEST_CASE("mails and pages must link to the same address, in a live installation to an https one of another machine",
          "[doctor]") {
    auto of = here();
    CHECK(public_url(of, {}).text == "http://127.0.0.1:8080"); // by default
    auth_api(of)["RECRUITING_ENVIRONMENT"] = "live";
    CHECK(public_url(of, {}).is == verdict::problem);
    CHECK(public_url(of, {}).text == "RECRUITING_PUBLIC_URL is not set for auth-api");
    auth_api(of)["RECRUITING_PUBLIC_URL"] = "https://jobs.example.com";
    CHECK(public_url(of, {}).text == "RECRUITING_PUBLIC_URL is not set for public-api");
    public_api(of)["RECRUITING_PUBLIC_URL"] = "https://localhost:8443";
    CHECK(public_url(of, {}).text == "https://localhost:8443 of public-api must not name this machine");
    public_api(of)["RECRUITING_PUBLIC_URL"] = "http://jobs.example.com";
    CHECK(public_url(of, {}).is == verdict::problem);
    public_api(of)["RECRUITING_PUBLIC_URL"] = "https://other.example.com";
    CHECK(public_url(of, {}).is == verdict::warning);
    CHECK(public_url(of, {}).text.find("pages to https://other.example.com") != std::string::npos);
    public_api(of)["RECRUITING_PUBLIC_URL"] = "https://jobs.example.com";
    CHECK(public_url(of, {}).is == verdict::ok);
    of.programs[1].here = of.programs[2].here = false;
    CHECK(public_url(of, {}).is == verdict::skipped);
}

TEST_CASE("Redis' memory: evictions, and how much is left", "[doctor]") {
    auto const info = [](std::string const& policy, std::string const& most, std::string const& used) {
        return "# Memory\r\nused_memory:" + used + "\r\nused_memory_human:1K\r\nmaxmemory:" + most +
               "\r\nmaxmemory_human:1K\r\nmaxmemory_policy:" + policy + "\r\nmem_not_counted_for_evict:10\r\n";
    };
    CHECK(evaluate_memory(info("noeviction", "0", "999999")).is == verdict::ok);
    CHECK(evaluate_memory(info("noeviction", "1000", "900")).is == verdict::ok); // 890 count
    CHECK(evaluate_memory(info("noeviction", "1000", "910")).is == verdict::warning);
    CHECK(evaluate_memory(info("noeviction", "1000", "1010")).is == verdict::problem);
    CHECK(evaluate_memory(info("allkeys-lru", "0", "1")).is == verdict::warning);
    CHECK(evaluate_memory(info("allkeys-lru", "1000", "1")).is == verdict::problem);
    CHECK(evaluate_memory("").is == verdict::skipped);
}

TEST_CASE("where clients reach the gateway", "[doctor]") {
    auto of = here();
    of.gateway_url = "https://jobs.example.com/";
    CHECK(of.url_of_gateway() == "https://jobs.example.com");
    of.gateway_url.clear();
    CHECK(of.url_of_gateway() == "http://127.0.0.1:8080"); // by default
    gateway(of)["RECRUITING_GATEWAY_LISTEN"] = "0.0.0.0:80";
    CHECK(of.url_of_gateway() == "http://127.0.0.1:80");
    gateway(of)["RECRUITING_GATEWAY_PROXY_PROTOCOL"] = "v2";
    public_api(of)["RECRUITING_PUBLIC_URL"] = "https://jobs.example.com";
    CHECK(of.url_of_gateway() == "https://jobs.example.com");
    of.programs[0].here = false;
    CHECK(of.url_of_gateway().empty());
}

TEST_CASE("a program is asked at the given address, else where its settings say, else where it listens by default",
          "[doctor]") {
    auto of = here();
    CHECK(of.of("auth-api").admin().front().port == 9081);
    auth_api(of)["RECRUITING_AUTH_API_ADMIN_LISTEN"] = "127.0.0.1:1";
    CHECK(of.of("auth-api").admin().front().port == 1);
    of.programs[1].admin_given = {{"edge", 2, {}}};
    CHECK(of.of("auth-api").admin().front().port == 2);
    of.programs[1] = {"auth-api", {}, false, {}, {}, {}};
    CHECK(of.of("auth-api").admin().empty());
}

TEST_CASE("relative paths begin where the programs were started", "[doctor]") {
    auto of = here();
    CHECK(of.path("/etc/x") == "/etc/x");
    CHECK(of.path("").empty());
    of.working = "/srv/run";
    CHECK(of.path("tls/x") == "/srv/run/tls/x");
}

TEST_CASE("the mail server is asked as auth-api would", "[doctor]") {
    auto of = here();
    auto& settings = auth_api(of);
    settings["RECRUITING_MAIL_URL"] = "smtp://jo%40x:p%3Aw@mail.example.com:587/name";
    auto const server = mail_server_of(of);
    REQUIRE(server);
    CHECK(server->url == "smtp://mail.example.com:587/name");
    CHECK(server->user == "jo@x");
    CHECK(server->password == "p:w");
    CHECK(server->security == transfer::smtp_security::required);
    for (auto const* const elsewhere : {"smtp://localhost.example.com", "smtp://127.example.com:25"}) {
        settings["RECRUITING_MAIL_URL"] = elsewhere;
        CHECK(mail_server_of(of)->security == transfer::smtp_security::required);
    }
    settings["RECRUITING_MAIL_URL"] = "smtp://jo:secret@mail.example.com";
    for (auto const* const open : {"off", "opportunistic"}) {
        settings["RECRUITING_MAIL_TLS"] = open; // auth-api refuses it
        CHECK(mail_server_of(of)->user.empty());
        CHECK(mail_server_of(of)->password.empty());
    }
    settings.erase("RECRUITING_MAIL_TLS");
    for (auto const* const local : {"smtp://[::1]:25", "smtp://127.0.0.1:25"}) {
        settings["RECRUITING_MAIL_URL"] = local;
        CHECK(mail_server_of(of)->security == transfer::smtp_security::off);
    }
    settings["RECRUITING_MAIL_TLS"] = "opportunistic";
    CHECK(mail_server_of(of)->security == transfer::smtp_security::opportunistic);
    settings["RECRUITING_MAIL_URL"] = "file:/var/mail";
    CHECK_FALSE(mail_server_of(of));
    CHECK(mail_relay(of, {}).is == verdict::ok);
    settings.erase("RECRUITING_MAIL_URL");
    CHECK(mail_relay(of, {}).is == verdict::warning);
    of.programs[1].here = false;
    CHECK(mail_relay(of, {}).is == verdict::skipped);
}

} // namespace doctor_test
