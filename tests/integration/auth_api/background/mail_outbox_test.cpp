// The outbox from a booking to a mail server: who gets what, in which order, and what becomes of what fails.
#include "core/text.hpp"
#include "crypto/digest.hpp"
#include "directory/organizations.hpp"
#include "integration/auth_api/background/mail_harness.hpp"
#include "support/catch.hpp"

#include <filesystem>
#include <fstream>

namespace mail_outbox_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace std::chrono_literals;

namespace {

bool has(std::string const& text, std::string const& what) { return text.find(what) != std::string::npos; }

} // namespace

TEST_CASE("a booking's two mails arrive, the candidate's with a link of its own", "[mail][outbox]") {
    mail_system s;
    s.book(ann, 48, "https://meet.example.com/room");
    s.send();
    CHECK(s.with_status("sent") == "2");
    auto const to_ann = s.mails_to(ann);
    auto const to_interviewer = s.mails_to(s.interviewer_email);
    REQUIRE(to_ann.size() == 1);
    REQUIRE(to_interviewer.size() == 1);

    auto const& mail = to_ann[0];
    CHECK(mail.field("Subject") == "Your interview is confirmed: Engineer");
    CHECK(has(mail.text, "Hello Candidate,"));
    CHECK(has(mail.text, "(Europe/Berlin, UTC+"));
    CHECK(has(mail.text, "45 minutes"));
    CHECK_FALSE(has(mail.text + mail.calendar, "https://meet.example.com/room"));
    CHECK(mail.join_token() == join_token_of(mail.token()));
    CHECK(has(mail.calendar, "\r\nMETHOD:REQUEST\r\n"));
    CHECK(has(mail.calendar, "@jobs.example.com\r\n"));
    CHECK(has(mail.calendar, "mailto:" + ann));

    auto const token = mail.token();
    CHECK(token.size() == 43);
    CHECK(s.value("SELECT count(*) FROM recruiting.booking_tokens WHERE hash = '\\x" + to_hex(bytes_of(sha256(token))) +
                  "' AND expires_at > now() + interval '29 days'") == "1");
    CHECK(s.value("SELECT join_hash = '\\x" + to_hex(bytes_of(sha256(mail.join_token()))) +
                  "' FROM recruiting.booking_tokens WHERE hash = '\\x" + to_hex(bytes_of(sha256(token))) + "'") ==
          "true");
    CHECK(s.value("SELECT count(*) FROM recruiting.booking_tokens") == "2");
    CHECK(has(mail.calendar, "/interviews/" + token + "\r\n"));
    CHECK(has(mail.calendar, "\r\nCLASS:PRIVATE\r\n"));
    CHECK_FALSE(has(mail.text + mail.calendar + mail.head, s.interviewer_email));

    auto const& told = to_interviewer[0];
    CHECK(has(told.text, "Hello Member interviewer1,"));
    CHECK(told.token().empty());
    CHECK(told.join_token().size() == 43);
    CHECK(told.join_token() != mail.join_token());
    CHECK(has(told.text, "Candidate"));
    CHECK_FALSE(has(told.text + told.calendar + told.head, ann));
    CHECK(told.field("Message-ID") != mail.field("Message-ID"));
}

TEST_CASE("a moved and a canceled interview keep their UID and count their sequence up", "[mail][outbox]") {
    mail_system s;
    s.book(ann);
    s.send();
    s.booking.open_slot(s.interviewer, 72);
    s.booking.change("UPDATE recruiting.bookings SET slot_id = (SELECT id FROM recruiting.interview_slots ORDER BY "
                     "starts_at DESC LIMIT 1)");
    s.cancel(ann);
    s.send();
    for (auto const& address : {ann, s.interviewer_email}) {
        auto const mails = s.mails_to(address);
        REQUIRE(mails.size() == 3);
        auto const uid_of = [](std::string const& calendar) {
            auto const at = calendar.find("\r\nUID:");
            return calendar.substr(at, calendar.find("\r\n", at + 2) - at);
        };
        for (std::size_t i = 0; i < 3; ++i) {
            CHECK(uid_of(mails[i].calendar) == uid_of(mails[0].calendar));
            CHECK(has(mails[i].calendar, "\r\nSEQUENCE:" + std::to_string(i) + "\r\n"));
            CHECK(has(mails[i].calendar, i < 2 ? "\r\nMETHOD:REQUEST\r\n" : "\r\nMETHOD:CANCEL\r\n"));
        }
        CHECK(has(mails[1].text, "Before:"));
    }
    auto const last = s.mails_to(ann)[2];
    CHECK(last.field("Subject") == "Your interview has been canceled: Engineer");
    CHECK(has(last.text, "Book another time:"));
    CHECK(last.token().size() == 43);
}

TEST_CASE("whoever comes too late, or again, gets a link and no invitation", "[mail][outbox]") {
    mail_system s;
    s.book(ann);
    s.booking.add_candidate("bob@mail.example");
    s.booking.ask("bob@mail.example", 48);
    s.booking.open_slot(s.interviewer, 72);
    s.booking.ask(ann, 72);
    s.booking.work();
    s.send();
    auto const taken = s.mails_to("bob@mail.example");
    REQUIRE(taken.size() == 1);
    CHECK(taken[0].field("Subject") == "Please pick another time for your interview: Engineer");
    CHECK(taken[0].calendar.empty());
    CHECK(taken[0].token().size() == 43);
    auto const again = s.mails_to(ann);
    REQUIRE(again.size() == 2);
    CHECK(again[1].field("Subject") == "You already have an interview: Engineer");
    CHECK(again[1].calendar.empty());
    CHECK(s.mails_to(s.interviewer_email).size() == 1);
}

TEST_CASE("a later mail about a booking waits for the earlier one to the same person", "[mail][outbox]") {
    mail_system s;
    s.book(ann);
    s.cancel(ann);
    std::atomic<int> refusals{0};
    s.server.answer_recipients([&](std::string const& recipient) -> std::optional<std::string> {
        if (!has(recipient, ann) || refusals++ >= 5) return std::nullopt;
        return "451 4.7.1 greylisted, ann@mail.example";
    });
    s.send(2); // to the end: a mailer that is stopped gives its mail back, and takes the attempt back with it
    CHECK(s.mails_to(s.interviewer_email).size() == 2); // they wait for nobody
    auto const mails = s.mails_to(ann);
    REQUIRE(mails.size() == 2);
    CHECK(has(mails[0].calendar, "METHOD:REQUEST"));
    CHECK(has(mails[1].calendar, "METHOD:CANCEL"));
    CHECK(s.value("SELECT max(attempts) FROM recruiting.mail_outbox") == "6");
}

TEST_CASE("a mail refused for good is dead at once, and keeps no other waiting", "[mail][outbox]") {
    mail_system s;
    s.book(ann);
    s.cancel(ann);
    std::atomic<int> refusals{0};
    s.server.answer_recipients([&](std::string const& recipient) -> std::optional<std::string> {
        if (!has(recipient, ann) || refusals++ > 0) return std::nullopt;
        return "550 5.1.1 <ann@mail.example>: no such user";
    });
    s.send();
    CHECK(s.value("SELECT string_agg(kind || ' ' || attempts || ' ' || last_error, ', ') FROM recruiting.mail_outbox "
                  "WHERE status = 'dead'") == "confirmed 1 rejected at recipient: 550 5.1.1");
    CHECK(s.mails_to(ann).size() == 1);
    CHECK(s.with_status("sent") == "3");
}

TEST_CASE("a mail server that is away is tried until it is back, in the end in vain", "[mail][outbox]") {
    mail_system s;
    s.book(ann);
    s.server.behave(says("CONNECT", "421 4.3.2 down for an hour"));
    s.send_until([&] { return s.value("SELECT min(attempts) FROM recruiting.mail_outbox") >= "3"; });
    CHECK(s.with_status("waiting") == "2");
    CHECK(s.value("SELECT DISTINCT last_error FROM recruiting.mail_outbox") == "deferred at connect: 421 4.3.2");
    s.server.behave({});
    s.send();
    CHECK(s.with_status("sent") == "2");
    CHECK(s.server.mails().size() == 2);

    s.cancel(ann);
    s.server.behave(says("CONNECT", "421 4.3.2 down for ever"));
    s.settings.give_up_after = 10ms;
    s.send();
    CHECK(s.with_status("dead") == "2");
    CHECK(s.value("SELECT DISTINCT last_error FROM recruiting.mail_outbox WHERE status = 'dead'") ==
          "deferred at connect: 421 4.3.2; retries exhausted");
}

TEST_CASE("an invitation gives the address of the member who sent it, an operator's gives none", "[mail][outbox]") {
    mail_system s;
    for (auto const* const email : {"first@new.example", "second@new.example"}) {
        directory::new_member wanted;
        wanted.email = email;
        wanted.name = "New";
        REQUIRE(directory::invite_member(s.booking.database.owner(), s.booking.slug, wanted).has_value());
    }
    s.booking.change(
        "UPDATE recruiting.mail_outbox SET invited_by = (SELECT id FROM recruiting.memberships WHERE role = "
        "'admin' AND organization_id = '" +
        to_string(s.booking.organization) +
        "') WHERE id = (SELECT id FROM recruiting.mail_outbox ORDER BY created_at DESC LIMIT 1)");
    s.send();
    auto const first = s.mails_to("first@new.example");
    auto const second = s.mails_to("second@new.example");
    REQUIRE(first.size() == 1);
    REQUIRE(second.size() == 1);
    auto const admin = "admin@" + s.booking.slug + ".example";
    CHECK(first[0].text.find(admin) == std::string::npos);
    CHECK(first[0].text.find(" invites you to its console at ") != std::string::npos);
    CHECK(second[0].text.find(admin + " invites you to the console of ") != std::string::npos);
}

TEST_CASE("mails can go into files, one each, for their owner only", "[mail][outbox]") {
    mail_system s;
    s.book(ann);
    auto const directory = std::filesystem::temp_directory_path() / ("mails_" + s.booking.slug) / "deeper";
    s.settings.server = *mailing::parse_mail_server("file:" + directory.string());
    s.send();
    int files = 0;
    for (auto const& entry : std::filesystem::directory_iterator(directory)) {
        ++files;
        CHECK(entry.path().extension() == ".eml");
        CHECK(entry.path().filename().string().size() == 16 + 1 + 32 + 4);
        CHECK((entry.status().permissions() & std::filesystem::perms::mask) ==
              (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
        std::ifstream file(entry.path(), std::ios::binary);
        std::string const content{std::istreambuf_iterator<char>(file), {}};
        CHECK(has(parse_mail(content).calendar, "METHOD:REQUEST"));
    }
    CHECK(files == 2);
    std::filesystem::remove_all(directory.parent_path());

    s.cancel(ann);
    s.settings.server = *mailing::parse_mail_server("file:/proc/nowhere");
    s.send_until([&] { return s.value("SELECT count(last_error) FROM recruiting.mail_outbox") == "2"; });
    CHECK(s.with_status("waiting") == "2");
}

TEST_CASE("what nobody can get is dead, and says why", "[mail][outbox]") {
    mail_system s;
    s.book(ann);
    s.booking.change("UPDATE recruiting.candidates SET deleted_at = now()");
    s.send();
    CHECK(s.value("SELECT last_error FROM recruiting.mail_outbox WHERE status = 'dead'") ==
          "the recipient no longer exists");
    s.booking.change("UPDATE recruiting.candidates SET deleted_at = NULL, email = 'nobody at all'");
    s.booking.change("UPDATE recruiting.bookings SET status = 'canceled'");
    s.send();
    CHECK(s.value("SELECT last_error FROM recruiting.mail_outbox WHERE status = 'dead' AND kind = 'canceled'") ==
          "the recipient's address is not valid");
    CHECK(s.server.mails().size() == 2);
}

TEST_CASE("an interviewer who is no member any more is told nothing of candidates", "[mail][outbox]") {
    mail_system s;
    s.book(ann);
    s.booking.change(
        "UPDATE recruiting.memberships SET status = 'removed', removed_at = now() WHERE role = 'interviewer'");
    s.send();
    CHECK(s.mails_to(ann).size() == 1);
    CHECK(s.server.mails().size() == 1);
    CHECK(s.value("SELECT last_error FROM recruiting.mail_outbox WHERE audience = 'interviewer'") ==
          "the recipient no longer exists");
}

TEST_CASE("an interview that is over is not confirmed any more", "[mail][outbox]") {
    mail_system s;
    s.book(ann);
    s.booking.change("UPDATE recruiting.mail_outbox SET starts_at = now() - interval '2 hours', "
                     "ends_at = now() - interval '1 hour'");
    s.send();
    CHECK(s.with_status("dead") == "2");
    CHECK(s.server.mails().empty());
}

TEST_CASE("without a mail server mails wait", "[mail][outbox]") {
    mail_system s;
    s.book(ann);
    auto const server = s.settings.server;
    s.settings.server = {};
    s.send_until([&] { return true; });
    CHECK(s.with_status("waiting") == "2");
    s.settings.server = server;
    s.send();
    CHECK(s.with_status("sent") == "2");
}

TEST_CASE("old mails and links go", "[mail][outbox]") {
    mail_system s;
    s.book(ann);
    s.send();
    s.booking.change("UPDATE recruiting.mail_outbox SET finished_at = now() - interval '31 days' "
                     "WHERE audience = 'candidate'");
    delete_expired_until(s.booking.database,
                         [&] { return s.value("SELECT count(*) FROM recruiting.mail_outbox") == "1"; });
    CHECK(s.value("SELECT count(*) FROM recruiting.booking_tokens") == "2");
    s.booking.change("UPDATE recruiting.booking_tokens SET expires_at = now() - interval '1 second'");
    delete_expired_until(s.booking.database,
                         [&] { return s.value("SELECT count(*) FROM recruiting.booking_tokens") == "0"; });
    CHECK(s.value("SELECT count(*) FROM recruiting.mail_outbox") == "1");
}

} // namespace mail_outbox_test
