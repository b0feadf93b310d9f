// The gateway's edge on threads of its own (settings.threads; one unless adjusted), and a clock the test moves.
#pragma once
#include "gateway/settings.hpp"
#include "integration/support/redis_servers.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace recruiting::test {

/// A minute of its own, far in the future: keys of tests on one Redis never meet.
class test_clock final : public time_source {
public:
    test_clock();
    [[nodiscard]] timestamp now() const override { return timestamp(std::chrono::microseconds(now_.load())); }
    void advance(std::chrono::milliseconds by) { now_ += std::chrono::microseconds(by).count(); }

private:
    std::atomic<std::int64_t> now_;
};

class gateway_harness {
public:
    using adjust = std::function<void(gateway::gateway_settings&)>;

    /// Listens on a free port; counts in the Redis of RECRUITING_TEST_REDIS_URL unless adjusted. Returns when it is
    /// connected to Redis, or after two seconds.
    gateway_harness(time_source const& clock, adjust const& settings);
    ~gateway_harness();
    gateway_harness(gateway_harness const&) = delete;
    gateway_harness& operator=(gateway_harness const&) = delete;

    [[nodiscard]] std::uint16_t port() const noexcept;
    [[nodiscard]] bool redis_is_up() const;
    void drain();
    /// Does the work on the gateway's first thread: what arrives meanwhile is ready in one turn of its loop.
    void busy_during(std::function<void()> const& work);
    [[nodiscard]] bool idle() const;
    /// The value of a metric as /metrics tells it, all its labels summed up; labels: a part they must have.
    [[nodiscard]] double metric(std::string const& name, std::string const& labels = {}) const;

private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace recruiting::test
