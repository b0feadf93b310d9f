#include "core/text.hpp"
#include "mail/calendar.hpp"
#include "mail/encodings.hpp"
#include "support/catch.hpp"

#include <vector>

namespace calendar_test {
using namespace recruiting;
using mail::calendar_method;
using namespace std::string_literals;

namespace {

mail::calendar_event interview() {
    mail::calendar_event event;
    event.method = calendar_method::request;
    event.uid = "0190a1b2c3d4e5f60718293a4b5c6d7e@jobs.example.com";
    event.sequence = 2;
    event.stamp = *parse_time("2026-11-20T08:15:30.999Z");
    event.starts_at = *parse_time("2026-11-24T09:00:00Z");
    event.ends_at = *parse_time("2026-11-24T09:45:00Z");
    event.summary = "Interview: Backend Engineer";
    event.description = "First line\nSecond, with \\ and ;";
    event.location = "https://meet.example.com/a;b";
    event.url = "https://meet.example.com/a;b";
    event.organizer = mail::calendar_person{"Example", "jobs@example.com"};
    event.attendee = mail::calendar_person{"Ada Lovelace", "ada+jobs@example.org"};
    return event;
}

std::vector<std::string> lines_of(std::string const& text) {
    std::vector<std::string> lines;
    for (std::size_t from = 0; from < text.size();) {
        auto const end = text.find("\r\n", from);
        REQUIRE(end != std::string::npos);
        lines.push_back(text.substr(from, end - from));
        from = end + 2;
    }
    return lines;
}

std::vector<std::string> unfolded(std::string const& text) {
    std::vector<std::string> lines;
    for (auto const& line : lines_of(text)) {
        if (line.starts_with(' ')) lines.back() += line.substr(1);
        else lines.push_back(line);
    }
    return lines;
}

bool has(std::string const& calendar, std::string const& line) {
    auto const lines = unfolded(calendar);
    return std::find(lines.begin(), lines.end(), line) != lines.end();
}

} // namespace

TEST_CASE("an invitation is what RFC 5545 and RFC 5546 ask for", "[mail][calendar]") {
    REQUIRE(unfolded(to_icalendar(interview())) ==
            std::vector<std::string>{"BEGIN:VCALENDAR",
                                     "VERSION:2.0",
                                     "PRODID:-//Recruiting//Interviews//EN",
                                     "CALSCALE:GREGORIAN",
                                     "METHOD:REQUEST",
                                     "BEGIN:VEVENT",
                                     "UID:0190a1b2c3d4e5f60718293a4b5c6d7e@jobs.example.com",
                                     "DTSTAMP:20261120T081530Z",
                                     "DTSTART:20261124T090000Z",
                                     "DTEND:20261124T094500Z",
                                     "SEQUENCE:2",
                                     "STATUS:CONFIRMED",
                                     "SUMMARY:Interview: Backend Engineer",
                                     "DESCRIPTION:First line\\nSecond\\, with \\\\ and \\;",
                                     "LOCATION:https://meet.example.com/a\\;b",
                                     "URL:https://meet.example.com/a;b",
                                     "ORGANIZER;CN=\"Example\":mailto:jobs@example.com",
                                     "ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=FALSE;"
                                     "CN=\"Ada Lovelace\":mailto:ada+jobs@example.org",
                                     "TRANSP:OPAQUE",
                                     "END:VEVENT",
                                     "END:VCALENDAR"});
}

TEST_CASE("an interview's UID is made of its own and the installation's host", "[mail][calendar]") {
    auto const id = *parse_id("0190a1b2c3d4e5f60718293a4b5c6d7e");
    for (auto const* url : {"https://jobs.example.com", "http://jobs.example.com:8080", "https://jobs.example.com/x"})
        REQUIRE(mail::event_uid(id, url) == "0190a1b2c3d4e5f60718293a4b5c6d7e@jobs.example.com");
    REQUIRE(mail::event_uid(id, "http://[::1]:80") == "0190a1b2c3d4e5f60718293a4b5c6d7e@[::1]");
}

TEST_CASE("a cancellation and a publication say so", "[mail][calendar]") {
    auto event = interview();
    event.method = calendar_method::cancel;
    auto const canceled = to_icalendar(event);
    REQUIRE(has(canceled, "METHOD:CANCEL"));
    REQUIRE(has(canceled, "STATUS:CANCELLED"));
    REQUIRE(canceled.find("ATTENDEE") != std::string::npos);

    event.method = calendar_method::publish; // names no attendee (RFC 5546 section 3.2.1)
    auto const published = to_icalendar(event);
    REQUIRE(has(published, "METHOD:PUBLISH"));
    REQUIRE(published.find("ATTENDEE") == std::string::npos);
    REQUIRE(has(published, "ORGANIZER;CN=\"Example\":mailto:jobs@example.com"));
}

TEST_CASE("an event's empty texts are left out", "[mail][calendar]") {
    auto event = interview();
    event.description = event.location = event.url = "";
    event.attendee.reset();
    event.organizer->name = "\r\n";
    auto const text = to_icalendar(event);
    for (auto const* name : {"DESCRIPTION", "LOCATION", "URL", "ATTENDEE", "CN="})
        REQUIRE(text.find(name) == std::string::npos);
    REQUIRE(has(text, "ORGANIZER:mailto:jobs@example.com"));
}

TEST_CASE("lines are folded at 75 octets, never within a character", "[mail][calendar]") {
    for (auto const* unit : {"a", "\xC3\xBC", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"}) {
        for (std::size_t ahead = 0; ahead < 4; ++ahead) {
            auto event = interview();
            event.summary = std::string(ahead, 'x');
            for (int i = 0; i < 300; ++i) event.summary += unit;
            auto const text = to_icalendar(event);
            for (auto const& line : lines_of(text)) {
                REQUIRE(line.size() <= 75);
                REQUIRE(is_utf8(line));
            }
            REQUIRE(has(text, "SUMMARY:" + event.summary));
        }
    }
}

TEST_CASE("no name, title or address adds a line or a parameter to an event", "[mail][calendar]") {
    auto event = interview();
    event.summary = "a\r\nATTACH:x\rb\nc\x0B\x00 d"s;
    event.location = "x\r\nMETHOD:CANCEL";
    event.organizer->name = "Ex\"ample\";RSVP=TRUE:mailto:other@x\r\nATTENDEE:mailto:b@x ^n";
    event.attendee->email = "\"a\r\nb:c\"@example.org";
    event.url = "https://x/\r\nEND:VEVENT";
    auto const text = to_icalendar(event);
    REQUIRE(unfolded(text).size() == 21);
    REQUIRE(has(text, "SUMMARY:a ATTACH:x b c d"));
    REQUIRE(has(text, "ORGANIZER;CN=\"Ex'ample';RSVP=TRUE:mailto:other@x ATTENDEE:mailto:b@x ^^n\":"
                      "mailto:jobs@example.com"));
    REQUIRE(text.find("%22a%0D%0Ab:c%22@example.org") != std::string::npos);
    REQUIRE(has(text, "URL:https://x/%0D%0AEND:VEVENT"));
}

TEST_CASE("what strangers write is made harmless", "[mail][harmless]") {
    using mail::harmless_line;
    REQUIRE(harmless_line(" J\xC3\xBCrgen \xF0\x9F\x98\x80\t") == "J\xC3\xBCrgen \xF0\x9F\x98\x80");
    REQUIRE(harmless_line("a\r\nb\nc\rd\xC2\x85"
                          "e\xE2\x80\xA8"
                          "f") == "a b c d e f");
    REQUIRE(harmless_line("a\0b\x1b[31m\x7f"s) == "ab[31m");
    REQUIRE(harmless_line("a\xE2\x80\xAE"
                          "b\xE2\x81\xA6"
                          "c\xEF\xBB\xBF") == "abc");                     // override, isolate, byte order mark
    REQUIRE(harmless_line("a\xFF\xC3(") == "a\xEF\xBF\xBD\xEF\xBF\xBD("); // not UTF-8
    REQUIRE(mail::harmless_text("a\r\nb\rc\n") == "a\nb\nc\n");
}

} // namespace calendar_test
