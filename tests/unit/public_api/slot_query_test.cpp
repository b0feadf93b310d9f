// Which slots are asked for: from, to, timeZone, and what of it can be booked now.
#include "public_api/booking/schedule.hpp"
#include "support/catch.hpp"

namespace slot_query_test {
using namespace recruiting;
using namespace recruiting::public_api;

namespace {

timestamp utc(char const* text) { return parse_time(text).value(); }
auto const now = utc("2026-11-21T10:00:00Z");

bool is(slot_query const& query, char const* from, char const* to) {
    return query.when.from == utc(from) && query.when.to == utc(to);
}

} // namespace

TEST_CASE("without a span, all that can be booked is shown", "[public_api][slots]") {
    CHECK(is(read_slot_query("", now, {}).value(), "2026-11-21T12:00:00Z", "2026-12-21T10:00:00.000001Z"));
    booking_settings far;
    far.horizon = std::chrono::hours{24 * 90};
    CHECK(is(read_slot_query("", now, far).value(), "2026-11-21T12:00:00Z", "2027-02-19T10:00:00.000001Z"));
}

TEST_CASE("a span is narrowed to what can be booked", "[public_api][slots]") {
    CHECK(is(read_slot_query("from=2026-11-20T00:00:00Z&to=2026-11-24T23:00:00%2B00:00", now, {}).value(),
             "2026-11-21T12:00:00Z", "2026-11-24T23:00:00Z"));
    CHECK(is(read_slot_query("from=2026-12-20T00:00:00Z", now, {}).value(), "2026-12-20T00:00:00Z",
             "2026-12-21T10:00:00.000001Z"));
    auto const past = read_slot_query("from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z", now, {});
    CHECK(past->when.from >= past->when.to);
    auto const never = read_slot_query("from=9999-12-31T00:00:00Z", now, {});
    CHECK(never->when.from >= never->when.to);
}

TEST_CASE("what is wrong with a span is told, all of it", "[public_api][slots]") {
    auto const wrong = read_slot_query("from=today&to=2026-11-25&timeZone=Mars", now, {});
    REQUIRE_FALSE(wrong.has_value());
    CHECK(wrong.error().details.size() == 3);
    CHECK_FALSE(read_slot_query("from=2026-11-25T00:00:00Z&to=2026-11-25T00:00:00Z", now, {}).has_value());
    CHECK(read_slot_query("from=2026-11-25T00:00:00Z&to=2026-12-26T00:00:00Z", now, {}).has_value());
    CHECK_FALSE(read_slot_query("from=2026-11-25T00:00:00Z&to=2026-12-26T00:00:00.001Z", now, {}).has_value());
    CHECK_FALSE(read_slot_query("timeZone=../../etc/passwd", now, {}).has_value());
    CHECK(read_slot_query("timeZone=Europe%2FBerlin&whatever=1", now, {})->time_zone == "Europe/Berlin");
}

} // namespace slot_query_test
