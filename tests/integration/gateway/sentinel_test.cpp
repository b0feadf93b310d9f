// Redis behind real Sentinels: the master is found, and followed through failovers, its count with it.
#include "integration/gateway/two_gateways.hpp"
#include "integration/gateway/upstream.hpp"
#include "integration/support/http_client.hpp"
#include "integration/support/http_server_harness.hpp"
#include "redis/connection.hpp"
#include "support/catch.hpp"

#include <thread>

namespace sentinel_test {
using namespace recruiting;
using namespace recruiting::test;
using std::chrono::milliseconds;

namespace {

constexpr std::int64_t rate_limit = 50;

struct setup {
    explicit setup(bool with_tls = false) : servers(with_tls), first(clock, adjust()), second(clock, adjust()) {}

    [[nodiscard]] gateway_harness::adjust adjust() {
        return [this](gateway::gateway_settings& s) {
            s.upstreams[0] = s.upstreams[1] = s.at(service.port());
            s.limits.limits = {rate_limit, rate_limit};
            s.limits.redis = *redis::parse_address(servers.url());
            s.limits.redis.tls.ca_file = servers.ca_file();
        };
    }
    [[nodiscard]] bool up() const { return first.redis_is_up() && second.redis_is_up(); }
    /// Waits for a master on another port that says it is one.
    [[nodiscard]] bool moved(std::uint16_t from) const {
        for (int i = 0; i < 6; ++i) {
            auto const there = eventually([&] {
                auto const port = servers.master_port();
                return port != from && servers.say(port, {"ROLE"}).starts_with("master");
            });
            if (there) return true;
        }
        return false;
    }
    /// Sentinels give their connections a name, gateways do not.
    [[nodiscard]] int gateways_at(std::uint16_t port) const {
        auto const list = servers.say(port, {"CLIENT", "LIST", "TYPE", "NORMAL"});
        int found = 0;
        for (auto at = list.find(" name= "); at != std::string::npos; at = list.find(" name= ", at + 1)) ++found;
        return found - 1; // that of this question
    }

    sentinel_group servers;
    test_clock clock;
    recording_upstream service;
    gateway_harness first;
    gateway_harness second;
};

} // namespace

TEST_CASE("the master is killed: the next one counts on, over TCP and over TLS", "[gateway][sentinel]") {
    setup s(GENERATE(false, true));
    REQUIRE(s.up());
    CHECK(passed(s.first, 20) == 20);
    auto const old = s.servers.master_port();
    s.servers.kill_master();
    CHECK(passed(s.first, 5) == 5); // alone
    REQUIRE(s.moved(old));
    REQUIRE(eventually([&] { return s.up(); }));
    CHECK(passed(s.first, 1) == 1);
    CHECK(passed(s.second, 60) == rate_limit - 26);
}

TEST_CASE("the master steps down and stays: it is left for the next one", "[gateway][sentinel]") {
    setup s;
    REQUIRE(s.up());
    CHECK(passed(s.first, 20) == 20);
    auto const old = s.servers.master_port();
    s.servers.fail_over();
    REQUIRE(s.moved(old)); // the old one is told seconds later
    REQUIRE(eventually([&] { return s.gateways_at(s.servers.master_port()) == 2; }));
    REQUIRE(eventually([&] { return s.up(); }));
    CHECK(passed(s.first, 1) == 1);
    CHECK(passed(s.second, 60) == rate_limit - 21);
    CHECK(passed(s.first, 10) == 0);
}

TEST_CASE("a connection to what is no master any more ends with its first refused write", "[gateway][sentinel]") {
    sentinel_group servers;
    asio::io_context context{1};
    redis::options how;
    how.sentinel_check = std::chrono::hours{1}; // only the error tells
    redis::connection connection(context, *redis::parse_address(servers.url()), how);
    auto const runs_until = [&context](auto condition) {
        return eventually([&] {
            context.run_for(milliseconds{5});
            return condition();
        });
    };
    REQUIRE(runs_until([&] { return connection.ready(); }));
    static_cast<void>(servers.say(servers.master_port(), {"REPLICAOF", "127.0.0.1", "1"}));
    redis::batch write;
    write.add({"SET", "a", "b"});
    std::string said;
    connection.send(write, [&](redis::batch_status, std::vector<redis::reply>& replies) {
        if (!replies.empty()) said = replies[0].text;
    });
    REQUIRE(runs_until([&] { return !connection.ready(); }));
    CHECK(said.starts_with("READONLY"));
    connection.stop();
    context.run_for(milliseconds{20});
}

} // namespace sentinel_test
