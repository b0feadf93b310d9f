// What the booking limits refuse, and until when.
#include "public_api/limits/limits.hpp"
#include "support/catch.hpp"

namespace limits_test {
using namespace recruiting;
using namespace recruiting::public_api;
using namespace std::chrono_literals;

namespace {

timestamp utc(char const* text) { return parse_time(text).value(); }

counted_use hourly(std::int64_t most = 2) { return {"booking_client", {}, most, 1h}; }
counted_use daily(std::int64_t most = 2) { return {"booking_address", {}, most, 24h}; }
counted_use silent(std::int64_t most = 2) { return {"booking_address_total", {}, most, 24h, true}; }

} // namespace

TEST_CASE("the count that is over refuses, until the latest of the full windows ends", "[public_api][limits]") {
    auto const now = utc("2026-11-21T22:30:00.250Z");
    std::vector const uses{hourly(), daily()};
    REQUIRE_FALSE(refuse_over(uses, {2, 2}, now));
    auto const hour = refuse_over(uses, {3, 2}, now);
    REQUIRE(hour);
    CHECK(hour->error.code == error_code::rate_limited);
    CHECK(hour->error.retry_after_seconds == 1800);
    CHECK(refuse_over(uses, {3, 3}, now)->error.retry_after_seconds == 5400);
    CHECK(refuse_over(uses, {2, 3}, utc("2026-11-21T23:59:59.999999Z"))->error.retry_after_seconds == 1);
}

TEST_CASE("each 429 says which limit: details[0].reason booking_client or booking_address, and RateLimit fits it",
          "[public_api][limits][429]") {
    auto const now = utc("2026-11-21T22:30:00.250Z");
    std::vector const uses{hourly(), daily(5)};
    auto const client = refuse_over(uses, {3, 2}, now);
    REQUIRE(client->error.details.size() == 1);
    CHECK(client->error.details[0].reason == "booking_client");
    CHECK(client->policy == R"("booking_client";q=2;w=3600)");
    CHECK(client->state == R"("booking_client";r=0;t=1800)");
    auto const both = refuse_over(uses, {3, 6}, now);
    REQUIRE(both->error.details.size() == 2);
    CHECK(both->error.details[0].reason == "booking_address"); // Retry-After is its end
    CHECK(both->policy == R"("booking_address";q=5;w=86400, "booking_client";q=2;w=3600)");
    CHECK(both->state == R"("booking_address";r=0;t=5400, "booking_client";r=0;t=1800)");
}

TEST_CASE("over all networks together a larger limit refuses nothing", "[public_api][limits]") {
    CHECK_FALSE(refuse_over({daily(), silent()}, {1, 3}, utc("2026-11-21T22:30:00Z")));
}

TEST_CASE("a use that is counted under both cursor secrets is refused once, by the larger count",
          "[public_api][limits]") {
    auto const now = utc("2026-11-21T22:30:00Z");
    std::vector const uses{hourly(), daily(), hourly(), daily(), silent(), silent()};
    CHECK_FALSE(refuse_over(uses, {2, 2, 1, 1, 9, 9}, now));
    auto const refused = refuse_over(uses, {3, 1, 3, 3, 0, 0}, now);
    REQUIRE(refused);
    CHECK(refused->policy == R"("booking_address";q=2;w=86400, "booking_client";q=2;w=3600)");
    CHECK(refused->error.details.size() == 2);
    CHECK(refuse_over(uses, {1, 1, 3, 1, 0, 0}, now)->error.details.size() == 1);
}

} // namespace limits_test
