// What a join link does at each moment (proto-docs/booking.md).
#include "public_api/booking/interview_page.hpp"
#include "support/catch.hpp"

namespace join_test {
using namespace recruiting;
using namespace recruiting::public_api;
using namespace std::chrono_literals;

namespace {

timestamp const starts = *parse_time("2026-11-24T09:00:00Z");

presented_meeting meeting(std::string url = "https://meet.example/a") {
    presented_meeting out;
    out.status = "confirmed";
    out.starts_at = starts;
    out.ends_at = starts + 45min;
    out.url = std::move(url);
    return out;
}

join_state at(timestamp now, presented_meeting const& of = meeting()) { return state_of(of, now, booking_settings{}); }

} // namespace

TEST_CASE("the join link is open from 15 minutes before the interview to an hour after it", "[public_api][join]") {
    CHECK(at(starts - 15min - 1us) == join_state::early);
    CHECK(at(starts - 15min) == join_state::open);
    CHECK(at(starts + 45min + 1h - 1us) == join_state::open);
    CHECK(at(starts + 45min + 1h) == join_state::over);
}

TEST_CASE("the join link leads to no address that could not have been set", "[public_api][join]") {
    for (auto const* url :
         {"", "javascript:alert(1)", "http://meet.example/", "https://meet.example/\r\nX: y", "//evil"})
        CHECK(at(starts, meeting(url)) == join_state::not_set);
}

TEST_CASE("the join link of what is not confirmed leads nowhere, at any time", "[public_api][join]") {
    auto canceled = meeting();
    canceled.status = "canceled";
    CHECK(at(starts, canceled) == join_state::canceled);
    presented_meeting unplaced;
    unplaced.status = "unplaced";
    CHECK(at(starts, unplaced) == join_state::unplaced);
}

} // namespace join_test
