// From two scrapes of a program to what people want to know of it: rates, quantiles, states. Pure.
#pragma once
#include "recruitctl/scrape/exposition.hpp"

#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace recruiting::recruitctl::top {

// What one instance of a program said at one time, and quantiles of what it observed.

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
    std::optional<double> refused;     // 429s a second
    std::optional<double> alone;       // requests a second that were counted without Redis
    std::optional<double> connections, redis_connections, postgres_connections;
    std::optional<double> redis_p95;
    std::optional<double> unsealed_age, sealer_elected;
    std::optional<double> mail_waiting, mail_dead, mail_oldest;
    std::optional<double> booking_oldest, booking_set_aside;
    std::optional<double> runs_in_progress, runs_completed, runs_failed; // the latter two a minute
    std::vector<upstream_figures> upstreams;
    std::vector<route_figures> routes;
};

/// before: the same instance's former reading; nullptr: there is none yet. A counter that went back was begun anew.
[[nodiscard]] instance_figures figures_of(reading const* before, reading const& now);

/// Do these instances of the gateway count exactly? "exact", "counting alone", "not known".
[[nodiscard]] std::string ceiling_state(std::vector<instance_figures> const& all);

// What became of a program's metrics between two scrapes. Pure; for figures alone.

class change {
public:
    change(reading const* before, reading const& now);

    [[nodiscard]] bool known() const noexcept { return seconds_ > 0; } // there are two scrapes
    [[nodiscard]] double seconds() const noexcept { return seconds_; }

    using choice = std::function<bool(scrape::sample const&)>;
    static bool all(scrape::sample const&) { return true; }

    /// Of counters: how much was added a second, those chosen together. nullopt: no such counter, or only one scrape.
    [[nodiscard]] std::optional<double> rate(std::string_view name, choice const& which = all) const;
    /// Of gauges: the sum now.
    [[nodiscard]] std::optional<double> value(std::string_view name) const;
    /// The observations of histograms, those chosen together.
    [[nodiscard]] std::vector<bucket> observed(std::string const& name, choice const& which = all) const;
    [[nodiscard]] double added(scrape::sample const& now) const;
    [[nodiscard]] scrape::exposition const& now() const noexcept { return now_; }

private:
    scrape::exposition const& now_;
    std::unordered_map<std::string, double> before_;
    double seconds_{0};
};

} // namespace recruiting::recruitctl::top
