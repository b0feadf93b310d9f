// By which counter requests of refused keys are counted.
#include "audit/batcher.hpp"
#include "support/catch.hpp"

namespace refusal_counters_test {
using namespace recruiting;
using namespace recruiting::audit;

namespace {

event event_at(uuid const& key, char const* time) {
    event out;
    out.credential_id = key;
    out.occurred_at = *parse_time(time);
    return out;
}

} // namespace

TEST_CASE("the shared counter counts until a minute of a key is full, then the batcher's own", "[audit]") {
    uuid const shared{};
    auto const own = random_id();
    refusal_counters counters(own);
    auto const key = random_id();
    std::vector const now{event_at(key, "2026-11-22T10:00:01Z"), event_at(key, "2026-11-22T10:00:59Z")};
    auto const counted_by = [&] { return counters.counters_of(now); };
    CHECK(counted_by() == std::vector{shared, shared});
    std::vector const both{now[0].id, now[1].id};
    counters.note(now, both); // each got its row
    CHECK(counted_by() == std::vector{shared, shared});
    counters.note(now, std::span(both).first(1));
    CHECK(counted_by() == std::vector{own, own});
    std::vector const other{event_at(random_id(), "2026-11-22T10:00:30Z"), event_at(key, "2026-11-22T10:01:00Z")};
    CHECK(counters.counters_of(other) == std::vector{shared, shared}); // another key, another minute
}

} // namespace refusal_counters_test
