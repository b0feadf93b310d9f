// How the sealer of the audit log is spread over the time (decision 119).
#include "auth_api/background/tasks.hpp"
#include "support/catch.hpp"

namespace sealer_pause_test {
using namespace recruiting::auth_api;
using namespace std::chrono_literals;

namespace {

constexpr sealer_settings settings{.interval = 1000ms, .batch = 500};

} // namespace

TEST_CASE("the sealer gathers rows for an interval after a round that was not full", "[audit]") {
    CHECK(pause_after_sealing(settings, 0, 1ms, 0ms) == 1000ms);
    CHECK(pause_after_sealing(settings, 499, 12ms, 2s) == 1000ms);
}

TEST_CASE("the sealer works for a quarter of the time while rows wait shortly, and longer the longer they wait",
          "[audit]") {
    CHECK(pause_after_sealing(settings, 500, 12ms, 0ms) == 36ms);
    CHECK(pause_after_sealing(settings, 531, 12ms, 500ms) == 18ms);
    CHECK(pause_after_sealing(settings, 500, 12ms, 1000ms) == 0ms);
    CHECK(pause_after_sealing(settings, 2000, 80ms, 3600s) == 0ms);
}

} // namespace sealer_pause_test
