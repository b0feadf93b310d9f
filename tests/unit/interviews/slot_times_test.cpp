// The slots a person's words mean, over weekends and clock changes, and which of them are new.
#include "interviews/slot_times.hpp"
#include "support/catch.hpp"

namespace slot_times_test {
using namespace recruiting;
using namespace recruiting::interviews;
using namespace std::chrono_literals;

namespace {

timestamp utc(char const* text) { return parse_time(text).value(); }

std::vector<std::string> starts(char const* from, char const* to, std::chrono::minutes duration,
                                std::string const& zone = "UTC", std::vector<std::string> const& days = {"mon-sun"},
                                char const* now = "2026-01-01T00:00:00Z", std::size_t most = 1000) {
    slot_pattern pattern{parse_wall_clock(from, {9, 0}).value(), parse_wall_clock(to, {17, 0}).value(), duration,
                         parse_weekdays(days).value(), zone};
    std::vector<std::string> out;
    for (auto const& slot : plan_slots(pattern, utc(now), most)) {
        CHECK(slot.ends_at - slot.starts_at == duration);
        out.push_back(zones::format_local(slot.starts_at, zone));
    }
    return out;
}

using list = std::vector<std::string>;

} // namespace

TEST_CASE("a day, or a wall clock's time", "[interviews]") {
    auto const at = parse_wall_clock("2026-11-23T09:05", {0, 0});
    REQUIRE(at.has_value());
    CHECK((at->year == 2026 && at->month == 11 && at->day == 23 && at->hour == 9 && at->minute == 5));
    CHECK(parse_wall_clock("2028-02-29", {17, 0})->hour == 17);
    for (auto const* text :
         {"0000-01-01T09:00", "1899-12-31", "9999-12-31T09:00", "", "2026-11-23T9:05", "2026-11-23T24:00",
          "2026-11-23T09:60", "2026-02-29", "2026-13-01", "2026-11-23 09:05", "2026-11-23T09:05Z",
          "2026-11-23T09:05:00", "23.11.2026", "tomorrow", "2026-11-2309:05", "-026-11-23"})
        CHECK_FALSE(parse_wall_clock(text, {0, 0}).has_value());
}

TEST_CASE("weekdays alone, as ranges, over the week's end", "[interviews]") {
    CHECK(parse_weekdays({"mon-fri"}) == weekday_set{false, true, true, true, true, true, false});
    CHECK(parse_weekdays({"Sat-mon", "wed"}) == weekday_set{true, true, false, true, false, false, true});
    CHECK(parse_weekdays({"tue"}) == weekday_set{false, false, true, false, false, false, false});
    for (auto const* item : {"", "monday", "mon-", "-fri", "mon-fri-sun", "1"}) CHECK_FALSE(parse_weekdays({item}));
}

TEST_CASE("slots fill the daily window of the chosen days", "[interviews]") {
    CHECK(starts("2026-11-23T09:00", "2026-11-24T11:00", 45min) ==
          list{"2026-11-23T09:00:00+00:00", "2026-11-23T09:45:00+00:00", "2026-11-24T09:00:00+00:00",
               "2026-11-24T09:45:00+00:00"});
    CHECK(starts("2026-11-27", "2026-11-30", 8h, "UTC", {"mon-fri"}) ==
          list{"2026-11-27T09:00:00+00:00", "2026-11-30T09:00:00+00:00"});
    CHECK(starts("2026-11-23T09:00", "2026-11-23T09:30", 45min).empty());
    CHECK(starts("2026-11-24T09:00", "2026-11-23T17:00", 45min).empty());
    CHECK(starts("2026-11-23T17:00", "2026-11-24T09:00", 45min).empty());
    CHECK(starts("2026-11-23T09:00", "2026-11-23T10:30", 30min, "UTC", {"mon"}, "2026-11-23T09:01:00Z") ==
          list{"2026-11-23T09:30:00+00:00", "2026-11-23T10:00:00+00:00"});
    CHECK(starts("2026-11-23", "2036-11-23", 5min, "UTC", {"mon-sun"}, "2026-01-01T00:00:00Z", 7).size() == 7);
}

TEST_CASE("nine o'clock stays nine o'clock when clocks change", "[interviews]") {
    CHECK(starts("2026-03-28T09:00", "2026-03-30T10:00", 60min, "Europe/Berlin") ==
          list{"2026-03-28T09:00:00+01:00", "2026-03-29T09:00:00+02:00", "2026-03-30T09:00:00+02:00"});
    CHECK(starts("2026-10-31T09:00", "2026-11-01T10:00", 60min, "America/New_York") ==
          list{"2026-10-31T09:00:00-04:00", "2026-11-01T09:00:00-05:00"});
}

TEST_CASE("a skipped hour has no slots, a repeated one has them once", "[interviews]") {
    CHECK(starts("2026-03-29T01:00", "2026-03-29T04:00", 30min, "Europe/Berlin") ==
          list{"2026-03-29T01:00:00+01:00", "2026-03-29T01:30:00+01:00", "2026-03-29T03:00:00+02:00",
               "2026-03-29T03:30:00+02:00"});
    // 01:30 and 45 minutes is 03:15 by the clock: the slot of 03:00 would overlap it.
    CHECK(starts("2026-03-29T00:45", "2026-03-29T04:30", 45min, "Europe/Berlin") ==
          list{"2026-03-29T00:45:00+01:00", "2026-03-29T01:30:00+01:00", "2026-03-29T03:45:00+02:00"});
    CHECK(starts("2026-10-25T01:30", "2026-10-25T03:30", 30min, "Europe/Berlin") ==
          list{"2026-10-25T01:30:00+02:00", "2026-10-25T02:00:00+02:00", "2026-10-25T02:30:00+02:00",
               "2026-10-25T03:00:00+01:00"});
}

TEST_CASE("what is there already is told from what is in the way", "[interviews]") {
    auto const hour = [](int from) {
        auto const start = utc("2026-11-23T00:00:00Z") + std::chrono::hours{from};
        return slot_time{start, start + 1h};
    };
    auto const half_past = slot_time{hour(11).starts_at + 30min, hour(11).ends_at + 30min};
    auto const sorted = sort_slots({hour(8), hour(9), hour(10), hour(11), hour(12), hour(13)},
                                   {{hour(9), true}, {hour(10), false}, {half_past, true}});
    REQUIRE(sorted.known.size() == 1);
    CHECK(sorted.known[0].starts_at == hour(9).starts_at);
    REQUIRE(sorted.skipped.size() == 3);
    CHECK(sorted.skipped[2].starts_at == hour(12).starts_at);
    REQUIRE(sorted.added.size() == 2);
    CHECK(sorted.added[1].starts_at == hour(13).starts_at);
}

TEST_CASE("the last day is within the horizon wherever it is that day already", "[interviews]") {
    auto const within = [](char const* to) {
        slot_pattern const pattern{
            parse_wall_clock("2026-01-01", {9, 0}).value(), parse_wall_clock(to, {17, 0}).value(), 1h, {}, "UTC"};
        return ends_within(pattern, std::chrono::days{366}, utc("2026-01-01T12:00:00Z"));
    };
    CHECK(within("2025-06-01"));
    CHECK(within("2027-01-03"));
    CHECK_FALSE(within("2027-01-04"));
    CHECK_FALSE(within("2199-12-31"));
}

TEST_CASE("an interviewer with very many slots costs no more per planned slot", "[interviews]") {
    std::vector<slot_time> planned;
    std::vector<occupied_time> occupied;
    auto const start = utc("2026-11-23T00:00:00Z");
    constexpr int count = 200'000;
    for (int i = 0; i < count; ++i) {
        slot_time const time{start + i * 10min, start + (i + 1) * 10min};
        planned.push_back(time);
        if (i % 2 == 0) occupied.push_back({time, i % 4 == 0});
    }
    std::ranges::reverse(occupied);
    occupied.push_back({{start - 1h, planned[3].ends_at}, true}); // overlaps four planned times
    auto const began = std::chrono::steady_clock::now();
    auto const sorted = sort_slots(planned, occupied);
    CHECK(std::chrono::steady_clock::now() - began < 10s); // in proportion to count squared it takes minutes
    CHECK(sorted.known.size() == count / 4);
    CHECK(sorted.skipped.size() == count / 4 + 2);
    CHECK(sorted.added.size() == count / 2 - 2);
}

} // namespace slot_times_test
