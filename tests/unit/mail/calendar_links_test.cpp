// Links that open a web calendar with an event filled in: what they say, read back as a browser's form would be.
#include "core/text.hpp"
#include "mail/calendar.hpp"
#include "support/catch.hpp"

#include <map>

namespace calendar_links_test {
using namespace recruiting;

namespace {

mail::calendar_event interview() {
    mail::calendar_event event;
    event.starts_at = *parse_time("2026-11-24T09:00:00.123Z");
    event.ends_at = *parse_time("2026-11-24T09:45:00Z");
    event.summary = "Interview: R&D, 50 % C++ \xE2\x82\xAC#1";
    event.description = "Stage: First talk\nJoin: https://jobs.example.com/interviews/x/join?a=1&b=2";
    event.location = "https://jobs.example.com/interviews/x/join?a=1&b=2";
    return event;
}

std::map<std::string, std::string> values_of(std::string const& link) {
    std::map<std::string, std::string> out;
    for (auto const pair : split(std::string_view(link).substr(link.find('?') + 1), '&')) {
        auto const equals = pair.find('=');
        REQUIRE(equals != pair.npos);
        out.emplace(pair.substr(0, equals), percent_decode(pair.substr(equals + 1)).value());
    }
    return out;
}

} // namespace

TEST_CASE("Google's link has the event, its times in UTC", "[mail][calendar]") {
    auto const link = mail::links_to_add(interview()).google;
    CHECK(link.starts_with("https://calendar.google.com/calendar/render?"));
    CHECK(values_of(link) == std::map<std::string, std::string>{{"action", "TEMPLATE"},
                                                                {"text", interview().summary},
                                                                {"dates", "20261124T090000Z/20261124T094500Z"},
                                                                {"details", interview().description},
                                                                {"location", interview().location}});
}

TEST_CASE("Outlook's links have the event, one for people and one for companies", "[mail][calendar]") {
    auto const links = mail::links_to_add(interview());
    CHECK(links.outlook.starts_with("https://outlook.live.com/calendar/0/deeplink/compose?"));
    CHECK(links.office_365.starts_with("https://outlook.office.com/calendar/0/deeplink/compose?"));
    CHECK(values_of(links.outlook) == std::map<std::string, std::string>{{"rru", "addevent"},
                                                                         {"path", "/calendar/action/compose"},
                                                                         {"subject", interview().summary},
                                                                         {"startdt", "2026-11-24T09:00:00Z"},
                                                                         {"enddt", "2026-11-24T09:45:00Z"},
                                                                         {"body", interview().description},
                                                                         {"location", interview().location}});
    CHECK(values_of(links.office_365) == values_of(links.outlook));
}

TEST_CASE("the links are plain ASCII without blanks, whatever a title holds", "[mail][calendar]") {
    auto event = interview();
    for (std::string const evil : {"a\r\nb", "\xE2\x80\xAE moc", "\"><script>", "\xFF", "+ +", "%41"}) {
        event.summary = event.location = event.description = evil;
        auto const links = mail::links_to_add(event);
        for (auto const& link : {links.google, links.outlook, links.office_365}) {
            CAPTURE(link);
            CHECK(link.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:/?=&%") ==
                  link.npos);
        }
    }
    event.summary = "50 % + %41";
    CHECK(values_of(mail::links_to_add(event).google).at("text") == "50 % + %41");
}

TEST_CASE("a private event's description is in no link, and what is empty is left out", "[mail][calendar]") {
    auto event = interview();
    event.is_private = true;
    event.location.clear();
    auto const links = mail::links_to_add(event);
    for (auto const& link : {links.google, links.outlook, links.office_365}) {
        auto const values = values_of(link);
        for (auto const* name : {"details", "body", "location"}) CHECK_FALSE(values.contains(name));
    }
}

} // namespace calendar_links_test
