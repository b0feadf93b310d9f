// Mailers that stop, die, lose PostgreSQL or meet each other: each mail is sent, and once where nobody was killed.
#include "integration/auth_api/background/mail_harness.hpp"
#include "integration/support/cut_link.hpp"
#include "support/catch.hpp"

#include <set>

namespace mail_outbox_failures_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace std::chrono_literals;

TEST_CASE("several mailers at once send no mail twice", "[mail][outbox]") {
    mail_system s;
    for (int i = 0; i < 12; ++i) s.book("c" + std::to_string(i) + "@mail.example", 48 + i);
    for (int i = 0; i < 12; i += 2) s.cancel("c" + std::to_string(i) + "@mail.example");
    s.send(3);
    auto const mails = s.server.mails();
    CHECK(mails.size() == 36);
    std::set<std::string> ids;
    for (auto const& mail : mails) ids.insert(parse_mail(mail.content).field("Message-ID"));
    CHECK(ids.size() == 36);
    CHECK(s.with_status("sent") == "36");
}

TEST_CASE("a mailer that stops gives back what no server has begun to take", "[mail][outbox]") {
    mail_system s;
    s.book(ann);
    s.server.behave(says("RCPT", ""));
    s.send_until([&] { return s.server.hanging() == 2; });
    CHECK(s.value("SELECT sum(attempts) || ' ' || count(lease) FROM recruiting.mail_outbox") == "0 0");
    s.server.behave({});
    s.send();
    CHECK(s.server.mails().size() == 2);
}

TEST_CASE("a mail whose sender died is sent by another once the lease is over", "[mail][outbox]") {
    mail_system s;
    s.book(ann);
    s.server.behave(says("CONTENT", ""));
    s.settings.timeout = 2s;
    s.settings.lease = 5s;
    {
        event_loop loop;
        running_mailer died(loop, s.booking.database.auth_url(), s.settings);
        loop.run_until([&] { return s.server.hanging() == 2; });
        died.worker.reset(); // nothing is written after it, as after a kill
    }
    CHECK(s.value("SELECT count(lease) FROM recruiting.mail_outbox") == "2");
    s.server.behave({});
    s.send();
    CHECK(s.mails_to(ann).size() == 2); // the server had taken it, as far as anybody knows
    CHECK(s.mails_to(s.interviewer_email).size() == 2);
    CHECK(s.value("SELECT DISTINCT attempts FROM recruiting.mail_outbox") == "2");
}

TEST_CASE("a mail that was sent while PostgreSQL was away is not sent again", "[mail][outbox]") {
    mail_system s;
    s.book(ann);
    s.settings.parallel = 1; // so that the link fails the one who sends
    cut_link link(s.booking.database.auth_url());
    std::atomic<int> asked{0};
    s.server.answer_recipients([&](std::string const&) -> std::optional<std::string> {
        if (asked++ == 0) link.lose_an_answer(); // to the note that it was sent
        else link.cut();
        return std::nullopt;
    });
    event_loop loop;
    running_mailer mailer(loop, link.url(), s.settings);
    loop.run_until([&] { return s.server.mails().size() == 2; });
    CHECK(s.with_status("sent") == "1");
    link.join();
    loop.run_until([&] { return s.with_status("sent") == "2"; });
    CHECK(link.answers_lost() == 1);
    CHECK(s.server.mails().size() == 2);
    CHECK(s.value("SELECT max(attempts) FROM recruiting.mail_outbox") == "1");
}

} // namespace mail_outbox_failures_test
