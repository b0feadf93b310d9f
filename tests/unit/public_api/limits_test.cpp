// Fixed windows on the clock: which one it is, what a count in it is called, when it is full and until when.
#include "public_api/limits/window.hpp"
#include "support/catch.hpp"

namespace limits_test {
using namespace recruiting;
using namespace recruiting::public_api;
using namespace std::chrono_literals;

namespace {

timestamp utc(char const* text) { return parse_time(text).value(); }

counted_use hourly(std::string key, std::int64_t most = 2) { return {"booking_client", std::move(key), most, 1h}; }
counted_use daily(std::string key, std::int64_t most = 2) { return {"booking_address", std::move(key), most, 24h}; }
counted_use silent(std::string key, std::int64_t most = 2) {
    return {"booking_address_total", std::move(key), most, 24h, true};
}

std::vector<std::int64_t> count(window_counts& counts, std::vector<counted_use> const& uses, timestamp now) {
    std::vector<std::int64_t> out;
    for (auto const& counted : counts.add(uses, now)) out.push_back(counted.count);
    return out;
}

} // namespace

TEST_CASE("hours begin at the full hour, days at midnight UTC", "[public_api][limits]") {
    REQUIRE(window_at(utc("2026-11-21T10:59:59.999Z"), 1h).ends_at == utc("2026-11-21T11:00:00Z"));
    REQUIRE(window_at(utc("2026-11-21T11:00:00Z"), 1h).ends_at == utc("2026-11-21T12:00:00Z"));
    REQUIRE(window_at(utc("2026-11-21T23:59:59Z"), 24h).ends_at == utc("2026-11-22T00:00:00Z"));
    REQUIRE(window_at(utc("1970-01-02T00:00:00Z"), 24h).number == 1);
}

TEST_CASE("a count's key names its window", "[public_api][limits]") {
    REQUIRE(count_key(hourly("j:192.0.2.1"), utc("1970-01-01T05:30:00Z")) == "bl:booking_client:j:192.0.2.1:5");
    REQUIRE(count_key(daily("x"), utc("1970-01-03T05:30:00Z")) == "bl:booking_address:x:2");
}

TEST_CASE("the count that is over refuses, until the latest of the full windows ends", "[public_api][limits]") {
    auto const now = utc("2026-11-21T22:30:00.250Z");
    std::vector const uses{hourly("a"), daily("b")};
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
    std::vector const uses{hourly("a"), daily("b", 5)};
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

TEST_CASE("the process counts each key by itself and starts again with its window", "[public_api][limits]") {
    window_counts counts(100);
    auto const now = utc("2026-11-21T22:30:00Z");
    REQUIRE(count(counts, {hourly("a"), daily("b")}, now) == std::vector<std::int64_t>{1, 1});
    REQUIRE(count(counts, {hourly("a"), daily("c")}, now) == std::vector<std::int64_t>{2, 1});
    REQUIRE(counts.size() == 3);
    auto const later = now + 30min;
    REQUIRE(count(counts, {hourly("a"), daily("b")}, later) == std::vector<std::int64_t>{1, 2});
    REQUIRE(counts.size() == 3); // the old hour is gone
    REQUIRE(count(counts, {hourly("a"), daily("b")}, later + 24h) == std::vector<std::int64_t>{1, 1});
    REQUIRE(counts.size() == 2);
}

TEST_CASE(
    "the keys that Redis is given are bounded, and no flood of clients makes it or the process forget one of them",
    "[public_api][limits]") {
    window_counts counts(3);
    auto const now = utc("2026-11-21T10:00:00Z");
    for (auto const* early : {"a", "b", "c"}) REQUIRE(counts.add({daily(early)}, now).front() == local_count{1, true});
    for (int i = 0; i < 1000; ++i)
        REQUIRE(counts.add({daily("later" + std::to_string(i))}, now).front() == local_count{1, false});
    REQUIRE(counts.size() == 6);
    for (auto const* early : {"a", "b", "c"}) REQUIRE(counts.add({daily(early)}, now).front() == local_count{2, true});
    REQUIRE(counts.add({daily("later999")}, now).front() == local_count{2, false}); // who stays is still counted
    REQUIRE(counts.add({hourly("later0")}, now).front() == local_count{1, true});   // each limit has room of its own
    REQUIRE(counts.add({daily("tomorrow")}, now + 24h).front() == local_count{1, true});
}

TEST_CASE("over all networks together a larger limit refuses nothing, and counts no request that another limit refuses",
          "[public_api][limits]") {
    window_counts counts(100);
    auto const now = utc("2026-11-21T22:30:00Z");
    for (int i = 0; i < 5; ++i) count(counts, {daily("one network"), silent("address")}, now);
    std::vector const uses{daily("another network"), silent("address")};
    auto const counted = count(counts, uses, now);
    REQUIRE(counted == std::vector<std::int64_t>{1, 3});
    REQUIRE_FALSE(refuse_over(uses, counted, now));
}

} // namespace limits_test
