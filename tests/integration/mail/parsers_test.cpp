// Other people's parsers read what libs/mail writes, whatever strangers put into it.
#include "integration/mail/reader.hpp"
#include "mail/encodings.hpp"
#include "mail/message.hpp"
#include "support/catch.hpp"

#include <boost/json.hpp>

#include <fstream>
#include <sstream>

namespace parsers_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

std::vector<std::string> naughty_strings() {
    std::ifstream file(RECRUITING_SOURCE_DIR "/tests/vectors/naughty_strings.json");
    std::stringstream text;
    text << file.rdbuf();
    std::vector<std::string> out;
    auto const all = boost::json::parse(text.str());
    for (auto const& one : all.as_array()) out.emplace_back(one.as_string());
    out.emplace_back(std::string(5'000, 'x'));
    out.emplace_back("a\r\nBcc: b@example.net\r\n\r\nbody");
    for (int i = 0; i < 6; ++i) { // each place a line may break at
        std::string mixed(static_cast<std::size_t>(i), 'x');
        for (int k = 0; k < 200; ++k)
            mixed += k % 3 == 0 ? "\xF0\x9F\x98\x80" : k % 3 == 1 ? "\xE2\x82\xAC" : "\xC3\xBC ";
        out.push_back(mixed);
    }
    return out;
}

mail::calendar_event event_about(std::string const& naughty) {
    mail::calendar_event event;
    event.method = mail::calendar_method::request;
    event.uid = "0190a1b2c3d4e5f60718293a4b5c6d7e@example.com";
    event.stamp = event.starts_at = *parse_time("2026-11-24T09:00:00Z");
    event.ends_at = *parse_time("2026-11-24T09:45:00Z");
    event.summary = event.description = event.location = "x" + naughty;
    event.organizer = mail::calendar_person{"x" + naughty, "jobs@example.com"};
    event.attendee = mail::calendar_person{naughty, "ada@example.org"};
    return event;
}

mail::message mail_about(std::string const& naughty) {
    mail::message out;
    out.from = {naughty, "jobs@example.com"};
    out.to = {naughty, "ada+x@example.org"};
    out.subject = "x" + naughty;
    out.message_id = "0190a1b2c3d4e5f60718293a4b5c6d7e@example.com";
    out.text = out.html = naughty + "\n";
    out.calendar = to_icalendar(event_about(naughty));
    return out;
}

std::string joined(std::string const& text) { return mail::harmless_line(text); }

boost::json::object expected_of(std::string const& naughty) {
    auto const text = mail::harmless_text(naughty) + "\n";
    auto const line = joined("x" + naughty);
    return {{"subject", line},
            {"from", boost::json::array{joined(naughty), "jobs@example.com"}},
            {"to", boost::json::array{joined(naughty), "ada+x@example.org"}},
            {"text", text},
            {"html", text},
            {"calendar", boost::json::object{{"method", "REQUEST"},
                                             {"summary", line},
                                             {"location", line},
                                             {"description", mail::harmless_text("x" + naughty)},
                                             {"starts", "2026-11-24T09:00:00+00:00"},
                                             {"ends", "2026-11-24T09:45:00+00:00"}}}};
}

} // namespace

TEST_CASE("every naughty string comes through mails and calendars as it was", "[mail][parsers]") {
    mail_reader reader;
    for (auto const& naughty : naughty_strings()) reader.add(to_mime(mail_about(naughty)), expected_of(naughty));
    auto const said = reader.read();
    INFO(said.text);
    CHECK(said.fine);
}

} // namespace parsers_test
