// What one instance of a program said at one time, and quantiles of what it observed.
#pragma once
#include "recruitctl/scrape/exposition.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace recruiting::recruitctl::top {

/// What one instance said at one time.
struct reading {
    std::string program; // "gateway", "auth-api", "public-api"
    std::string address; // of its admin port
    bool up{false};
    bool ready{false};
    std::string why; // when it is not up or not ready
    scrape::exposition metrics;
    std::chrono::steady_clock::time_point at;
};

/// A histogram's observations between two scrapes: cumulative counts by upper bound, in the order of the bounds.
struct bucket {
    double bound{0};
    double count{0};
};
/// Within a bucket linearly, as Prometheus' histogram_quantile does; beyond the last bound that bound. nullopt: nothing
/// was observed.
[[nodiscard]] std::optional<double> quantile(std::vector<bucket> const& cumulative, double of);

} // namespace recruiting::recruitctl::top
