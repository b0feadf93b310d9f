// RFC 3339 times, as every API that takes one reads them.
#include "core/time.hpp"
#include "support/catch.hpp"

using namespace recruiting;
using namespace std::chrono;

TEST_CASE("times are written in UTC with milliseconds", "[core][time]") {
    auto const time = timestamp{sys_days{2026y / 1 / 31} + 9h + 5min + 7s + 89012us};
    REQUIRE(format_time(time) == "2026-01-31T09:05:07.089Z");
    REQUIRE(format_time_micros(time) == "2026-01-31T09:05:07.089012Z");
    REQUIRE(format_time(timestamp{-1us}) == "1969-12-31T23:59:59.999Z");
}

TEST_CASE("any offset, fraction and letter case is read", "[core][time]") {
    auto const expected = timestamp{sys_days{2026y / 1 / 31} + 9h + 30min};
    for (auto const* text :
         {"2026-01-31T09:30:00Z", "2026-01-31t09:30:00z", "2026-01-31T10:30:00+01:00", "2026-01-30T23:00:00-10:30",
          "2026-01-31T09:30:00.0000000000000000000000001Z", "2026-01-31T09:30:00-00:00"})
        REQUIRE(parse_time(text) == expected);
    REQUIRE(parse_time("2026-01-31T09:30:00.5Z") == expected + 500ms);
    REQUIRE(parse_time("2024-02-29T00:00:00Z"));
    REQUIRE(parse_time("1998-12-31T23:59:60Z") == timestamp{sys_days{1999y / 1 / 1}});
}

TEST_CASE("what is no RFC 3339 time is refused", "[core][time]") {
    for (auto const* text :
         {"", "2026-01-31", "2026-01-31 09:30:00Z", "2026-01-31T09:30:00", "2026-1-31T09:30:00Z",
          "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z",
          "2026-01-31T24:00:00Z", "2026-01-31T23:60:00Z", "2026-01-31T23:59:61Z", "2026-01-31T09:30:00.Z",
          "2026-01-31T09:30:00+1:00", "2026-01-31T09:30:00+24:00", "2026-01-31T09:30:00Z ", "+2026-01-31T09:30:00Z",
          "2026-01-31T09:30Z"}) {
        INFO(text);
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
