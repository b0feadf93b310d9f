// Mailers that stop, die, lose PostgreSQL or meet each other: each mail is sent, and once where nobody was killed.
#include "integration/auth_api/background/mail_harness.hpp"
#include "integration/support/cut_link.hpp"
#include "support/catch.hpp"

#include <set>

namespace mail_outbox_failures_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace std::chrono_literals;

namespace {

constexpr auto delayed_once = "SELECT count(*) FROM recruiting.mail_outbox WHERE attempts = 1 AND lease IS NULL AND "
                              "last_error IS NOT NULL";

} // namespace

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

TEST_CASE("a mail that was sent while PostgreSQL cancelled the note of it is not sent again", "[mail][outbox]") {
    mail_system s;
    s.book(ann);
    s.settings.parallel = 1;
    pg::client other(s.booking.database.owner_url(), "tests");
    std::optional<pg::transaction> lock;
    std::atomic<bool> locked{false};
    s.server.answer_recipients([&](std::string const&) -> std::optional<std::string> {
        if (locked) return std::nullopt;
        lock.emplace(other);
        other.run("SELECT FROM recruiting.mail_outbox FOR UPDATE");
        locked = true;
        return std::nullopt;
    });
    event_loop loop;
    running_mailer mailer(loop, s.booking.database.auth_url(), s.settings);
    loop.run_until([&] { return locked.load(); });
    cancel_waiting(loop, s.booking.database);
    lock.reset();
    loop.run_until([&] { return s.with_status("sent") == "2"; });
    CHECK(s.server.mails().size() == 2);
    CHECK(s.value("SELECT max(attempts) FROM recruiting.mail_outbox") == "1");
}

TEST_CASE("a mail is dead when the time since its first attempt is over, and begins anew when it is sent again",
          "[mail][outbox]") {
    mail_system s;
    s.book(ann);
    s.server.behave(says("CONNECT", "421 later"));
    s.settings.first_pause = s.settings.longest_pause = 10min;
    s.send_until([&] { return s.with_status("waiting") == "2" && s.value(delayed_once) == "2"; });
    // Attempts that an operator or a clock brought forward take nothing of the promised time.
    s.booking.change("UPDATE recruiting.mail_outbox SET attempts = 1000000, next_attempt_at = now()");
    s.send_until(
        [&] { return s.value("SELECT min(attempts) FROM recruiting.mail_outbox WHERE lease IS NULL") == "1000001"; });
    CHECK(s.with_status("waiting") == "2");
    s.booking.change("UPDATE recruiting.mail_outbox SET next_attempt_at = now(), attempts = 2, "
                     "first_attempt_at = first_attempt_at - interval '73 hours'");
    s.send();
    CHECK(s.with_status("dead") == "2");
    CHECK(s.value("SELECT DISTINCT last_error FROM recruiting.mail_outbox") ==
          "deferred at connect: 421; retries exhausted");
    // As recruitctl mail resend does.
    s.booking.change("UPDATE recruiting.mail_outbox SET status = 'waiting', attempts = 0, finished_at = NULL, "
                     "next_attempt_at = now(), last_error = NULL");
    s.send_until([&] { return s.value(delayed_once) == "2"; });
    CHECK(s.with_status("waiting") == "2");
}

} // namespace mail_outbox_failures_test
