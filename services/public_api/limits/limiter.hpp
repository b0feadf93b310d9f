// Counts what a request uses, in Redis for all instances and in the process, and refuses when the larger of both is
// over: a Redis that is away, slow or empty lets nobody past. Called by dispatch, before a plan's segment.
#pragma once
#include "public_api/limits/window.hpp"
#include "public_api/limits/window_counts.hpp"
#include "redis/connection.hpp"
#include "telemetry/metrics.hpp"

#include <map>

namespace recruiting::public_api {

struct limit_metrics {
    explicit limit_metrics(metrics::registry& registry);

    std::map<std::string_view, metrics::counter*> refused; // by the limit's name
    metrics::counter& counted_alone;
    metrics::gauge& redis_connections;
};

class limiter {
public:
    limiter(asio::io_context& context, settings const& config, window_counts& counts, limit_metrics& counted);
    ~limiter() { stop(); }

    /// Counts every use, and once; rate_limited when any is over its limit.
    [[nodiscard]] task<std::optional<limit_refusal>> count(std::vector<counted_use> const& uses, timestamp now);
    void stop();

private:
    [[nodiscard]] task<std::vector<redis::reply>> count_in_redis(std::vector<counted_use> const& uses, timestamp now);
    void redis_changed(bool up, std::string_view why) noexcept;

    window_counts& counts_;
    limit_metrics& metrics_;
    bool redis_up_{false};
    redis::connection redis_; // last: it tells of its state
};

} // namespace recruiting::public_api
