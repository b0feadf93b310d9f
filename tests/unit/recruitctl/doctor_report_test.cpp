// What the doctor shows and what it never does, and how it looks: bounded.
#include "core/redact.hpp"
#include "recruitctl/doctor/bounded.hpp"
#include "recruitctl/doctor/finding.hpp"
#include "recruitctl/doctor/host_check.hpp"
#include "recruitctl/doctor/installation.hpp"
#include "support/catch.hpp"

#include <sstream>

namespace doctor_report_test {
using recruiting::redact_url;
using namespace recruiting::recruitctl::doctor;
using namespace std::chrono_literals;

TEST_CASE("no password is ever shown", "[doctor]") {
    CHECK(redact_url("postgresql://a:b@h:1/d") == "postgresql://***@h:1/d");
    CHECK(redact_url("redis://:p@ss@h") == "redis://***@h");
    CHECK(redact_url("host=h password=geheim user=u") == "host=h password=*** user=u");
    CHECK(redact_url("host=h password='ge heim' user=u") == "host=h password=*** user=u");
    CHECK(redact_url("postgresql://h/d?user=u&password=x&a=b") == "postgresql://h/d?user=u&password=***&a=b");
    CHECK(redact_url("http://h:1/a") == "http://h:1/a");
    // As libpq reads them.
    CHECK(redact_url("password = geheim host=h") == "password = *** host=h");
    CHECK(redact_url("host=h password=ge\\ heim&x user=u") == "host=h password=*** user=u");
    CHECK(redact_url("password='ge\\'heim' sslpassword=x") == "password=*** sslpassword=***");
    CHECK(redact_url("host=h password=") == "host=h password=***");
    CHECK(redact_url("host=h password='geheim") == "host=h password=***");
    std::ostringstream out;
    print_report(out, {problem("a.b", "the key sp_live_abc123 is\x1b[2J wrong", "fix it")}, false);
    CHECK(out.str().find("abc123") == std::string::npos);
    CHECK(out.str().find('\x1b') == std::string::npos);
}

TEST_CASE("the report: a line a check, its fix below, groups apart, a sum", "[doctor]") {
    findings const all{ok("reach.redis", "there"), problem("reach.mail", "away", "start it"),
                       skipped("clock.redis", "not known")};
    std::ostringstream out;
    print_report(out, all, false);
    CHECK(out.str() == "reach\n  ok       redis  there\n  problem  mail   away\n           → start it\n\n"
                       "clock\n  skipped  redis  not known\n\n1 ok, 0 warnings, 1 problem, 1 skipped\n");
    std::ostringstream coloured;
    print_report(coloured, all, true);
    CHECK(coloured.str().find("\x1b[32mok") != std::string::npos);
    auto const json = to_json(all);
    CHECK_FALSE(json.at("healthy").as_bool());
    CHECK(json.at("counts").at("skipped") == 1);
    CHECK(json.at("checks").at(1).at("fix") == "start it");
    CHECK(json.at("checks").at(0).at("fix").is_null());
}

TEST_CASE("disks and time zones", "[doctor]") {
    CHECK(check_host({{{"/", std::uintmax_t{1} << 29U, std::uintmax_t{1} << 40U}}, {}}).front().what ==
          check_status::warning);
    CHECK(check_host({{{"/", std::uintmax_t{1} << 34U, std::uintmax_t{1} << 40U}}, {}}).front().what ==
          check_status::ok);
    CHECK(check_host({{}, {"Asia/Tokyo"}}).front().fix == "apt-get install tzdata");
    CHECK_FALSE(read_host({"/"}).disks.empty());
}

TEST_CASE("a program that is asked: its words, its code, and no longer than it may", "[doctor]") {
    auto const said = run_program("/bin/sh", {"-c", "echo $A; echo b >&2; exit 3"}, {{"A", "a"}}, 10s);
    CHECK(said.code == 3);
    CHECK(said.output == "a\nb\n");
    CHECK(run_program("/bin/sh", {"-c", "pwd"}, {}, 10s, "/usr").output == "/usr\n");
    CHECK(run_program("/bin/sh", {"-c", "pwd"}, {}, 10s, "/no/such/directory").code == -1);
    CHECK(run_program("/no/such/program", {}, {}, 10s).code == -1);
    auto const late = run_program("/bin/sleep", {"60"}, {}, 50ms);
    CHECK(late.code == -1);
    CHECK(late.why == "it timed out");
}

TEST_CASE("a look that takes too long, or throws, is a reason", "[doctor]") {
    using clock = std::chrono::steady_clock;
    bounded_read<int> quick([] { return 7; });
    CHECK(quick.by(clock::now() + 10s).found == 7);
    bounded_read<int> broken([]() -> int { throw std::runtime_error("refused"); });
    CHECK(broken.by(clock::now() + 10s).why == "refused");
    auto const gate = std::make_shared<std::promise<void>>();
    bounded_read<int> late([opens = gate->get_future().share()] {
        opens.wait();
        return 1;
    });
    CHECK(late.by(clock::now()).why == "no reply in time");
    gate->set_value();
}

} // namespace doctor_report_test
