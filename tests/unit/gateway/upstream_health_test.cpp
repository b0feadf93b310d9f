// What a thread thinks of an address, by an invented clock.
#include "gateway/upstream/choice.hpp"
#include "support/catch.hpp"

namespace upstream_health_test {
using namespace recruiting::gateway;
using namespace std::chrono_literals;

namespace {

struct sample {
    ejection_policy policy{3, 5s, 60s, 10s};
    address_health health{policy};
    address_health::time_point now{};

    void pass(std::chrono::milliseconds by) {
        now += by;
        health.advance(now);
    }
    [[nodiscard]] address_rank rank() const { return health.rank(now); }
    [[nodiscard]] std::uint32_t share() const { return health.share(now); }
    void eject() {
        while (!health.ejected()) static_cast<void>(health.note_failure(false, now));
    }
};

} // namespace

TEST_CASE("failures in a row eject an address, a success in between does not let it come to that",
          "[gateway][upstream]") {
    sample s;
    CHECK_FALSE(s.health.note_failure(false, s.now));
    CHECK_FALSE(s.health.note_failure(false, s.now));
    s.health.note_success(false, s.now);
    CHECK_FALSE(s.health.note_failure(false, s.now));
    CHECK_FALSE(s.health.note_failure(false, s.now));
    CHECK(s.rank() == address_rank::healthy);
    CHECK(s.health.note_failure(false, s.now));
    CHECK(s.rank() == address_rank::down);
    CHECK_FALSE(s.health.note_failure(false, s.now)); // those that were under way count no more
}

TEST_CASE("an ejected address that loses requests is better than none, one that can't be reached is not",
          "[gateway][upstream]") {
    sample s;
    while (!s.health.ejected()) static_cast<void>(s.health.note_failure(true, s.now));
    CHECK(s.rank() == address_rank::doubtful);
    s.health.note_success(true, s.now); // sent since then
    CHECK(s.rank() == address_rank::healthy);
    s.eject();
    CHECK(s.rank() == address_rank::down);
}

TEST_CASE("an ejected address returns slowly after its time", "[gateway][upstream]") {
    sample s;
    s.eject();
    s.pass(4999ms);
    CHECK(s.health.ejected());
    s.pass(1ms);
    CHECK(s.rank() == address_rank::healthy);
    CHECK(s.share() == 10);
    s.pass(5s);
    CHECK(s.share() == 55);
    s.pass(5s);
    CHECK(s.share() == 100);
}

TEST_CASE("each ejection lasts twice as long as the one before, up to a bound", "[gateway][upstream]") {
    sample s;
    for (auto const expected : {5s, 10s, 20s, 40s, 60s, 60s}) {
        s.eject();
        s.pass(expected - 1ms);
        CHECK(s.health.ejected());
        s.pass(1ms);
        CHECK_FALSE(s.health.ejected());
    }
    s.pass(10s); // it was well for the whole of its return
    s.eject();
    s.pass(5s);
    CHECK_FALSE(s.health.ejected());
}

TEST_CASE("while it returns, one failure is enough", "[gateway][upstream]") {
    sample s;
    s.eject();
    s.pass(6s);
    CHECK(s.health.note_failure(false, s.now));
}

TEST_CASE("a trial may be made now and then, and ends the ejection when it is answered", "[gateway][upstream]") {
    sample s;
    s.eject();
    CHECK(s.rank() == address_rank::down);
    s.pass(address_health::trial_pause);
    CHECK(s.rank() == address_rank::trial);
    static_cast<void>(s.health.note_failure(false, s.now));
    CHECK(s.rank() == address_rank::down);
    s.pass(address_health::trial_pause);
    s.health.note_success(false, s.now); // was sent before: proves nothing
    CHECK(s.rank() == address_rank::trial);
    s.health.note_success(true, s.now);
    CHECK(s.rank() == address_rank::healthy);
    CHECK(s.share() == 10);
}

TEST_CASE("what the health checks say", "[gateway][upstream]") {
    sample s;
    CHECK(s.rank() == address_rank::healthy); // until the first check
    CHECK_FALSE(s.health.note_state(health_state::ready, s.now));
    CHECK(s.share() == 100); // nothing to return from
    CHECK(s.health.note_state(health_state::unready, s.now));
    CHECK(s.rank() == address_rank::doubtful);
    CHECK(s.health.note_state(health_state::refused, s.now));
    CHECK(s.rank() == address_rank::trial); // costs nothing
    CHECK(s.health.note_state(health_state::silent, s.now));
    CHECK(s.rank() == address_rank::down); // costs a timeout
    CHECK_FALSE(s.health.note_state(health_state::ready, s.now));
    CHECK(s.rank() == address_rank::healthy);
    CHECK(s.share() == 10);
}

TEST_CASE("a check that finds an address back ends its ejection", "[gateway][upstream]") {
    sample s;
    static_cast<void>(s.health.note_state(health_state::ready, s.now));
    s.eject();
    static_cast<void>(s.health.note_state(health_state::refused, s.now));
    CHECK(s.health.ejected());
    static_cast<void>(s.health.note_state(health_state::ready, s.now));
    CHECK_FALSE(s.health.ejected());
    s.eject(); // it answers checks and fails requests: the checks do not bring it back
    static_cast<void>(s.health.note_state(health_state::ready, s.now));
    CHECK(s.health.ejected());
}

TEST_CASE("an answered trial is believed more than an older refusal", "[gateway][upstream]") {
    sample s;
    static_cast<void>(s.health.note_state(health_state::refused, s.now));
    s.health.note_success(true, s.now);
    CHECK(s.rank() == address_rank::healthy);
    static_cast<void>(s.health.note_failure(false, s.now));
    CHECK(s.rank() == address_rank::down);
}

TEST_CASE("one check without an answer is no decision, two in a row are", "[gateway][upstream]") {
    unsigned in_row = 0;
    CHECK(evaluate(health_state::ready, health_state::silent, in_row) == health_state::ready);
    CHECK(evaluate(health_state::ready, health_state::ready, in_row) == health_state::ready);
    CHECK(evaluate(health_state::ready, health_state::silent, in_row) == health_state::ready);
    CHECK(evaluate(health_state::ready, health_state::silent, in_row) == health_state::silent);
    CHECK(evaluate(health_state::silent, health_state::refused, in_row) == health_state::refused);
    CHECK(evaluate(health_state::refused, health_state::unready, in_row) == health_state::unready);
}

} // namespace upstream_health_test
