// Whether what a standby has may stand for what its primary has, and when the standby is asked.
#include "pg/standby_store.hpp"
#include "support/catch.hpp"

namespace standby_test {
using namespace recruiting;
using namespace recruiting::pg;
using namespace std::chrono_literals;

namespace {

timestamp const now = *parse_time("2026-11-26T12:00:00Z");
server_moment const primary{"1/5/3", false, now, std::nullopt, 90, 100};

// A standby that lacks transactions, and whose last one was committed that long ago.
server_moment behind_by(std::chrono::milliseconds lag) { return {"1/5/3", true, now - 1h, now - lag, 95, 97}; }

} // namespace

TEST_CASE("a standby is current up to the permitted lag, by the primary's clock", "[pg][standby]") {
    CHECK(compare(primary, behind_by(0ms), 0ms) == standby_state::current);
    CHECK(compare(primary, behind_by(2'000ms), 2s) == standby_state::current);
    CHECK(compare(primary, behind_by(2'001ms), 2s) == standby_state::behind);
    auto never = behind_by(0ms); // since its start
    never.replayed.reset();
    CHECK(compare(primary, never, 1h) == standby_state::behind);
}

TEST_CASE("a standby with every transaction of an idle primary is current, however old the last one is",
          "[pg][standby]") {
    auto idle = behind_by(1h);
    idle.ended_below = idle.first_open = 100;
    CHECK(compare(primary, idle, 0ms) == standby_state::current);
    idle.ended_below = 99; // one is missing
    CHECK(compare(primary, idle, 0ms) == standby_state::behind);
}

TEST_CASE("a primary, another line of history and a server that hides its line are no standby", "[pg][standby]") {
    auto other = behind_by(0ms);
    other.is_standby = false;
    CHECK(compare(primary, other, 1h) == standby_state::another_server);
    for (auto const* line : {"1/5/2", "1/6/3", "2/5/3", ""}) {
        other = behind_by(0ms);
        other.line = line;
        CHECK(compare(primary, other, 1h) == standby_state::another_server);
    }
    auto hidden = primary;
    hidden.line = other.line = "";
    CHECK(compare(hidden, other, 1h) == standby_state::another_server);
}

TEST_CASE("a standby that could not be used is left alone for five seconds, and only a change is to be logged",
          "[pg][standby]") {
    standby_use use;
    coarse_clock::time_point const start{1h};
    CHECK_FALSE(use.is_paused(start));
    CHECK_FALSE(use.was_asked());
    CHECK(use.note("", false, start));
    CHECK(use.was_asked());
    CHECK_FALSE(use.note("", false, start));
    CHECK(use.note("replay canceled a read", false, start));
    CHECK_FALSE(use.is_paused(start));
    CHECK(use.note("it is behind", true, start));
    CHECK(use.is_paused(start + 4'999ms));
    CHECK_FALSE(use.is_paused(start + 5s));
    CHECK_FALSE(use.note("it is behind", true, start + 5s));
    CHECK(use.is_paused(start + 9s));
}

} // namespace standby_test
