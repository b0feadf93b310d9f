// The mails' settings and decisions.
#include "auth_api/background/mail/mail_transport.hpp"
#include "auth_api/background/pause.hpp"
#include "auth_api/background/settings.hpp"
#include "support/catch.hpp"

namespace mail_test {
using namespace recruiting;
using namespace recruiting::auth_api::mailing;
using namespace std::chrono_literals;
using transfer::smtp_security;

namespace {

std::string problem(std::map<std::string, std::string> values, mail_settings* into = nullptr) {
    mail_settings target;
    settings_reader reader("program", "what it is", "RECRUITING_X_");
    declare(reader, target);
    values.emplace("RECRUITING_MAIL_FROM", "jobs@example.com");
    auto const problems = reader.apply(values);
    if (into != nullptr) *into = target;
    return problems.empty() ? "" : problems.front();
}

std::string const url = "RECRUITING_MAIL_URL";

} // namespace

TEST_CASE("a mail server's address is read in all its forms", "[mail][settings]") {
    CHECK(parse_mail_server("")->what == mail_server::kind::none);
    auto const server = parse_mail_server("smtp://us%40er:p%3Aw@Mail.Example.com:587/jobs.example.com");
    REQUIRE(server);
    CHECK(server->user == "us@er");
    CHECK(server->password == "p:w");
    CHECK(server->host == "mail.example.com");
    CHECK(server->url == "smtp://Mail.Example.com:587/jobs.example.com");
    CHECK(parse_mail_server("smtps://[::1]:465")->host == "[::1]");
    CHECK(parse_mail_server("smtps://h")->tls_from_start);
    CHECK(parse_mail_server("file:/var/mail/out")->directory == "/var/mail/out");
    CHECK(parse_mail_server("file:///var/mail")->directory == "/var/mail");
    CHECK(parse_mail_server("file:out")->directory == "out");
    for (auto const* bad :
         {"mail.example.com", "http://h", "smtp://", "smtp://:25", "smtp://h:x", "smtp://h:0", "smtp://h:99999",
          "smtp://a b", "smtp://h\r\n", "smtp://%zz@h", "smtp://@h", "smtp://[::1", "smtp://h?x", "file:", "file://"})
        CHECK_FALSE(parse_mail_server(bad));
}

TEST_CASE("TLS is required, but on the way to this machine itself", "[mail][settings]") {
    auto const security = [](std::string const& address, std::string const& tls = "auto") {
        mail_settings out;
        CHECK(problem({{url, address}, {"RECRUITING_MAIL_TLS", tls}}, &out).empty());
        return security_of(out);
    };
    CHECK(security("smtp://mail.example.com:587") == smtp_security::required);
    CHECK(security("smtp://127.0.0.1:25") == smtp_security::off);
    CHECK(security("smtp://127.0.0.1.example.com") == smtp_security::required);
    CHECK(security("smtp://localhost.example.com") == smtp_security::required);
    CHECK(security("smtp://[::1]:25") == smtp_security::off);
    CHECK(security("smtps://localhost") == smtp_security::required);
    CHECK(security("smtp://localhost", "required") == smtp_security::required);
    CHECK(security("smtp://10.0.0.1", "off") == smtp_security::off);
    CHECK(security("smtp://10.0.0.1", "opportunistic") == smtp_security::opportunistic);
}

TEST_CASE("mail settings that can't work are told at the start", "[mail][settings]") {
    CHECK(problem({}).empty());
    CHECK(problem({{url, "smtp://u:p@mail.example.com:587"}}).empty());
    CHECK(problem({{url, "file:/tmp/x"}, {"RECRUITING_MAIL_FROM", ""}}) ==
          "RECRUITING_MAIL_FROM must be set when RECRUITING_MAIL_URL is");
    CHECK(problem({{"RECRUITING_MAIL_FROM", "nobody"}}).starts_with("RECRUITING_MAIL_FROM must be an e-mail address"));
    CHECK(problem({{url, "smtp://u:p@10.0.0.1"}, {"RECRUITING_MAIL_TLS", "off"}}) ==
          "RECRUITING_MAIL_TLS must be required where a password is sent");
    CHECK(problem({{url, "smtp://u:p@10.0.0.1"}, {"RECRUITING_MAIL_TLS", "opportunistic"}}) ==
          "RECRUITING_MAIL_TLS must be required where a password is sent");
    CHECK(problem({{url, "smtp://u:p@127.0.0.1"}, {"RECRUITING_MAIL_TLS", "off"}}).empty());
    CHECK(problem({{url, "smtp://u@h"}, {"RECRUITING_MAIL_USER", "x"}}) ==
          "RECRUITING_MAIL_USER and a user in RECRUITING_MAIL_URL exclude each other");
    CHECK(problem({{url, "smtps://h"}, {"RECRUITING_MAIL_CA_FILE", "/none.pem"}}) ==
          "RECRUITING_MAIL_CA_FILE can't read /none.pem: No such file or directory");
    CHECK(problem({{"RECRUITING_PUBLIC_URL", "https://h/path"}}).starts_with("RECRUITING_PUBLIC_URL must be"));
}

TEST_CASE("pauses double up to an hour, and vary by a fifth that never exceeds it", "[mail][retry]") {
    mail_settings const settings;
    CHECK(auth_api::growing_pause(settings.first_pause, settings.longest_pause, 1, 0.5) == 60s);
    CHECK(auth_api::growing_pause(settings.first_pause, settings.longest_pause, 2, 0.5) == 2min);
    CHECK(auth_api::growing_pause(settings.first_pause, settings.longest_pause, 7, 0.5) == 60min); // 64 would be longer
    CHECK(auth_api::growing_pause(settings.first_pause, settings.longest_pause, 70, 0.5) == 60min);
    CHECK(auth_api::growing_pause(settings.first_pause, settings.longest_pause, 1, 0) == 48s);
    CHECK(auth_api::growing_pause(settings.first_pause, settings.longest_pause, 1, 1) == 72s);
    CHECK(auth_api::growing_pause(settings.first_pause, settings.longest_pause, 70, 0) == 48min);
    for (auto const attempts : {6, 7, 8, 1'000'000'000}) {
        CAPTURE(attempts);
        CHECK(auth_api::growing_pause(settings.first_pause, settings.longest_pause, attempts, 1) <=
              settings.longest_pause);
    }
    mail_settings shortest;
    shortest.first_pause = shortest.longest_pause = 1ms;
    CHECK(auth_api::growing_pause(shortest.first_pause, shortest.longest_pause, 1, 0) == 1ms);
}

TEST_CASE("the time since the first attempt makes a mail dead, however many attempts it had", "[mail][retry]") {
    mail_settings const settings;
    attempt_outcome const failed{attempt_outcome::result::delayed, "no connection"};
    auto const outcome = [&](std::int64_t attempts, std::chrono::milliseconds lasts) {
        return with_pause(failed, settings, {attempts, lasts}, 0.5);
    };
    CHECK(outcome(2, settings.give_up_after).what == attempt_outcome::result::dead);
    CHECK(outcome(2, settings.give_up_after).why == "no connection; retries exhausted");
    CHECK(outcome(1'000'000, settings.give_up_after - 1ms).what == attempt_outcome::result::delayed);
    CHECK(outcome(1'000'000, settings.give_up_after - 1ms).pause == 60min);
    CHECK(outcome(1, -1h).pause == 60s); // the database's clock was set back
}

TEST_CASE("what becomes of a mail after an attempt", "[mail][retry]") {
    mail_settings const settings;
    using exchanged = transfer::smtp_outcome::kind;
    using result = attempt_outcome::result;
    transfer::smtp_outcome exchange{};
    exchange.reply = 421;
    auto const outcome = [&](exchanged what, std::chrono::milliseconds lasts = 0ms) {
        exchange.what = what;
        return with_pause(outcome_of(exchange), settings, {1, lasts}, 0.5);
    };
    CHECK(outcome(exchanged::accepted).what == result::sent);
    CHECK(outcome(exchanged::refused).what == result::dead);
    CHECK(outcome(exchanged::delayed).what == result::delayed);
    CHECK(outcome(exchanged::delayed).pause == 60s);
    CHECK(outcome(exchanged::delayed, 500h).what == result::dead);
    CHECK(outcome(exchanged::delayed, 500h).why == "deferred at connect: 421; retries exhausted");

    // Cancelled, as the program stops: given back untried, unless the server may have taken the mail.
    exchange.cancelled = true;
    CHECK(outcome(exchanged::delayed).what == result::given_back);
    exchange.possibly_delivered = true;
    CHECK(outcome(exchanged::delayed).what == result::delayed);
}

} // namespace mail_test
