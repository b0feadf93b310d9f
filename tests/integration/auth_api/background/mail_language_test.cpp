// The language of a booking's mails (proto-docs/mail.md): that of the request, from the first mail to the last.
#include "integration/auth_api/background/mail_harness.hpp"
#include "support/catch.hpp"
#include "words/words.hpp"

namespace mail_language_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

bool has(std::string const& text, std::string_view what) { return text.find(what) != std::string::npos; }

} // namespace

TEST_CASE("the language of the request is kept for every later mail of the booking", "[mail][language]") {
    mail_system s;
    s.booking.open_slot(s.interviewer, 48);
    s.booking.add_candidate(ann);
    s.booking.ask(ann, 48, "Europe/Berlin", "de");
    s.booking.work();
    s.send();
    s.booking.open_slot(s.interviewer, 72);
    s.booking.change("UPDATE recruiting.bookings SET slot_id = (SELECT id FROM recruiting.interview_slots ORDER BY "
                     "starts_at DESC LIMIT 1)");
    s.send();
    // Somebody else who knows the address asks in another language: the booking keeps its own.
    s.booking.ask(ann, 48, "Europe/Paris", "fr");
    s.booking.work();
    s.send();
    s.cancel(ann);
    s.send();
    auto const& german = words_for("de");
    auto const mails = s.mails_to(ann);
    REQUIRE(mails.size() == 4);
    std::string_view const news[] = {german.mail.invitation_note, german.mail.before, german.mail.manage_link,
                                     german.mail.rebook_link};
    for (std::size_t i = 0; i < mails.size(); ++i) {
        CAPTURE(i, mails[i].text);
        CHECK(has(mails[i].text, "Guten Tag Candidate,"));
        CHECK(has(mails[i].text, news[i]));
        CHECK(has(mails[i].text, " Uhr ("));
    }
    CHECK(has(mails[0].calendar, "SUMMARY:Vorstellungsgespr"));
    CHECK(has(s.mails_to(s.interviewer_email)[0].text, "You have an interview with Candidate"));
}

TEST_CASE("who comes too late reads that in the language of the request, and then in a later request's",
          "[mail][language]") {
    mail_system s;
    s.book("bob@mail.example");
    s.booking.add_candidate(ann);
    s.booking.ask(ann, 48, "Asia/Tokyo", "ja");
    s.booking.work();
    s.send();
    s.booking.open_slot(s.interviewer, 96);
    s.booking.ask(ann, 96, "America/Lima", "es");
    s.booking.work();
    s.send();
    auto const mails = s.mails_to(ann);
    REQUIRE(mails.size() == 2);
    CHECK(has(mails[0].text, words_for("ja").mail.pick_link));
    CHECK(has(mails[0].text, "Asia/Tokyo"));
    CHECK(has(mails[1].text, "Hola, Candidate:"));
    CHECK(s.value("SELECT language FROM recruiting.bookings b JOIN recruiting.candidates c ON c.id = b.candidate_id "
                  "WHERE c.email = '" +
                  ann + "'") == "es");
}

TEST_CASE("a request without a language is answered in English", "[mail][language]") {
    mail_system s;
    s.book(ann);
    s.send();
    CHECK(has(s.mails_to(ann)[0].text, "Hello Candidate,"));
    CHECK(s.value("SELECT language IS NULL FROM recruiting.bookings") == "true");
}

} // namespace mail_language_test
