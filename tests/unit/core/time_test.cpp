// Times, as everything that takes one reads them.
#include "core/time.hpp"
#include "support/catch.hpp"

namespace time_test {
using namespace recruiting;
using namespace std::chrono;

TEST_CASE("times are written in UTC with milliseconds", "[core][time]") {
    auto const time = timestamp{sys_days{2026y / 1 / 31} + 9h + 5min + 7s + 89012us};
    REQUIRE(format_time(time) == "2026-01-31T09:05:07.089Z");
    REQUIRE(format_time_micros(time) == "2026-01-31T09:05:07.089012Z");
    REQUIRE(format_time(timestamp{-1us}) == "1969-12-31T23:59:59.999Z");
}

TEST_CASE("a time is read in each form of UTC that clients write", "[core][time]") {
    auto const expected = timestamp{sys_days{2026y / 1 / 31} + 9h + 30min};
    for (auto const* text :
         {"2026-01-31T09:30:00Z", "2026-01-31t09:30:00z", "2026-01-31T09:30Z", "2026-01-31T09:30+00",
          "2026-01-31T09:30:00+00:00", "2026-01-31T09:30:00+0000", "2026-01-31T09:30:00+00", "2026-01-31T09:30:00.0Z",
          "2026-01-31T09:30:00,000+0000", "2026-01-31T09:30:00.0000000000000000000000001Z"}) {
        INFO(text);
        REQUIRE(parse_time(text) == expected);
    }
    for (auto const* text : {"2026-01-31T09:30:00.5Z", "2026-01-31T09:30:00,5Z", "2026-01-31T09:30:00.500000000z"})
        REQUIRE(parse_time(text) == expected + 500ms);
    REQUIRE(parse_time("2024-02-29T00:00:00Z"));
    REQUIRE(parse_time("2026-01-31T09:30:00." + std::string(100'000, '9') + "Z") == expected + 999999us);
}

TEST_CASE("digits of a time beyond microseconds are cut, not rounded", "[core][time]") {
    REQUIRE(format_time_micros(parse_time("2026-01-31T09:30:00.1234569999Z").value()) == "2026-01-31T09:30:00.123456Z");
    REQUIRE(format_time_micros(parse_time("2026-01-31T09:59:59.9999999Z").value()) == "2026-01-31T09:59:59.999999Z");
}

TEST_CASE("years go from 0001 to 9999, and 0000 is none", "[core][time]") {
    REQUIRE(format_time(parse_time("0001-01-01T00:00:00Z").value()) == "0001-01-01T00:00:00.000Z");
    REQUIRE(format_time(parse_time("9999-12-31T23:59:59.999Z").value()) == "9999-12-31T23:59:59.999Z");
    for (auto const* text : {"0000-01-01T00:00:00Z", "0000-12-31T23:59:59.999999Z", "0000-02-29T00:00Z",
                             "9999-12-31T23:59:60Z", "10000-01-01T00:00:00Z"}) {
        INFO(text);
        REQUIRE_FALSE(parse_time(text));
    }
    REQUIRE_FALSE(parse_time_with_offset("0001-01-01T00:00:00+01:00"));
    REQUIRE_FALSE(parse_time_with_offset("9999-12-31T23:59:00-00:01"));
}

TEST_CASE("a time with another offset than UTC's, or none, is refused, and the refusal says so", "[core][time]") {
    for (auto const* text : {"2026-01-31T10:30:00+01:00", "2026-01-31T09:30:00-0800", "2026-01-31T09:30+05",
                             "2026-01-31T09:30:00+00:01", "2026-01-31T09:30:00-00:00"}) {
        INFO(text);
        REQUIRE(read_utc_time(text).fault == time_fault::not_utc);
    }
    for (auto const* text : {"2026-01-31T09:30:00", "2026-01-31T09:30", "2026-01-31T09:30:00.123"}) {
        INFO(text);
        REQUIRE(read_utc_time(text).fault == time_fault::no_offset);
    }
    REQUIRE(advice_on(time_fault::not_utc).find("in UTC") != std::string_view::npos);
    REQUIRE(advice_on(time_fault::no_offset).find("end the time with Z") != std::string_view::npos);
}

TEST_CASE("files of other systems may have times of any offset", "[core][time]") {
    auto const expected = timestamp{sys_days{2026y / 1 / 31} + 9h + 30min};
    for (auto const* text : {"2026-01-31T10:30:00+01:00", "2026-01-30T23:00:00-10:30", "2026-01-31T09:30:00-00:00",
                             "2026-01-31T10:30+01", "2026-01-31T09:30:00Z"}) {
        INFO(text);
        REQUIRE(parse_time_with_offset(text) == expected);
    }
    for (auto const* text : {"2026-01-31T09:30:00", "2026-01-31T09:30:00+24:00", "2026-01-31T09:30:00+01:60"})
        REQUIRE_FALSE(parse_time_with_offset(text));
}

TEST_CASE("a leap second is the second after it, and 60 is no second elsewhere", "[core][time]") {
    REQUIRE(parse_time("1998-12-31T23:59:60Z") == timestamp{sys_days{1999y / 1 / 1}});
    REQUIRE_FALSE(parse_time("2026-01-31T10:00:60Z"));
}

TEST_CASE("what is no date-time is refused", "[core][time]") {
    for (auto const* text : {"",
                             "2026-01-31",
                             "2026-01-31 09:30:00Z",
                             "2026-1-31T09:30:00Z",
                             "2026-02-29T00:00:00Z",
                             "2026-13-01T00:00:00Z",
                             "2026-00-01T00:00:00Z",
                             "2026-01-00T00:00:00Z",
                             "2026-01-31T24:00:00Z",
                             "2026-01-31T23:60:00Z",
                             "2026-01-31T23:59:61Z",
                             "2026-01-31T09:30:00.Z",
                             "2026-01-31T09:30:00,Z",
                             "2026-01-31T09:30:Z",
                             "2026-01-31T09:30.5Z",
                             "2026-01-31T09Z",
                             "2026-01-31T09:30:00+1:00",
                             "2026-01-31T09:30:00+00:",
                             "2026-01-31T09:30:00+000",
                             "2026-01-31T09:30:00+24:00",
                             "2026-01-31T09:30:00Z ",
                             "2026-01-31T09:30:00 00:00",
                             "+2026-01-31T09:30:00Z",
                             "20260131T093000Z",
                             "2026-01-31T09:30:00ZZ"}) {
        INFO(text);
        REQUIRE(read_utc_time(text).fault == time_fault::malformed);
        REQUIRE_FALSE(parse_time(text));
    }
}

TEST_CASE("durations have a unit", "[core][time]") {
    REQUIRE(parse_duration("250ms") == 250ms);
    REQUIRE(parse_duration("90d") == hours{90 * 24});
    for (auto const* text : {"", "5", "m", "-5m", "5 m", "1.5h", "5w", "99999999999d"})
        REQUIRE_FALSE(parse_duration(text));
    for (auto const duration : {250ms, 1000ms, 90000ms, 3600000ms, 86400000ms})
        REQUIRE(parse_duration(format_duration(duration)) == duration);
}

} // namespace time_test
