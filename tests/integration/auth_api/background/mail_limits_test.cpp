// How many mails booking sends to one address, whatever is sent: what waits for the next day, and what is never said.
#include "integration/auth_api/background/mail_harness.hpp"
#include "support/catch.hpp"

#include <cstring>
#include <set>

namespace mail_limits_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

/// A candidate with an interview, whose link's holder or whoever knows the address does what they like.
struct busy_candidate : mail_system {
    busy_candidate() { book(ann); }
    void move(int to_hours) {
        auto const slot = booking.open_slot(interviewer, to_hours);
        change("status = 'confirmed', slot_id = '" + to_string(slot) + "'");
    }
    /// The organization's booking.
    void change(std::string const& to) {
        booking.change("UPDATE recruiting.bookings SET " + to + " WHERE organization_id = '" +
                       to_string(booking.organization) + "'");
    }
    /// Until every mail that may go today has gone.
    void send_today() {
        send_until([this] {
            return value("SELECT count(*) FROM recruiting.mail_outbox WHERE status = 'waiting' AND "
                         "coalesce(held_until, now()) <= now()") == "0";
        });
    }
    void next_day() {
        booking.change("UPDATE recruiting.booking_mail_counts SET day = day - 1;"
                       "UPDATE recruiting.mail_outbox SET counted_on = counted_on - 1;"
                       "UPDATE recruiting.mail_outbox SET held_until = now(), next_attempt_at = now() "
                       "WHERE held_until IS NOT NULL");
    }
    [[nodiscard]] std::string held(std::string const& audience) {
        return value("SELECT coalesce(string_agg(kind || ' ' || sequence, ', ' ORDER BY created_at, id), '') FROM "
                     "recruiting.mail_outbox WHERE status = 'waiting' AND audience = '" +
                     audience + "'");
    }
};

} // namespace

TEST_CASE("mails that the server dated before its clock was set back are sent", "[mail]") {
    mail_system s;
    s.settings.first_pause = s.settings.longest_pause = std::chrono::minutes{10};
    for (auto const* const times :
         {"next_attempt_at = now() + interval '1 hour'", "next_attempt_at = now() + interval '1 hour', attempts = 1",
          "next_attempt_at = now() + interval '25 hours', held_until = now() + interval '25 hours'",
          "lease = gen_random_uuid(), leased_until = now() + interval '58 minutes'"}) {
        CAPTURE(times);
        s.book("c" + std::to_string(std::strlen(times)) + "@mail.example", 48 + static_cast<int>(std::strlen(times)));
        s.booking.change(std::string("UPDATE recruiting.mail_outbox SET ") + times + " WHERE status = 'waiting'");
        s.send();
    }
    CHECK(s.with_status("sent") == "8");
    // Those that may wait do, also with a pause that a process with another setting gave.
    s.book(ann, 200);
    s.booking.change("UPDATE recruiting.mail_outbox SET next_attempt_at = now() + interval '20 minutes', attempts = 1, "
                     "held_until = CASE WHEN audience = 'candidate' THEN now() + interval '23 hours' END "
                     "WHERE status = 'waiting'");
    s.book("bo@mail.example", 210);
    s.send_until([&] { return s.with_status("sent") == "10"; });
    CHECK(s.with_status("waiting") == "2");
}

TEST_CASE("at most 12 mails a day to one address from booking, whatever is sent", "[mail][mail_limits]") {
    busy_candidate s;
    for (int i = 0; i < 20; ++i) {
        s.booking.open_slot(s.interviewer, 60 + i);
        s.booking.ask(ann, 60 + i); // by anybody
        s.booking.work();
        s.move(100 + i); // by the link's holder
    }
    CHECK(s.value("SELECT count(*) FROM recruiting.mail_outbox") == "62");
    s.send_today();
    CHECK(s.mails_to(ann).size() == 12);
    CHECK(s.mails_to(s.interviewer_email).size() == 12);
    s.send_today();
    CHECK(s.mails_to(ann).size() == 12);
    // The next day both hear how it stands in the end, not of each step.
    CHECK(s.held("candidate") == "rescheduled 20");
    CHECK(s.held("interviewer") == "rescheduled 20");
    CHECK(s.value("SELECT DISTINCT held_until = date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' + "
                  "interval '1 day' FROM recruiting.mail_outbox WHERE status = 'waiting'") == "true");
    s.next_day();
    s.send();
    CHECK(s.mails_to(ann).size() == 13);
    CHECK(s.mails_to(ann).back().calendar.find("\r\nSEQUENCE:20\r\n") != std::string::npos);
    CHECK(s.mails_to(s.interviewer_email).size() == 13);
}

TEST_CASE("whoever knows an address uses up no mail that the candidate's own changes need", "[mail][mail_limits]") {
    busy_candidate s;
    s.settings.per_recipient = 4;
    for (int i = 0; i < 10; ++i) {
        s.booking.open_slot(s.interviewer, 60 + i);
        s.booking.ask(ann, 60 + i);
        s.booking.work();
    }
    s.send_today();
    CHECK(s.mails_to(ann).size() == 3); // the confirmation and two replies
    CHECK(s.held("candidate") == "already_booked 0");
    s.move(100);
    s.send_today();
    CHECK(s.mails_to(ann).size() == 4);
    CHECK(s.mails_to(ann).back().field("Subject").find("Engineer") != std::string::npos);
    CHECK(s.mails_to(ann).back().calendar.find("\r\nSEQUENCE:1\r\n") != std::string::npos);
    CHECK(s.held("candidate").empty()); // the reply said less than the mail that was sent since
}

TEST_CASE("a cancellation that is held back is sent if the recipient was told of the interview, and only then",
          "[mail][mail_limits]") {
    busy_candidate s;
    s.settings.per_recipient = 2;
    s.move(100);
    s.send_today();
    s.cancel(ann);
    s.move(101); // a new interview
    s.cancel(ann);
    s.move(102); // another one
    s.send_today();
    CHECK(s.mails_to(ann).size() == 2);
    for (std::string const audience : {"candidate", "interviewer"})
        CHECK(s.held(audience) == "canceled 2, confirmed 0");
    s.next_day();
    s.send();
    for (auto const& address : {ann, s.interviewer_email}) {
        auto const mails = s.mails_to(address);
        REQUIRE(mails.size() == 4);
        CHECK(mails[2].calendar.find("METHOD:CANCEL") != std::string::npos);
        CHECK(mails[3].calendar.find("METHOD:REQUEST") != std::string::npos);
    }
}

TEST_CASE("no organization holds back the first mails about another's interview", "[mail][mail_limits]") {
    busy_candidate s;
    for (int i = 0; i < 13; ++i) s.move(100 + i);
    s.send_today();
    CHECK(s.mails_to(ann).size() == 12);
    s.booking.add_organization();
    s.interviewer = s.booking.add_interviewer();
    s.book(ann, 300);
    s.move(301);
    s.change("status = 'canceled'");
    s.send_today();
    auto const mails = s.mails_to(ann);
    REQUIRE(mails.size() == 15);
    CHECK(mails[12].calendar.find("METHOD:REQUEST") != std::string::npos);
    CHECK(mails[14].calendar.find("METHOD:CANCEL") != std::string::npos);
    CHECK(s.held("candidate") == "rescheduled 13");
    // Beyond those, all organizations together spare the mailbox.
    s.move(302);
    s.send_today();
    CHECK(s.mails_to(ann).size() == 15);
    CHECK(s.held("candidate") == "rescheduled 13, confirmed 0");
    CHECK(s.mails_to("interviewer2@" + s.booking.slug + ".example").size() == 4);
    s.next_day();
    s.send();
    CHECK(s.mails_to(ann).size() == 17);
}

TEST_CASE("replies that a stranger causes hold back no first mail of an interview", "[mail][mail_limits]") {
    busy_candidate s;
    for (int i = 0; i < 13; ++i) s.move(100 + i);
    s.send_today(); // as many as all organizations together may send
    s.booking.add_organization();
    s.interviewer = s.booking.add_interviewer();
    s.book(ann, 300);
    s.send_today();
    auto const before = s.mails_to(ann).size();
    for (int i = 0; i < 4; ++i) {
        s.booking.open_slot(s.interviewer, 310 + i);
        s.booking.ask(ann, 310 + i);
        s.booking.work();
    }
    s.send_today();
    CHECK(s.mails_to(ann).size() == before);
    s.change("status = 'canceled'");
    s.send_today();
    REQUIRE(s.mails_to(ann).size() == before + 1);
    CHECK(s.mails_to(ann).back().calendar.find("METHOD:CANCEL") != std::string::npos);
}

TEST_CASE("an address is counted over all its interviews, an interviewer for each of them", "[mail][mail_limits]") {
    mail_system s;
    s.settings.per_recipient = 2;
    for (int i = 0; i < 5; ++i) s.book("c" + std::to_string(i) + "@mail.example", 48 + i);
    s.send();
    CHECK(s.mails_to(s.interviewer_email).size() == 5); // no candidate silences another's interview
    // Three spellings of one mailbox.
    s.booking.change(
        "UPDATE recruiting.candidates SET email = CASE email WHEN 'c0@mail.example' THEN "
        "'ONE@mail.example' WHEN 'c1@mail.example' THEN 'one+c1@mail.example' ELSE 'one@mail.example' END, "
        "email_key = CASE email WHEN 'c1@mail.example' THEN 'one+c1@mail.example' ELSE "
        "'one@mail.example' END;"
        "UPDATE recruiting.bookings SET status = 'canceled'");
    s.send_until([&] {
        return s.value("SELECT count(*) FROM recruiting.mail_outbox WHERE status = 'waiting' AND held_until IS NULL") ==
               "0";
    });
    CHECK(s.mails_to("one@mail.example").size() + s.mails_to("ONE@mail.example").size() +
              s.mails_to("one+c1@mail.example").size() ==
          2);
    CHECK(s.mails_to(s.interviewer_email).size() == 10);
    CHECK(s.with_status("waiting") == "3");
    // Mails that wait for tomorrow are not late.
    CHECK(s.value("SELECT count(*) FROM recruiting.booking_mail_counts WHERE mails > 2") == "0");
}

TEST_CASE("a mail that is tried again counts once", "[mail][mail_limits]") {
    mail_system s;
    s.settings.per_recipient = 2;
    s.book(ann);
    s.cancel(ann);
    std::atomic<int> refusals{0};
    s.server.answer_recipients([&](std::string const& recipient) -> std::optional<std::string> {
        if (recipient.find(ann) == std::string::npos || refusals++ >= 5) return std::nullopt;
        return "451 4.7.1 greylisted";
    });
    s.send();
    CHECK(s.mails_to(ann).size() == 2);
    CHECK(s.value("SELECT max(attempts) FROM recruiting.mail_outbox") == "6");
}

TEST_CASE("counts of past days go", "[mail][mail_limits]") {
    mail_system s;
    s.book(ann);
    s.send();
    CHECK(s.value("SELECT count(*) FROM recruiting.booking_mail_counts") == "3"); // the address twice
    s.booking.change("UPDATE recruiting.booking_mail_counts SET day = day - 2");
    delete_expired_until(s.booking.database,
                         [&] { return s.value("SELECT count(*) FROM recruiting.booking_mail_counts") == "0"; });
}

} // namespace mail_limits_test
