// What is counted of requests: by route and status, and how long they took.
#pragma once
#include "telemetry/metrics.hpp"

#include <array>
#include <chrono>
#include <optional>
#include <vector>

namespace recruiting::public_api {

class request_metrics {
public:
    explicit request_metrics(metrics::registry& registry);

    /// route: index in routes(), nothing for what matched none. Any thread may call.
    void count(std::optional<std::size_t> route, unsigned status, std::chrono::nanoseconds duration) noexcept;

private:
    /// What this service answers; anything else is counted as "other".
    static constexpr std::array<unsigned, 16> statuses = {200, 204, 303, 304, 400, 404, 405, 408,
                                                          409, 413, 415, 429, 431, 500, 503, 0};
    struct of_route {
        std::array<metrics::counter*, statuses.size()> requests;
        metrics::histogram* seconds;
    };
    std::vector<of_route> routes_; // the last one: matched none
};

} // namespace recruiting::public_api
