#include "async/periodic_task.hpp"
#include "support/catch.hpp"

#include <stdexcept>
#include <vector>

namespace periodic_task_test {
using namespace recruiting;
using namespace std::chrono_literals;

struct round_log {
    int rounds{0};
    int failures{0};
    bool ended{false}; // the task's state is gone
};

// Waits `between` after each round; the rounds from first_failing on throw.
struct counting_task final : periodic_task {
    counting_task(asio::io_context& context, round_log& seen, std::chrono::milliseconds between,
                  int first_failing = 1'000'000)
        : periodic_task(context), log(seen), wait(between), failing(first_failing) {}
    ~counting_task() override { log.ended = true; }

    task<std::chrono::milliseconds> round() override {
        if (++log.rounds >= failing) throw std::runtime_error("a round failed");
        co_await sleep_for(1ms);
        co_return wait;
    }
    std::chrono::milliseconds failed(std::exception const&) override {
        ++log.failures;
        return wait;
    }

    round_log& log;
    std::chrono::milliseconds wait;
    int failing;
};

class counting_owner : public task_owner {
public:
    counting_owner(std::shared_ptr<periodic_task> owned, std::chrono::milliseconds first_wait)
        : task_owner(std::move(owned), first_wait) {}
};

template <class Condition>
bool run_until(asio::io_context& context, Condition const& condition) {
    auto const deadline = coarse_clock::now() + 10s;
    while (!condition() && coarse_clock::now() < deadline) context.run_one_for(10ms);
    return condition();
}

TEST_CASE("a periodic task runs round after round until it is stopped", "[async][periodic_task]") {
    asio::io_context context;
    round_log seen;
    auto const counting = std::make_shared<counting_task>(context, seen, 1ms);
    counting->start();
    REQUIRE(run_until(context, [&] { return seen.rounds >= 3; }));
    counting->stop();
    CHECK(counting->is_stopped());
    REQUIRE(run_until(context, [&] { return counting->has_ended(); }));
    auto const rounds = seen.rounds;
    context.run(); // nothing is left that would wait
    CHECK(seen.rounds == rounds);
}

TEST_CASE("stopping a periodic task ends its wait", "[async][periodic_task]") {
    asio::io_context context;
    round_log seen;
    auto const counting = std::make_shared<counting_task>(context, seen, 24h);
    SECTION("between two rounds") {
        counting->start();
        REQUIRE(run_until(context, [&] { return seen.rounds == 1; }));
        context.run_for(20ms); // the round has ended, and the wait has begun
        counting->stop();
        context.run();
        CHECK(seen.rounds == 1);
    }
    SECTION("before the first") {
        counting->start(24h);
        context.run_for(5ms);
        counting->stop();
        context.run();
        CHECK(seen.rounds == 0);
    }
    SECTION("before it has begun") {
        counting->start();
        counting->stop();
        context.run();
        CHECK(seen.rounds == 0);
    }
    CHECK(counting->has_ended());
}

TEST_CASE("a round that fails is followed by the next", "[async][periodic_task]") {
    asio::io_context context;
    round_log seen;
    auto const counting = std::make_shared<counting_task>(context, seen, 1ms, 2);
    counting->start();
    REQUIRE(run_until(context, [&] { return seen.failures >= 2; }));
    CHECK(seen.rounds >= 3);
    counting->stop();
    context.run();
}

TEST_CASE("a failure after the stop is not reported", "[async][periodic_task]") {
    asio::io_context context;
    round_log seen;
    struct stopping_task final : periodic_task {
        stopping_task(asio::io_context& io, round_log& log) : periodic_task(io), seen(log) {}
        task<std::chrono::milliseconds> round() override {
            ++seen.rounds;
            stop();
            co_await sleep_for(1ms);
            throw std::runtime_error("stopped");
        }
        std::chrono::milliseconds failed(std::exception const&) override {
            ++seen.failures;
            return 1ms;
        }
        round_log& seen;
    };
    auto const stopping = std::make_shared<stopping_task>(context, seen);
    stopping->start();
    context.run();
    CHECK(seen.rounds == 1);
    CHECK(seen.failures == 0);
    CHECK(stopping->has_ended());
}

TEST_CASE("a task outlives its owner until the round in progress has ended", "[async][periodic_task]") {
    asio::io_context context;
    round_log seen;
    {
        counting_owner const owner(std::make_shared<counting_task>(context, seen, 1ms), 0ms);
        REQUIRE(run_until(context, [&] { return seen.rounds == 1; }));
        CHECK_FALSE(seen.ended);
    }
    context.run();
    CHECK(seen.rounds == 1);
    CHECK(seen.ended);
}

} // namespace periodic_task_test
