#include "public_api/request_metrics.hpp"

#include "public_api/routes.hpp"

#include <algorithm>

namespace recruiting::public_api {

request_metrics::request_metrics(metrics::registry& registry) {
    auto const enlist = [&](std::string const& name) {
        of_route added{};
        auto const label = "route=\"" + name + '"';
        for (std::size_t i = 0; i < statuses.size(); ++i) {
            auto const status = statuses[i] == 0 ? std::string("other") : std::to_string(statuses[i]);
            added.requests[i] = &registry.add_counter("recruiting_public_api_requests_total", "Requests answered.",
                                                      label + ",status=\"" + status + '"');
        }
        added.seconds = &registry.add_histogram("recruiting_public_api_request_duration_seconds",
                                                "From the whole request to the finished answer.", label);
        routes_.push_back(added);
    };
    for (auto const& route : routes()) enlist(std::string(route.base) + std::string(route.pattern));
    enlist("none");
}

void request_metrics::count(std::optional<std::size_t> route, unsigned status,
                            std::chrono::nanoseconds duration) noexcept {
    auto& counted = routes_[std::min(route.value_or(routes_.size()), routes_.size() - 1)];
    auto const at = std::find(statuses.begin(), statuses.end() - 1, status); // not found: "other", the last
    counted.requests[static_cast<std::size_t>(at - statuses.begin())]->add();
    counted.seconds->observe(duration);
}

} // namespace recruiting::public_api
