// What a service counts of requests: by route and status, and how long they took.
#pragma once
#include "telemetry/metrics.hpp"

#include <array>
#include <chrono>
#include <string>
#include <vector>

namespace recruiting::http {

class request_metrics {
public:
    /// program: as it stands in the metrics' names. routes: templates such as "/jobs/{id}"; a last one, "none", is
    /// added for what matched none of them.
    request_metrics(metrics::registry& registry, std::string const& program, std::vector<std::string> routes);

    /// route: index in routes; what lies beyond is "none". Any thread may call.
    void count(std::size_t route, unsigned status, std::chrono::nanoseconds duration) noexcept;

private:
    /// What our services answer; anything else is counted as "other".
    static constexpr std::array<unsigned, 20> statuses = {200, 204, 303, 304, 400, 401, 403, 404, 405, 408,
                                                          409, 413, 414, 415, 417, 429, 431, 500, 503, 0};
    struct of_route {
        std::array<metrics::counter*, statuses.size()> requests;
        metrics::histogram* seconds;
    };
    std::vector<of_route> routes_;
};

} // namespace recruiting::http
