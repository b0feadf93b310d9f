// redis::connection, against a Redis server the test may stop.
#include "integration/gateway/harness.hpp"
#include "integration/support/http_server_harness.hpp"
#include "redis/connection.hpp"
#include "support/catch.hpp"

namespace redis_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

struct outcome_of {
    std::vector<redis::reply> replies;
    bool unanswered{false};
    bool finished{false};
};

// Runs commands on a connection until it answers or gives up.
outcome_of run(asio::io_context& context, redis::connection& on, redis::batch const& commands) {
    outcome_of out;
    on.send(commands, [&out](redis::batch_status what, std::vector<redis::reply>& replies) {
        out = {replies, what != redis::batch_status::answered, true};
    });
    auto const end = std::chrono::steady_clock::now() + std::chrono::seconds{30};
    while (!out.finished && std::chrono::steady_clock::now() < end) context.run_one_for(std::chrono::milliseconds{10});
    REQUIRE(out.finished);
    return out;
}

bool becomes(asio::io_context& context, redis::connection const& connection, bool ready) {
    return eventually([&] {
        context.run_for(std::chrono::milliseconds{5});
        return connection.ready() == ready;
    });
}

} // namespace

TEST_CASE("commands are answered in order, errors as replies, losses as none", "[gateway][redis]") {
    private_redis server;
    asio::io_context context{1};
    redis::connection connection(context, *redis::parse_address(server.url()));
    redis::batch early;
    early.add({"PING"});
    CHECK(run(context, connection, early).unanswered); // not connected yet: told at once
    REQUIRE(becomes(context, connection, true));

    redis::batch commands;
    commands.add({"SET", "k", "v"});
    commands.add({"INCRBY", "k", "1"});
    commands.add({"GET", "k"});
    auto const good = run(context, connection, commands);
    REQUIRE(good.replies.size() == 3);
    CHECK(good.replies[1].is_error());
    CHECK(good.replies[2].text == "v");

    server.hang();
    CHECK(run(context, connection, commands).unanswered);
    CHECK_FALSE(connection.ready());
    server.resume();
    REQUIRE(becomes(context, connection, true));
    server.kill();
    REQUIRE(becomes(context, connection, false));
    connection.stop();
    context.run_for(std::chrono::milliseconds{20});
}

} // namespace redis_test
