// Wall clocks and what they mean, over the changes that schedules trip on.
#include "support/catch.hpp"
#include "zones/zone.hpp"

#include <stdexcept>

namespace zone_test {
using namespace recruiting;
using namespace std::chrono;
using zones::from_local;
using zones::wall_clock;

namespace {

timestamp utc(char const* text) { return parse_time(text).value(); }

} // namespace

TEST_CASE("a zone is a name that the system's database lists", "[zones]") {
    for (auto const* name : {"UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Asia/Kathmandu", "Etc/GMT+5",
                             "US/Eastern", "Asia/Calcutta"}) {
        INFO(name);
        REQUIRE(zones::is_zone(name));
    }
    for (auto const* name : {"", "Europe", "europe/berlin", "Mars/Olympus", "localtime", "posixrules",
                             "right/Europe/Berlin", "../../../etc/passwd", "/usr/share/zoneinfo/Europe/Berlin",
                             "Europe/../Europe/Berlin", "zone.tab", "tzdata.zi", "+01:00", "Europe/Berlin "}) {
        INFO(name);
        REQUIRE_FALSE(zones::is_zone(name));
    }
    REQUIRE_FALSE(zones::is_zone(std::string_view("UTC\0", 4)));
    REQUIRE_FALSE(zones::is_zone(std::string(100'000, 'a')));
}

TEST_CASE("both names of a renamed zone mean it, and the current one is shown", "[zones]") {
    REQUIRE(zones::renamed().size() == 19);
    for (auto const& [former, current] : zones::renamed()) {
        INFO(former);
        CHECK(zones::is_zone(former));
        CHECK(zones::is_zone(current));
        CHECK(zones::current_name(former) == current);
        CHECK(zones::current_name(current) == current);
        for (auto const* time : {"2026-01-15T12:00:00Z", "2026-07-15T12:00:00Z"})
            CHECK(zones::format_local(utc(time), former) == zones::format_local(utc(time), current));
    }
    for (auto const* name : {"Europe/Berlin", "UTC", "US/Eastern", "", "Nowhere"})
        CHECK(zones::current_name(name) == name);
}

TEST_CASE("what is no zone can't be asked for a time", "[zones]") {
    REQUIRE_THROWS_AS(zones::to_local(utc("2026-01-01T00:00:00Z"), "Nowhere"), std::invalid_argument);
    REQUIRE_THROWS_AS(from_local({2026, 1, 1, 0, 0}, "localtime"), std::invalid_argument);
}

TEST_CASE("a time is shown as the wall clock there reads", "[zones]") {
    auto const at = zones::to_local(utc("2026-11-24T09:00:05Z"), "Europe/Berlin");
    REQUIRE((at.year == 2026 && at.month == 11 && at.day == 24 && at.hour == 10 && at.minute == 0 && at.second == 5));
    REQUIRE((at.weekday == 2 && at.offset == 60min));
    REQUIRE(zones::format_local(utc("2026-11-24T09:00:00Z"), "Europe/Berlin") == "2026-11-24T10:00:00+01:00");
    REQUIRE(zones::format_local(utc("2026-11-24T09:00:00.900Z"), "UTC") == "2026-11-24T09:00:00+00:00");
    REQUIRE(zones::format_local(utc("2026-11-24T20:00:00Z"), "Asia/Kathmandu") == "2026-11-25T01:45:00+05:45");
    REQUIRE(zones::format_local(utc("2026-11-24T02:00:00Z"), "America/St_Johns") == "2026-11-23T22:30:00-03:30");
    REQUIRE(zones::format_local(utc("2028-02-29T23:30:00Z"), "UTC") == "2028-02-29T23:30:00+00:00");
    REQUIRE(zones::format_local(utc("1969-12-31T23:59:59.5Z"), "UTC") == "1969-12-31T23:59:59+00:00");
}

TEST_CASE("a reading means one time, none where the clock jumps, and the earlier where it is shown twice", "[zones]") {
    struct sample {
        char const* zone;
        wall_clock at;
        char const* means; // nullptr: no time reads so
    };
    auto const [zone, at, means] = GENERATE(values<sample>({
        {"Europe/Berlin", {2026, 7, 1, 9, 0}, "2026-07-01T07:00:00Z"},
        {"Europe/Berlin", {2026, 3, 29, 1, 59}, "2026-03-29T00:59:00Z"},
        {"Europe/Berlin", {2026, 3, 29, 2, 0}, nullptr},
        {"Europe/Berlin", {2026, 3, 29, 2, 59}, nullptr},
        {"Europe/Berlin", {2026, 3, 29, 3, 0}, "2026-03-29T01:00:00Z"},
        {"Europe/Berlin", {2026, 10, 25, 2, 0}, "2026-10-25T00:00:00Z"},
        {"Europe/Berlin", {2026, 10, 25, 2, 59}, "2026-10-25T00:59:00Z"},
        {"Europe/Berlin", {2026, 10, 25, 3, 0}, "2026-10-25T02:00:00Z"},
        {"America/New_York", {2027, 3, 14, 2, 30}, nullptr},
        {"America/New_York", {2026, 11, 1, 1, 30}, "2026-11-01T05:30:00Z"},
        {"Asia/Kathmandu", {2026, 1, 1, 0, 0}, "2025-12-31T18:15:00Z"},
        {"Australia/Lord_Howe", {2026, 10, 4, 2, 15}, nullptr}, // half an hour is skipped
        {"Australia/Lord_Howe", {2026, 10, 4, 2, 30}, "2026-10-03T15:30:00Z"},
        {"Australia/Lord_Howe", {2026, 4, 5, 1, 45}, "2026-04-04T14:45:00Z"},
        {"Pacific/Apia", {2011, 12, 30, 12, 0}, nullptr}, // the day that was left out
        {"Pacific/Apia", {2011, 12, 31, 0, 0}, "2011-12-30T10:00:00Z"},
        {"UTC", {2027, 2, 29, 0, 0}, nullptr},
        {"UTC", {2028, 2, 29, 0, 0}, "2028-02-29T00:00:00Z"},
        {"UTC", {2026, 13, 1, 0, 0}, nullptr},
        {"UTC", {2026, 1, 0, 0, 0}, nullptr},
        {"UTC", {2026, -1, 1, 0, 0}, nullptr},
        {"UTC", {2026, 1, 1, 24, 0}, nullptr},
        {"UTC", {2026, 1, 1, 0, 60}, nullptr},
    }));
    INFO(zone << ' ' << at.year << '-' << at.month << '-' << at.day << ' ' << at.hour << ':' << at.minute);
    auto const found = from_local(at, zone);
    REQUIRE(found.has_value() == (means != nullptr));
    if (means != nullptr) REQUIRE(*found == utc(means));
}

TEST_CASE("there and back over a year of a zone that changes its clocks", "[zones]") {
    for (auto const* zone : {"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"}) {
        auto previous = timestamp{};
        for (auto time = utc("2026-01-01T00:00:00Z"); time < utc("2027-01-01T00:00:00Z"); time += 30min) {
            auto const at = zones::to_local(time, zone);
            auto const back = from_local({at.year, at.month, at.day, at.hour, at.minute}, zone);
            REQUIRE(back);
            REQUIRE(*back <= time); // equal but in the hour that is shown twice
            REQUIRE(time - *back <= 1h);
            REQUIRE(time > previous);
            previous = time;
        }
    }
}

} // namespace zone_test
