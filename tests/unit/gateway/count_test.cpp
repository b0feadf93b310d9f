// What a process knows of its clients' counts, and what it tells Redis: without Redis.
#include "gateway/rate_limit/limiter.hpp"
#include "gateway/rate_limit/policy.hpp"
#include "support/catch.hpp"

#include <map>
#include <memory>

namespace count_test {
using namespace recruiting;
using namespace recruiting::gateway;

namespace {

local_counts::client_key client(int number = 1, std::int64_t window = 5) {
    ip_address address;
    address.bytes[15] = static_cast<std::uint8_t>(number);
    address.bytes[14] = static_cast<std::uint8_t>(number >> 8);
    return {address, window};
}

// Redis, as far as counting goes. A gateway asks it as the rate limit does.
struct counting_server {
    generation under{1};
    std::int64_t count{0};
    void forget(generation next) {
        under = next;
        count = 0;
    }
};

std::int64_t ask(local_counts& table, counting_server& server, std::int64_t n = 1) {
    auto const sent = table.take_delta(client(), n, server.under);
    server.count += sent.report;
    return table.answered(client(), n, server.under, sent, server.count).base + n; // the last one's rank
}

void report_from(local_counts& table, counting_server& server) {
    for (std::size_t part = 0; part < local_counts::parts; ++part)
        for (auto const& [key, sent] : table.take_unreported(part, 5, server.under)) {
            server.count += sent.report;
            static_cast<void>(table.answered(key, 0, server.under, sent, server.count));
        }
}

} // namespace

TEST_CASE("two gateways share one count", "[gateway][counts]") {
    auto const a = std::make_unique<local_counts>();
    auto const b = std::make_unique<local_counts>();
    counting_server server;
    CHECK(ask(*a, server, 100) == 100);
    CHECK(ask(*b, server, 50) == 150);
    CHECK(ask(*a, server, 10) == 160);
}

TEST_CASE("counts made alone are told once", "[gateway][counts]") {
    auto const a = std::make_unique<local_counts>();
    counting_server server;
    CHECK(ask(*a, server, 10) == 10);
    CHECK(a->count_locally(client(), 5) == 10);
    CHECK(a->has_unreported());
    CHECK_FALSE(a->has_unreported());
    CHECK(ask(*a, server) == 16);
    CHECK(server.count == 16);
    report_from(*a, server);
    CHECK(server.count == 16);
}

TEST_CASE("a new generation gets every gateway's own counts, and the sum is exact", "[gateway][counts]") {
    auto const a = std::make_unique<local_counts>();
    auto const b = std::make_unique<local_counts>();
    counting_server server;
    CHECK(ask(*a, server, 100) == 100);
    CHECK(ask(*b, server, 50) == 150);
    CHECK(ask(*a, server, 10) == 160);
    server.forget(2);
    CHECK(ask(*b, server) == 151); // knows no better, yet never starts again
    CHECK(server.count == 51);
    report_from(*b, server);
    CHECK(server.count == 51);
    report_from(*a, server);
    CHECK(server.count == 161); // what was counted in all
    CHECK(ask(*a, server) == 162);
    CHECK(ask(*b, server) == 163);
    CHECK(ask(*a, server) == 164);
}

TEST_CASE("a Redis that forgot within its generation is noticed once", "[gateway][counts]") {
    auto const a = std::make_unique<local_counts>();
    auto const first = a->take_delta(client(), 3, 1);
    CHECK(first.fresh);
    CHECK_FALSE(a->answered(client(), 3, 1, first, 103).counter_decreased);
    auto const second = a->take_delta(client(), 1, 1);
    CHECK_FALSE(second.fresh);
    auto const forgotten = a->answered(client(), 1, 1, second, 1);
    CHECK(forgotten.counter_decreased);
    CHECK(forgotten.base == 103);
    auto const third = a->take_delta(client(), 1, 1);
    auto const again = a->answered(client(), 1, 1, third, 2);
    CHECK_FALSE(again.counter_decreased);
    CHECK(again.base == 104);
}

TEST_CASE("answers that overtake each other rank exactly", "[gateway][counts]") {
    auto const a = std::make_unique<local_counts>();
    auto const first = a->take_delta(client(), 1, 1);
    auto const second = a->take_delta(client(), 1, 1);
    CHECK(a->answered(client(), 1, 1, second, 2).base == 1);
    auto const late = a->answered(client(), 1, 1, first, 1);
    CHECK(late.base == 0);
    CHECK_FALSE(late.counter_decreased);
}

// Found by the model of counting (count_model_test).
TEST_CASE("a thread that loses its write does not give away the rank of one that waits", "[gateway][counts]") {
    auto const a = std::make_unique<local_counts>();
    auto const waiting = a->take_delta(client(), 1, 1);
    auto const lost = a->take_delta(client(), 1, 1);
    CHECK(a->failed(client(), 1, 1, lost, true) == 0);
    CHECK(a->answered(client(), 1, 1, waiting, 1).base == 1);
    CHECK(a->count_locally(client(), 1) == 2);
}

TEST_CASE("a write that Redis executed and another total contained is counted once", "[gateway][counts]") {
    auto const a = std::make_unique<local_counts>();
    auto const executed = a->take_delta(client(), 1, 1);
    auto const next = a->take_delta(client(), 1, 1);
    CHECK(a->answered(client(), 1, 1, next, 2).base == 1);
    CHECK(a->failed(client(), 1, 1, executed, true) < 2); // of two requests none is the third
    CHECK(a->count_locally(client(), 1) == 2);
}

TEST_CASE("what may have been counted is not told twice, what was refused is told again", "[gateway][counts]") {
    auto const a = std::make_unique<local_counts>();
    auto const lost = a->take_delta(client(), 4, 1);
    CHECK(a->failed(client(), 4, 1, lost, true) == 0);
    auto const next = a->take_delta(client(), 1, 1);
    CHECK(next.report == 1);
    CHECK(next.fresh); // the SET sent with them may be lost as well
    CHECK(a->failed(client(), 1, 1, next, false) == 4);
    CHECK(a->take_delta(client(), 1, 1).report == 2);
    CHECK(a->take_delta(client(), 1, 2).report == 7); // another generation was told nothing at all
}

TEST_CASE("threads at two masters tell each what it does not know", "[gateway][counts]") {
    auto const a = std::make_unique<local_counts>();
    CHECK(a->take_delta(client(), 1, 1).report == 1);
    CHECK(a->take_delta(client(), 1, 2).report == 2);
    CHECK(a->take_delta(client(), 1, 1).report == 2);
    CHECK(a->take_delta(client(), 1, 2).report == 2);
}

TEST_CASE("windows are apart, also when the clock is set back", "[gateway][counts]") {
    auto const a = std::make_unique<local_counts>();
    CHECK(a->count_locally(client(1, 5), 600) == 0);
    CHECK(a->count_locally(client(1, 6), 1) == 0);
    CHECK(a->count_locally(client(1, 5), 1) == 600); // was under way when its window ended
    CHECK(a->count_locally(client(1, 6), 1) == 1);
    CHECK(a->count_locally(client(1, 2), 1) == 0);
    CHECK(a->count_locally(client(1, 2), 1) == 1);
    auto const gone = a->take_delta(client(1, 2), 1, 1);
    CHECK(a->count_locally(client(1, 8), 1) == 0);
    CHECK(a->count_locally(client(1, 9), 1) == 0);
    CHECK(a->answered(client(1, 2), 1, 1, gone, 700).base == 699);
}

TEST_CASE("a full table never lets a client go uncounted", "[gateway][counts]") {
    auto const table = std::make_unique<local_counts>(64); // one client a shard
    std::int64_t most = 0;
    for (int i = 0; i < 1000; ++i) most = std::max(most, table->count_locally(client(i), 1));
    CHECK(most > 0);
    CHECK(table->take_delta(client(2000), 1, 1).fresh);
}

TEST_CASE("a generation ends with a restart, a failover and FLUSHALL", "[gateway][counts]") {
    std::string const id(40, 'a');
    std::string const info = "# Replication\r\nrole:master\r\nmaster_replid:" + id + "\r\nmaster_replid2:0\r\n";
    std::string const other = "role:master\r\nmaster_replid:" + std::string(40, 'b') + "\r\n";
    CHECK(generation_of(info, "mark") == generation_of("master_replid:" + id, "mark"));
    CHECK(generation_of(info, "mark") != generation_of(other, "mark"));
    CHECK(generation_of(info, "mark") != generation_of(info, "other"));
    CHECK(generation_of("", "mark") != generation_of("", ""));
}

TEST_CASE("the commands that count", "[gateway][counts]") {
    limiter_settings settings;
    settings.policies[1].window_seconds = 10;
    local_counts::client_key const key_of_client{*parse_ip("203.0.113.7"), 29384756};
    redis::batch commands;
    std::string key;
    CHECK(add_count(commands, key, settings, 0, key_of_client, 0xc0ffee, {3, 0, 0, false}) == 1);
    CHECK(key == "rl:api:203.0.113.7:29384756:00c0ffee");
    CHECK(commands.bytes() == "*3\r\n$6\r\nINCRBY\r\n$36\r\n" + key + "\r\n$1\r\n3\r\n");
    commands.clear();
    local_counts::client_key const v6{*parse_ip("2001:db8::"), 7};
    CHECK(add_count(commands, key, settings, 1, v6, 1, {1, 0, 0, true}) == 2);
    CHECK(key == "rl:public:2001:db8::/64:7:00000001");
    CHECK(commands.bytes().find("$1\r\n0\r\n$2\r\nNX\r\n$2\r\nEX\r\n$2\r\n70\r\n*3") != std::string::npos);
}

TEST_CASE("requests of a batch are one group a client, window and prefix", "[gateway][counts]") {
    count_batch now;
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < 1000; ++i)
            CHECK(now.find_or_add(0, client(i % 300).address, {5, 60}).client.address == client(i % 300).address);
        CHECK(now.used == 300);
        static_cast<void>(now.find_or_add(1, client(7).address, {5, 60}));
        static_cast<void>(now.find_or_add(0, client(7).address, {6, 60}));
        CHECK(now.used == 302);
        now.reset();
        CHECK(now.used == 0);
    }
    CHECK(now.groups.size() == 302); // kept for the next
}

TEST_CASE("a fault of many threads is one of the process", "[gateway][counts]") {
    shared_fault away;
    bool first = false;
    bool second = false;
    CHECK(away.set(first, true));
    CHECK_FALSE(away.set(first, true));
    CHECK_FALSE(away.set(second, true));
    CHECK_FALSE(away.set(first, false));
    CHECK(away.set(second, false));
    CHECK_FALSE(away.set(second, false));
}

} // namespace count_test
