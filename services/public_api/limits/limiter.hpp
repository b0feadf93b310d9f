// Counts what a request uses, in Redis for all instances and in the process; the larger count decides, so that the
// limits hold while Redis is unavailable, slow or empty. Called by dispatch, before a plan's segment.
#pragma once
#include "public_api/limits/window.hpp"
#include "redis/connection.hpp"
#include "telemetry/metrics.hpp"

#include <map>

namespace recruiting::public_api {

struct limit_metrics {
    explicit limit_metrics(metrics::registry& registry);

    std::map<std::string_view, metrics::counter*> refused; // by the limit's name
    metrics::counter& counted_locally;
    metrics::gauge& redis_connections;
};

struct limit_decision {
    std::optional<limit_refusal> refusal; // rate_limited
    bool is_excess{false};                // a silent limit is exceeded
};

class limiter {
public:
    limiter(asio::io_context& context, redis::address const& where, window_counts& counts, limit_metrics& counted);
    ~limiter() { stop(); }

    /// Counts every use once. What this process knows to be refused costs Redis nothing.
    [[nodiscard]] task<limit_decision> count(std::vector<counted_use> const& uses, timestamp now);
    /// The refusal by a limit that was counted elsewhere.
    [[nodiscard]] limit_refusal refuse(counted_use const& use, timestamp now);
    void stop();

private:
    [[nodiscard]] task<std::vector<redis::reply>> count_in_redis(std::vector<counted_use const*> const& uses,
                                                                 timestamp now);
    [[nodiscard]] limit_decision decide(std::vector<counted_use> const& uses, std::vector<std::int64_t> const& counts,
                                        timestamp now);
    void redis_changed(bool up, std::string_view why) noexcept;

    window_counts& counts_;
    limit_metrics& metrics_;
    bool redis_up_{false};
    redis::connection redis_; // last: its callback uses the members above
};

} // namespace recruiting::public_api
