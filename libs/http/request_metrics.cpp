#include "http/request_metrics.hpp"

#include <algorithm>

namespace recruiting::http {

request_metrics::request_metrics(metrics::registry& registry, std::string const& program,
                                 std::vector<std::string> routes) {
    routes.emplace_back("none");
    auto const name = "recruiting_" + program;
    for (auto const& route : routes) {
        auto& added = routes_.emplace_back();
        auto const label = "route=\"" + route + '"';
        for (std::size_t i = 0; i < statuses.size(); ++i) {
            auto const status = statuses[i] == 0 ? std::string("other") : std::to_string(statuses[i]);
            added.requests[i] =
                &registry.add_counter(name + "_requests_total", "Requests answered, by route and status.",
                                      label + ",status=\"" + status + '"');
        }
        added.seconds = &registry.add_histogram(name + "_request_duration_seconds",
                                                "From the whole request to the finished answer.", label);
    }
}

void request_metrics::count(std::size_t route, unsigned status, std::chrono::nanoseconds duration) noexcept {
    auto& counted = routes_[std::min(route, routes_.size() - 1)];
    auto const at = std::find(statuses.begin(), statuses.end() - 1, status); // not found: "other", the last
    counted.requests[static_cast<std::size_t>(at - statuses.begin())]->add();
    counted.seconds->observe(duration);
}

} // namespace recruiting::http
