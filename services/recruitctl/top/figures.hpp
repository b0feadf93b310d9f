// From two scrapes of a program to what people want to know of it: rates, quantiles, states. Pure.
#pragma once
#include "recruitctl/scrape/exposition.hpp"

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace recruiting::recruitctl::top {

// The scrapes of one instance of a program, and quantiles of what it observed.

/// What one instance reported at one time.
struct instance_scrape {
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

struct latency {
    std::optional<double> p50, p95, p99; // seconds
};

struct route_figures {
    std::string program, route;
    double rate{0};   // requests a second
    double errors{0}; // of them 5xx, or without an answer
    std::optional<double> p95;
};

struct upstream_figures {
    std::string name;
    bool up{false};
    double in_flight{0}, waiting{0};
};

/// Of one instance. A figure that its program has not, or that needs a second scrape, is absent.
struct instance_figures {
    std::string program, address, state, version;
    bool up{false}, ready{false};
    std::optional<double> rate;
    std::array<double, 6> by_class{}; // requests a second; [0]: no answer, [2]: 2xx …
    latency took;
    std::optional<double> cpu, memory; // share of one core, bytes
    std::optional<double> rejected;    // 429s a second
    std::optional<double> local;       // requests a second that were counted without Redis
    std::optional<double> connections, redis_connections, postgres_connections;
    std::optional<double> redis_p95;
    std::optional<double> unsealed_age;
    std::optional<double> mail_waiting, mail_dead, mail_oldest;
    std::optional<double> booking_oldest, booking_dead_lettered;
    std::optional<double> runs_in_progress, runs_completed, runs_failed; // the latter two a minute
    std::vector<upstream_figures> upstreams;
    std::vector<route_figures> routes;
};

/// before: the same instance's former scrape; nullptr: there is none yet. A counter that went back was begun anew.
[[nodiscard]] instance_figures figures_of(instance_scrape const* before, instance_scrape const& now);

/// How these gateways count: "shared" (all in Redis), "local" (at least one by itself), "unknown".
[[nodiscard]] std::string rate_limit_state(std::vector<instance_figures> const& all);

// All instances of two scrapes, as figures.

/// before: of the same instances, or empty.
[[nodiscard]] std::vector<instance_figures> summarize(std::vector<instance_scrape> const& before,
                                                      std::vector<instance_scrape> const& now);
/// Requests a second of all gateways, or of the services where none is watched; nullopt: not known yet.
[[nodiscard]] std::optional<double> total_rate(std::vector<instance_figures> const& all);

} // namespace recruiting::recruitctl::top
