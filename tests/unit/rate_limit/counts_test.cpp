// Windows, and what a process knows of its clients' counts and tells Redis: without Redis.
#include "rate_limit/counts.hpp"
#include "support/catch.hpp"

#include <memory>
#include <set>

namespace counts_test {
using namespace recruiting;
using namespace recruiting::rate_limit;

namespace {

client_key client(unsigned number) {
    client_key key{};
    for (unsigned byte = 0; byte < 4; ++byte) key[byte] = static_cast<std::uint8_t>(number >> (8 * byte));
    return key;
}

timestamp at(std::string_view text) { return *parse_time(text); }

std::int64_t ask(client_count& count, std::int64_t& redis, std::int64_t n = 1) {
    auto const sent = count.take(n);
    redis += sent.report;
    return count.answered(n, sent, redis).base + n; // the last one's number
}

std::int64_t add(local_counts& to, unsigned number, std::int64_t window = 5) {
    return to.find_or_add(client(number), window).count->count_locally(1) + 1;
}

} // namespace

TEST_CASE("the window is the minute, hour or day on the clock", "[rate_limit][window]") {
    CHECK(window_at(at("1970-01-01T00:01:00Z")) == window{1, 60});
    CHECK(window_at(at("1970-01-01T00:01:00.999Z")) == window{1, 60});
    CHECK(window_at(at("1970-01-01T00:01:59.999Z")) == window{1, 1});
    CHECK(window_at(at("1970-01-01T00:01:00.5Z"), 7) == window{8, 3});
    CHECK(window_at(at("1970-01-01T10:59:59.999Z"), 3'600) == window{10, 1});
    CHECK(window_at(at("1970-01-02T00:00:00Z"), 86'400) == window{1, 86'400});
}

TEST_CASE("two processes share one count", "[rate_limit]") {
    client_count a, b;
    std::int64_t redis = 0;
    CHECK(ask(a, redis, 100) == 100);
    CHECK(ask(b, redis, 50) == 150);
    CHECK(ask(a, redis, 10) == 160);
}

TEST_CASE("counts made alone, and those of a refused write, are reported once", "[rate_limit]") {
    client_count a;
    std::int64_t redis = 0;
    CHECK(ask(a, redis, 10) == 10);
    CHECK(a.count_locally(5) == 10);
    CHECK(a.failed(2, a.take(2), true) == 15);
    CHECK(ask(a, redis) == 18);
    CHECK(redis == 18);
}

TEST_CASE("a write that was not answered may have been executed, and is not reported again", "[rate_limit]") {
    client_count a;
    CHECK(a.failed(4, a.take(4), false) == 0);
    CHECK(a.take(1).report == 1);
}

TEST_CASE("a Redis that lost counts is noticed once and told them again, and nothing starts anew", "[rate_limit]") {
    client_count a;
    std::int64_t redis = 0;
    CHECK(ask(a, redis, 100) == 100);
    redis = 0;
    auto const first = a.take(1);
    auto const second = a.take(1); // another thread's
    auto const found = a.answered(1, first, 1);
    CHECK(found.has_lost);
    CHECK(found.base == 100);
    auto const next = a.answered(1, second, 2);
    CHECK_FALSE(next.has_lost);
    CHECK(next.base == 101);
    redis = 2;
    CHECK(ask(a, redis) == 103);
    CHECK(redis == 103);
}

TEST_CASE("answers that overtake each other are exact", "[rate_limit]") {
    client_count a;
    auto const first = a.take(1);
    auto const second = a.take(1);
    CHECK(a.answered(1, second, 2).base == 1);
    CHECK(a.answered(1, first, 1).base == 0);
    auto const reports = a.take(1);
    auto const overtakes = a.take(1);
    CHECK_FALSE(a.answered(1, overtakes, 3).has_lost);
    CHECK(a.answered(1, reports, 4).base == 3);
}

TEST_CASE("windows are apart, also when the clock is set back, and a thread that is late counts in the new one",
          "[rate_limit]") {
    auto const counts = std::make_unique<local_counts>(6'400);
    CHECK(add(*counts, 1, 5) == 1);
    CHECK(add(*counts, 1, 6) == 1);
    CHECK_FALSE(counts->find_or_add(client(1), 5).is_shared);
    CHECK(add(*counts, 1, 5) == 2);
    CHECK(add(*counts, 1, 6) == 3);
    CHECK(add(*counts, 1, 2) == 1);
}

TEST_CASE("what comes late from a window long ended neither begins one nor adds a client", "[rate_limit]") {
    auto const counts = std::make_unique<local_counts>(6'400);
    CHECK(add(*counts, 1, 5) == 1);
    CHECK(counts->find(client(1), 5).is_shared);
    CHECK(add(*counts, 1, 9) == 1);
    auto const ended = counts->find(client(1), 5);
    CHECK(ended.count != nullptr); // what was decided meanwhile
    CHECK_FALSE(ended.is_shared);
}

TEST_CASE("a late look leaves the window that is", "[rate_limit]") {
    auto const counts = std::make_unique<local_counts>(6'400);
    CHECK(add(*counts, 1, 9) == 1);
    CHECK(counts->find(client(2), 5).count == nullptr);
    CHECK(add(*counts, 1, 9) == 2);
    CHECK(counts->find(client(2), 9).count == nullptr);
}

TEST_CASE("clients beyond the limit are not told to Redis, and make the process forget none that is", "[rate_limit]") {
    auto const counts = std::make_unique<local_counts>(640);
    std::size_t shared = 0;
    std::set<unsigned> early;
    for (unsigned i = 0; i < 20'000; ++i)
        if (counts->find_or_add(client(i), 5).is_shared) {
            ++shared;
            CHECK(add(*counts, i) == 1);
            early.insert(i);
        }
    CHECK(shared <= 640); // ten in each part of the table, which the random keys of the hash choose
    CHECK(shared >= 64);
    for (auto const one : early) CHECK(add(*counts, one) == 2);
    CHECK(add(*counts, 19'999) == 1);
    CHECK(add(*counts, 19'999) == 2); // it is still counted
    CHECK(counts->find_or_add(client(19'999), 6).is_shared);
}

TEST_CASE("tables hash clients with random keys, and tell neighbours apart", "[rate_limit]") {
    CHECK(client_hash::keys != std::array<std::uint64_t, 5>{});
    std::set<std::size_t> met;
    for (unsigned i = 0; i < 2'000; ++i) met.insert(client_hash{}(client(i)));
    CHECK(met.size() >= 1'998); // two meet once in 2,000 runs
}

} // namespace counts_test
