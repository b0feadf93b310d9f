// Every letter, with the worst that records can hold, as other people's parsers read it.
#include "auth_api/background/mail/compose.hpp"
#include "core/text.hpp"
#include "crypto/digest.hpp"
#include "integration/mail/reader.hpp"
#include "mail/calendar.hpp"
#include "mail/encodings.hpp"
#include "support/catch.hpp"
#include "words/words.hpp"

namespace mail_letters_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace recruiting::auth_api::mailing;
using namespace std::chrono_literals;

namespace {

std::string const token(43, 'T');
std::string const decline_token(43, 'D');
std::string const manage_link = "https://jobs.example.com/interviews/" + token;
std::string const decline_link = "https://jobs.example.com/interviews/" + decline_token + "/decline";
std::string const join_link = "https://jobs.example.com/interviews/" + join_token_of(token) + "/join";

mail_settings some_settings() {
    mail_settings out;
    out.from = mail::parse_mailbox("jobs@example.com");
    out.public_url = "https://jobs.example.com";
    return out;
}

opened_mail some_mail(audience to, kind about) {
    auto const at = *parse_time("2026-11-24T09:00:00Z");
    opened_mail out;
    auto& m = out.mail;
    m.id = *parse_id("0190a1b2c3d4e5f60718293a4b5c6d7e");
    m.calendar_uid = *parse_id("00112233445566778899aabbccddeeff");
    m.to = to;
    m.about = about;
    if (about != kind::slot_taken) {
        m.starts_at = at;
        m.ends_at = at + 45min;
    } else {
        m.wanted_starts_at = at;
    }
    if (about == kind::rescheduled) m.previous_starts_at = at - 24h;
    m.sequence = 3;
    m.created_at = m.now = at - 48h;
    m.time_zone = "America/New_York";
    m.organization_time_zone = "Europe/Berlin";
    m.organization_name = "Acme";
    m.job_title = "Engineer";
    m.stage_name = "First talk";
    m.candidate_name = "Ann Lee";
    m.candidate_email = "ann@mail.example";
    m.interviewer_name = "Ivy";
    m.interviewer_email = "ivy@acme.example";
    if (to == audience::candidate) out.link_expires_at = at + 24h;
    return out;
}

mail::message composed(opened_mail const& from, mail_settings const& settings = some_settings()) {
    auto made = compose(from, settings, {token, decline_token});
    REQUIRE(std::holds_alternative<mail::message>(made));
    return std::get<mail::message>(made);
}

bool has(std::string const& text, std::string const& what) { return text.find(what) != std::string::npos; }

constexpr std::array kinds = {kind::confirmed,  kind::rescheduled,    kind::canceled,
                              kind::slot_taken, kind::already_booked, kind::declined};

} // namespace

TEST_CASE("a name that looks like a contact is in no part of a letter or calendar entry", "[mail][letters]") {
    for (auto const to : {audience::candidate, audience::interviewer})
        for (auto const about : kinds)
            for (auto const& in : all_words()) {
                if (to == audience::interviewer && (about == kind::slot_taken || about == kind::already_booked))
                    continue;
                CAPTURE(to_string(to), to_string(about), in.language);
                auto row = some_mail(to, about);
                row.mail.language = in.language;
                row.mail.candidate_name = "You won, claim it at https://evil.example/a";
                row.mail.interviewer_name = "Call evil: +49 30 1234567";
                auto const mail = composed(row);
                auto const all = mail.subject + mail.text + mail.html + mail.calendar + mail.to.name;
                CHECK_FALSE(has(all, "evil"));
                CHECK_FALSE(has(all, "won"));
                CHECK(mail.to.name.empty());
                if (to == audience::candidate) continue;
                CHECK(has(mail.text, "Hello,\n"));
                CHECK(has(mail.text, "interview with a candidate for Engineer"));
                CHECK(has(mail.subject, "interview with a candidate, Engineer"));
            }
}

TEST_CASE("each letter says when, in its reader's zone, and what can be done", "[mail][letters]") {
    for (auto const about : kinds) {
        auto const mail = composed(some_mail(audience::candidate, about));
        CAPTURE(mail.text);
        CHECK(has(mail.text, "Tuesday, 24 November 2026, 04:00 (America/New_York, UTC-05:00)"));
        CHECK(has(mail.text, manage_link));
        CHECK(has(mail.html, "<a href=\"" + manage_link + "\""));
        CHECK(has(mail.text, "Hello Ann Lee,"));
        CHECK(has(mail.text, "Replies to it are not read."));
        CHECK_FALSE(has(mail.text + mail.html + mail.calendar, "ivy@acme.example"));
        CHECK(mail.calendar.empty() == (about == kind::slot_taken || about == kind::already_booked));
    }
    for (auto const about : {kind::confirmed, kind::rescheduled, kind::canceled, kind::declined}) {
        auto const mail = composed(some_mail(audience::interviewer, about));
        CAPTURE(mail.text);
        CHECK(has(mail.text, "Tuesday, 24 November 2026, 10:00 (Europe/Berlin, UTC+01:00)"));
        CHECK(has(mail.text, "Ann Lee"));
        CHECK_FALSE(has(mail.text + mail.html + mail.calendar, token));
        CHECK_FALSE(has(mail.text + mail.html + mail.calendar, "ann@mail.example"));
    }
}

TEST_CASE("a booking's mail always carries a join link, and so does its invitation", "[mail][letters]") {
    for (auto const to : {audience::candidate, audience::interviewer}) {
        for (auto const about : {kind::confirmed, kind::rescheduled, kind::already_booked}) {
            if (to == audience::interviewer && about == kind::already_booked) continue;
            auto from = some_mail(to, about);
            for (bool const is_set : {false, true}) {
                from.mail.has_meeting_url = is_set;
                auto const mail = composed(from);
                CAPTURE(mail.text);
                CHECK(has(mail.text, "Join: "));
                CHECK(has(mail.text, " " + join_link + "\n"));
                CHECK(has(mail.html, "<a href=\"" + join_link + "\""));
                bool const says_so = to == audience::interviewer && !is_set;
                CHECK(has(mail.text, "The address of the meeting is not set yet") == says_so);
                if (about == kind::already_booked) continue;
                auto calendar = mail.calendar;
                for (auto at = calendar.find("\r\n "); at != calendar.npos; at = calendar.find("\r\n ", at))
                    calendar.erase(at, 3);
                CHECK(has(calendar, "\r\nLOCATION:" + join_link + "\r\n"));
                CHECK(has(calendar, "\r\nURL:" + join_link + "\r\n"));
                // Each reader's own link, in an entry that shared calendars do not show.
                CHECK(has(calendar, "\r\nCLASS:PRIVATE\r\n"));
                bool const is_candidates = to == audience::candidate;
                CHECK(has(calendar, "\\nMove or cancel: " + manage_link + "\r\n") == is_candidates);
                CHECK(has(calendar, "\\nDecline: " + decline_link + "\r\n") != is_candidates);
                CHECK(has(calendar, token) == is_candidates);
            }
        }
    }
    for (auto const about : {kind::canceled, kind::slot_taken, kind::declined}) {
        auto const mail = composed(some_mail(audience::candidate, about));
        CHECK_FALSE(has(mail.text, "/join"));
        CHECK_FALSE(has(mail.calendar, "https://"));
        CHECK_FALSE(has(mail.calendar, "CLASS:"));
    }
}

TEST_CASE("an interviewer declines with their mail, and finds the candidate in the console", "[mail][letters]") {
    auto settings = some_settings();
    std::string const in_console =
        "https://jobs.example.com/console/interviews/bookings/0190b1b2c3d4e5f60718293a4b5c6d7e";
    for (auto const about : kinds) {
        if (about == kind::slot_taken || about == kind::already_booked) continue;
        auto from = some_mail(audience::interviewer, about);
        from.mail.booking = *parse_id("0190b1b2c3d4e5f60718293a4b5c6d7e");
        bool const takes_place = about == kind::confirmed || about == kind::rescheduled;
        for (bool const has_console : {false, true}) {
            settings.has_console = has_console;
            auto const mail = composed(from, settings);
            CAPTURE(mail.text);
            CHECK(has(mail.text, "\nDecline the interview:\n" + decline_link + "\n") == takes_place);
            CHECK(has(mail.html, "<a href=\"" + decline_link + "\"") == takes_place);
            CHECK(has(mail.text, in_console) == (has_console && takes_place));
            CHECK(has(mail.html, "<a href=\"" + in_console + "\"") == (has_console && takes_place));
        }
    }
    auto const declined = composed(some_mail(audience::interviewer, kind::declined));
    CHECK(declined.subject == "Declined: interview with Ann Lee, Engineer");
    CHECK(declined.method == mail::calendar_method::cancel);
}

TEST_CASE("the one button adds to the calendar and, within an hour of the interview, joins", "[mail][letters]") {
    constexpr std::string_view button = "class=\"button\"";
    for (auto const to : {audience::candidate, audience::interviewer}) {
        for (auto const about : {kind::confirmed, kind::rescheduled, kind::already_booked}) {
            if (to == audience::interviewer && about == kind::already_booked) continue;
            for (auto const ahead : {48h, 1h, 0h}) {
                auto from = some_mail(to, about);
                from.mail.now = *from.mail.starts_at - ahead + (ahead == 0h ? 5min : 0min);
                auto const html = composed(from).html;
                auto const at = html.find(button);
                REQUIRE(at != html.npos);
                CHECK(html.find(button, at + 1) == html.npos);
                auto const file = to == audience::candidate ? manage_link + "/invite.ics"
                                                            : decline_link + "/invite.ics?join=" + join_token_of(token);
                auto const wanted = ahead == 0h ? join_link : file;
                auto const link = html.find("<a href=\"", at);
                CHECK(html.compare(link, 10 + wanted.size(), "<a href=\"" + wanted + "\"") == 0);
                // Changing the interview comes after it.
                CHECK(html.find("<a href=\"" + (to == audience::candidate ? manage_link : decline_link) + "\"") > link);
            }
        }
    }
}

TEST_CASE("a candidate's mail about a booked time adds it to web calendars, which learn no secret", "[mail][letters]") {
    for (auto const& in : all_words()) {
        for (auto const about : kinds) {
            auto from = some_mail(audience::candidate, about);
            from.mail.language = in.language;
            auto const text = composed(from).text;
            bool const is_offered =
                about == kind::confirmed || about == kind::rescheduled || about == kind::already_booked;
            for (std::string const calendar :
                 {"https://calendar.google.com/", "https://outlook.live.com/", "https://outlook.office.com/"}) {
                auto const at = text.find(calendar);
                REQUIRE((at != text.npos) == is_offered);
                if (!is_offered) continue;
                auto const link = text.substr(at, text.find('\n', at) - at);
                CAPTURE(link);
                CHECK(has(link, percent_encode(join_link)));
                CHECK_FALSE(has(link, token));
                CHECK(std::ranges::all_of(link, [](char c) { return c > ' ' && c < 127; }));
            }
            CHECK(has(text, manage_link + "/invite.ics\n") == is_offered);
        }
    }
}

TEST_CASE("the candidate of a declined interview reads that nothing is booked, and chooses another time",
          "[mail][letters]") {
    auto const mail = composed(some_mail(audience::candidate, kind::declined));
    CAPTURE(mail.text);
    CHECK(mail.subject == "Your interview needs another time: Engineer");
    CHECK(has(mail.text, "Nothing is booked now"));
    CHECK(has(mail.text, "\nBefore: Tuesday, 24 November 2026, 04:00"));
    CHECK(has(mail.text, "\nPick another time:\n" + manage_link + "\n"));
    CHECK(mail.method == mail::calendar_method::cancel);
    CHECK(has(mail.calendar, "\r\nSTATUS:CANCELLED\r\n"));
}

TEST_CASE("who may write back is not told that replies are not read", "[mail][letters]") {
    auto settings = some_settings();
    settings.reply_to = mail::parse_mailbox("people@acme.example");
    auto const answered = composed(some_mail(audience::candidate, kind::confirmed), settings);
    CHECK(answered.reply_to->email == "people@acme.example");
    CHECK_FALSE(has(answered.text, "not read"));
}

TEST_CASE("a candidate's mails are in the language of the request, whole", "[mail][letters]") {
    for (auto const& in : all_words()) {
        for (auto const about : kinds) {
            auto from = some_mail(audience::candidate, about);
            from.mail.language = in.language;
            auto const mail = composed(from);
            CAPTURE(in.language, mail.text);
            auto const at = *(from.mail.starts_at ? from.mail.starts_at : from.mail.wanted_starts_at);
            CHECK(has(mail.text, describe_time(at, "America/New_York", in)));
            CHECK(has(mail.text, std::string(in.mail.automatic_note)));
            CHECK(has(mail.html, "<html lang=\"" + std::string(in.language) + "\" dir=\"ltr\">"));
            CHECK(has(mail.subject, "Engineer"));
            CHECK_FALSE(has(mail.text, "{"));
            if (in.language == "en") continue;
            for (auto const* english : {"Hello", "Your", "interview ", "Tuesday", "Join:", "This link"})
                CHECK_FALSE(has(mail.subject + mail.text + mail.calendar, english));
        }
    }
    auto unknown = some_mail(audience::candidate, kind::confirmed);
    unknown.mail.language = "tlh";
    CHECK(has(composed(unknown).text, "Hello Ann Lee,"));
    auto interviewers = some_mail(audience::interviewer, kind::confirmed);
    interviewers.mail.language = "ja"; // the candidate's, not theirs
    CHECK(has(composed(interviewers).text, "Hello Ivy,"));
}

TEST_CASE("the sender is the organization, or whom the settings name", "[mail][letters]") {
    auto const from = some_mail(audience::candidate, kind::confirmed);
    CHECK(composed(from).from.name == "Acme");
    auto settings = some_settings();
    settings.from = mail::parse_mailbox("Example Jobs <jobs@example.com>");
    CHECK(composed(from, settings).from.name == "Example Jobs");
    CHECK(composed(from).message_id == "0190a1b2c3d4e5f60718293a4b5c6d7e@example.com");
}

TEST_CASE("a zone that is unknown here is read as UTC", "[mail][letters]") {
    auto from = some_mail(audience::candidate, kind::confirmed);
    from.mail.time_zone = "Mars/Olympus";
    CHECK(has(composed(from).text, "09:00 (UTC, UTC+00:00)"));
}

TEST_CASE("letters about the worst of records are read by others as they were meant", "[mail][letters][parsers]") {
    mail_reader reader;
    for (std::string const evil :
         {"Ann\r\nBcc: victim@example.net\r\n\r\n<script>alert(1)</script>", "</p><img src=x onerror=alert(1)>&amp;\"'",
          "=?UTF-8?Q?=0D=0ABcc:_v@example.net?=", "\xE2\x80\xAEmoc.elpmaxe\xE2\x81\xA6",
          "END:VEVENT\nEND:VCALENDAR\\n;,:", "\"; RSVP=TRUE\":mailto:v@example.net",
          "J\xC3\xBCrgen \xF0\x9F\x98\x80 \xD8\xB3\xD9\x84\xD8\xA7\xD9\x85", "", "{\"{{7*7}}${x}%s%n"}) {
        for (auto const to : {audience::candidate, audience::interviewer}) {
            for (auto const about : kinds) {
                if (to == audience::interviewer && (about == kind::slot_taken || about == kind::already_booked))
                    continue;
                auto from = some_mail(to, about);
                auto& m = from.mail;
                m.organization_name = m.job_title = m.stage_name = m.candidate_name = m.interviewer_name = evil;
                m.language = evil;
                auto const mail = composed(from);
                CHECK_FALSE(has(mail.html, "<script"));
                CHECK_FALSE(has(mail.html, "<img"));
                boost::json::object expected{
                    {"subject", mail::harmless_line(mail.subject)},
                    {"from", boost::json::array{mail::harmless_line(evil), "jobs@example.com"}},
                    {"text", mail.text},
                    {"html", mail.html},
                    {"id", "<0190a1b2c3d4e5f60718293a4b5c6d7e@example.com>"},
                    {"fields", boost::json::array{"Date", "From", "To", "Subject", "Message-ID", "Auto-Submitted",
                                                  "X-Auto-Response-Suppress", "MIME-Version", "Content-Type"}}};
                if (mail.calendar.empty()) expected["calendar"] = nullptr;
                else
                    expected["calendar"] = boost::json::object{
                        {"method", to_string(mail.method)},
                        {"uid", "00112233445566778899aabbccddeeff@jobs.example.com"},
                        {"sequence", 3},
                        {"status", mail.method == mail::calendar_method::cancel ? "CANCELLED" : "CONFIRMED"},
                        {"starts", "2026-11-24T09:00:00+00:00"}};
                reader.add(to_mime(mail), expected);
            }
        }
    }
    auto const said = reader.read();
    INFO(said.text);
    CHECK(said.fine);
}

} // namespace mail_letters_test
