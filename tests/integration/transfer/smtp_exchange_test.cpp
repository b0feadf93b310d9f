// Mails over real sockets: every way a mail server can behave ends as an outcome of the right kind.
#include "integration/support/smtp_double.hpp"
#include "support/catch.hpp"
#include "support/tls_certificates.hpp"
#include "transfer/smtp_exchange.hpp"

#include <chrono>

namespace smtp_exchange_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace recruiting::transfer;
using namespace std::chrono_literals;
using kind = smtp_outcome::kind;
using step = smtp_outcome::step;

namespace {

smtp_request mail_to(smtp_double const& server) {
    smtp_request out;
    out.url = server.url();
    out.security = smtp_security::off;
    out.sender = "jobs@example.com";
    out.recipient = "ada@example.org";
    out.content = "Subject: x\r\n\r\n.a\r\n..\r\n.\r\nb\r\n";
    out.timeout = 20s;
    return out;
}

smtp_outcome send(smtp_request const& what) {
    std::atomic<smtp_stop> const none{smtp_stop::none};
    return send_by_smtp(what, none);
}

std::string described(smtp_request const& what) { return describe(send(what)); }

} // namespace

TEST_CASE("a mail arrives as it was given", "[mail][smtp]") {
    smtp_double server;
    auto asked = mail_to(server);
    asked.url += "/jobs.example.com";
    CHECK(described(asked) == "accepted");
    for (int i = 0; i < 2'000; ++i)
        asked.content += ".x\r\n.\r\n" + std::string(static_cast<std::size_t>(i % 70), 'y') + "\r\n";
    CHECK(described(asked) == "accepted");
    auto const mails = server.mails();
    REQUIRE(mails.size() == 2);
    CHECK(mails[0].sender.starts_with("FROM:<jobs@example.com>"));
    CHECK(mails[0].recipient == "TO:<ada@example.org>");
    CHECK(mails[0].hello == "jobs.example.com");
    CHECK(mails[0].content == mail_to(server).content);
    CHECK(mails[1].content == asked.content);
}

TEST_CASE("refusals of a mail are for good, all others pass", "[mail][smtp]") {
    smtp_double server;
    struct expectation {
        char const* command;
        char const* reply;
        char const* description;
    };
    for (auto const& one : std::initializer_list<expectation>{
             {"RCPT", "550 5.1.1 <ada@example.org>: no such user", "rejected at recipient: 550 5.1.1"},
             {"RCPT", "553 ada@example.org is none", "rejected at recipient: 553"},
             {"DATA", "554 5.7.1 no", "rejected at content: 554 5.7.1"},
             {"CONTENT", "552 5.3.4 too big", "rejected at content: 552 5.3.4"},
             {"CONTENT", "550-5.7.1 spam\r\n550 5.7.1 more", "rejected at content: 550 5.7.1"},
             {"CONNECT", "554 5.7.1 you are listed", "deferred at connect: 554 5.7.1"},
             {"CONNECT", "421 busy", "deferred at connect: 421"},
             {"MAIL", "550 5.7.1 not your domain", "deferred at sender: 550 5.7.1"},
             {"RCPT", "451 4.7.1 greylisted", "deferred at recipient: 451 4.7.1"},
             {"RCPT", "530 5.7.0 log in first", "deferred at recipient: 530 5.7.0"},
             {"DATA", "452 4.3.1 full", "deferred at content: 452 4.3.1"},
             {"CONTENT", "451 4.3.0 later", "deferred at content: 451 4.3.0"}}) {
        CAPTURE(one.command, one.reply);
        server.behave(says(one.command, one.reply));
        auto const outcome = send(mail_to(server));
        CHECK(describe(outcome) == one.description);
        CHECK_FALSE(outcome.possibly_delivered);
        CHECK(describe(outcome).find('@') == std::string::npos);
    }
}

TEST_CASE("a server that hangs is given up in time, whatever the step", "[mail][smtp]") {
    smtp_double server;
    auto quick = mail_to(server);
    quick.timeout = 300ms;
    for (auto const* command : {"CONNECT", "EHLO", "MAIL", "RCPT", "DATA", "CONTENT"}) {
        CAPTURE(command);
        server.behave(says(command, ""));
        auto const outcome = send(quick);
        CHECK(outcome.what == kind::delayed);
        CHECK(std::string_view(outcome.detail) == "Timeout was reached");
        CHECK(outcome.possibly_delivered == (std::string_view(command) == "CONTENT"));
    }
}

TEST_CASE("a server that goes away is another time's, whatever the step", "[mail][smtp]") {
    smtp_double server;
    for (auto const* command : {"CONNECT", "EHLO", "MAIL", "RCPT", "DATA", "CONTENT"}) {
        CAPTURE(command);
        server.behave(says(command, "-"));
        auto const outcome = send(mail_to(server));
        CHECK(outcome.what == kind::delayed);
        CHECK(outcome.possibly_delivered == (std::string_view(command) == "CONTENT"));
    }
    auto nobody = mail_to(server);
    nobody.url = "smtp://127.0.0.1:1";
    CHECK(send(nobody).at == step::connect);
}

TEST_CASE("a server that never says goodbye does not matter", "[mail][smtp]") {
    smtp_double server;
    server.behave(says("QUIT", ""));
    auto const before = std::chrono::steady_clock::now();
    CHECK(described(mail_to(server)) == "accepted");
    CHECK(std::chrono::steady_clock::now() - before < 15s);
    server.behave(says("QUIT", "-"));
    CHECK(described(mail_to(server)) == "accepted");
}

TEST_CASE("TLS is required unless told otherwise, and certificates are verified", "[mail][smtp][tls]") {
    certificate_authority authority;
    smtp_double server(authority.issue("mail", {"IP:127.0.0.1"}));
    auto asked = mail_to(server);
    asked.ca_file = authority.file();
    asked.security = smtp_security::required;
    CHECK(send(asked).at == step::tls); // not offered
    CHECK(server.mails().empty());

    server.behave({{}, true, false, false});
    CHECK(described(asked) == "accepted");
    REQUIRE(server.mails().size() == 1);
    CHECK(server.mails()[0].tls);

    certificate_authority another;
    asked.ca_file = another.file();
    CHECK(send(asked).at == step::tls);
    asked.security = smtp_security::opportunistic; // offered: then it must be right
    CHECK(send(asked).at == step::tls);
    server.behave({});
    CHECK(described(asked) == "accepted");
    CHECK_FALSE(server.mails()[1].tls);

    smtp_double misnamed(authority.issue("wrong", {"IP:127.0.0.2", "DNS:other.example"}));
    smtp_double expired(authority.issue("old", {"IP:127.0.0.1"}, -60s));
    for (auto* const one : {&misnamed, &expired}) {
        one->behave({{}, true, false, false});
        auto bad = mail_to(*one);
        bad.ca_file = authority.file();
        bad.security = smtp_security::required;
        auto const outcome = send(bad);
        CHECK(outcome.what == kind::delayed);
        CHECK(outcome.at == step::tls);
        CHECK(one->mails().empty());
    }
}

TEST_CASE("smtps speaks TLS from the start", "[mail][smtp][tls]") {
    certificate_authority authority;
    smtp_double server(authority.issue("mail", {"IP:127.0.0.1"}), smtp_double::speaks::tls);
    auto asked = mail_to(server);
    asked.ca_file = authority.file();
    asked.security = smtp_security::required;
    CHECK(described(asked) == "accepted");
    REQUIRE(server.mails().size() == 1);
    CHECK(server.mails()[0].tls);
}

TEST_CASE("a login is given where there is one, and a refused one refuses no mail", "[mail][smtp]") {
    smtp_double server;
    server.behave({{}, false, true, false});
    auto asked = mail_to(server);
    CHECK(described(asked) == "deferred at sender: 530 5.7.0");
    asked.user = "u";
    asked.password = "p";
    CHECK(described(asked) == "accepted");
    CHECK(server.mails()[0].login == "u");
    asked.password = "wrong";
    auto const outcome = send(asked);
    CHECK(outcome.what == kind::delayed);
    CHECK(outcome.at == step::login);
    CHECK(outcome.reply == 535);
}

TEST_CASE("addresses beyond ASCII ask for SMTPUTF8", "[mail][smtp]") {
    smtp_double server;
    server.behave({{}, false, false, true});
    auto asked = mail_to(server);
    asked.recipient = "j\xC3\xBCrgen@example.org";
    CHECK(described(asked) == "accepted");
    CHECK(server.mails()[0].sender.find("SMTPUTF8") != std::string::npos);
    CHECK(server.mails()[0].recipient == "TO:<j\xC3\xBCrgen@example.org>");
}

TEST_CASE("an address beyond ASCII is refused where SMTPUTF8 is not offered, and nothing is sent", "[mail][smtp]") {
    smtp_double server;
    auto asked = mail_to(server);
    asked.recipient = "jürgen@xn--kln-sna.example";
    auto const outcome = send(asked);
    CHECK(outcome.what == kind::refused);
    CHECK(describe(outcome) == "rejected at recipient: the server does not offer SMTPUTF8");
    CHECK(server.mails().empty());
    asked.recipient = "jurgen@xn--kln-sna.example";
    CHECK(described(asked) == "accepted");
    CHECK(server.mails().at(0).sender.find("SMTPUTF8") == std::string::npos);
}

TEST_CASE("no address brings a command of its own", "[mail][smtp]") {
    smtp_double server;
    auto asked = mail_to(server);
    asked.recipient = "ada@example.org>\r\nRCPT TO:<b@example.org";
    CHECK(described(asked) == "rejected at recipient: not an address");
    CHECK(server.connections() == 0);
}

TEST_CASE("mails are sent side by side, and dropped when the program must end", "[mail][smtp]") {
    smtp_double server;
    server.behave(says("CONTENT", ""));
    asio::io_context context;
    std::vector<smtp_outcome> outcomes;
    auto sender = std::make_unique<smtp_sender>(context, 3);
    auto const one = [&]() -> task<void> {
        auto request = mail_to(server);
        auto const outcome = co_await sender->send(std::move(request));
        outcomes.push_back(outcome);
    };
    for (int i = 0; i < 3; ++i) spawn(context, one());
    auto const deadline = std::chrono::steady_clock::now() + 30s;
    while (server.hanging() < 3 && std::chrono::steady_clock::now() < deadline) context.run_for(5ms);
    REQUIRE(server.hanging() == 3);
    sender->stop(smtp_stop::unsent); // these were given whole already
    context.run_for(5ms);
    CHECK(outcomes.empty());
    spawn(context, one());
    sender->stop(smtp_stop::all);
    while (outcomes.size() < 4 && std::chrono::steady_clock::now() < deadline) context.run_for(5ms);
    REQUIRE(outcomes.size() == 4);
    for (auto const& outcome : outcomes) CHECK(outcome.cancelled);
    CHECK(std::count_if(outcomes.begin(), outcomes.end(), [](auto const& o) { return o.possibly_delivered; }) == 3);
}

} // namespace smtp_exchange_test
