#include "integration/gateway/harness.hpp"

#include "gateway/worker.hpp"
#include "integration/support/http_server_harness.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <cstdlib>
#include <future>
#include <random>
#include <sstream>
#include <thread>
#include <vector>

namespace recruiting::test {
namespace {

gateway::gateway_settings make_settings(gateway_harness::adjust const& adjust) {
    gateway::gateway_settings settings;
    settings.listeners.plain = {"127.0.0.1", own_port(), {}};
    settings.access_log = false;
    settings.drain_delay = std::chrono::milliseconds{0};
    // Counts are exact while Redis answers in time: on a busy machine that is not 50 ms.
    settings.limits.response_limit = std::chrono::seconds{5};
    if (char const* const url = std::getenv("RECRUITING_TEST_REDIS_URL"))
        settings.limits.redis = redis::parse_address(url).value_or(redis::address{});
    if (adjust) adjust(settings);
    return settings;
}

} // namespace

test_clock::test_clock() {
    std::random_device random;
    std::int64_t const minute = 100'000'000 + static_cast<std::int64_t>(random() % 1'000'000'000);
    now_ = minute * 60'000'000 + 10'000'000; // ten seconds into it
}

namespace {

// A thread of the gateway.
struct lane {
    lane(gateway::shared_parts& shared, time_source const& clock)
        : ticks(context, std::chrono::milliseconds{10}),
          part(gateway::make_gateway_thread(context, ticks, shared, clock, false)) {
        part->listen();
        thread = std::thread([this] { context.run(); });
    }

    template <class Work>
    auto run(Work work) {
        std::packaged_task<decltype(work())()> packaged(std::move(work));
        auto outcome = packaged.get_future();
        asio::post(context, std::move(packaged));
        return outcome.get();
    }

    asio::io_context context{1};
    ticker ticks;
    std::unique_ptr<http::thread_part> part;
    std::thread thread;
};

} // namespace

struct gateway_harness::state {
    state(time_source const& clock, adjust const& a) : shared(make_settings(a)) {
        for (std::int64_t i = 0; i < std::max<std::int64_t>(1, shared.settings.threads); ++i)
            lanes.push_back(std::make_unique<lane>(shared, clock));
    }

    gateway::shared_parts shared;
    std::vector<std::unique_ptr<lane>> lanes;
};

gateway_harness::gateway_harness(time_source const& clock, adjust const& settings)
    : state_(std::make_unique<state>(clock, settings)) {
    for (int i = 0; i < 800 && !redis_is_up(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds{5});
}

gateway_harness::~gateway_harness() {
    for (auto& one : state_->lanes)
        one->run([&] {
            one->part->drain();
            one->part->close();
        });
    static_cast<void>(eventually([this] { return idle(); }));
    for (auto& one : state_->lanes) {
        one->run([&] {
            one->part.reset();
            one->ticks.stop();
        });
        one->context.stop();
        one->thread.join();
    }
}

std::uint16_t gateway_harness::port() const noexcept { return state_->shared.settings.listeners.plain.port; }
bool gateway_harness::redis_is_up() const {
    return state_->shared.rate_limits.redis_connections.value() == static_cast<std::int64_t>(state_->lanes.size());
}
void gateway_harness::drain() {
    for (auto& one : state_->lanes) one->run([&] { one->part->drain(); });
}
bool gateway_harness::idle() const {
    for (auto& one : state_->lanes)
        if (!one->run([&] { return one->part->idle(); })) return false;
    return true;
}
void gateway_harness::busy_during(std::function<void()> const& work) {
    state_->lanes.front()->run([&] { work(); });
}

double gateway_harness::metric(std::string const& name, std::string const& labels) const {
    double sum = 0;
    std::istringstream lines(state_->shared.registry.render());
    for (std::string line; std::getline(lines, line);) {
        auto const end = line.find_first_of("{ ");
        if (line.substr(0, end) != name || line.find(labels) == std::string::npos) continue;
        sum += std::stod(line.substr(line.rfind(' ') + 1));
    }
    return sum;
}

} // namespace recruiting::test
