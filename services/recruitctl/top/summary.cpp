#include "recruitctl/top/summary.hpp"

#include <algorithm>
#include <cmath>

namespace recruiting::recruitctl::top {
namespace {

boost::json::value json(std::optional<double> value) {
    if (!value || !std::isfinite(*value)) return nullptr;
    return *value;
}

boost::json::array json(std::vector<route_figures> const& routes) {
    boost::json::array out;
    for (auto const& one : routes)
        out.push_back({{"route", one.route},
                       {"requestsPerSecond", one.rate},
                       {"errorsPerSecond", one.errors},
                       {"p95Seconds", json(one.p95)}});
    return out;
}

boost::json::array json(std::vector<upstream_figures> const& upstreams) {
    boost::json::array out;
    for (auto const& one : upstreams)
        out.push_back({{"name", one.name}, {"up", one.up}, {"inFlight", one.in_flight}, {"waiting", one.waiting}});
    return out;
}

boost::json::object by_class(instance_figures const& of) {
    boost::json::object out;
    for (std::size_t i = 0; i < of.by_class.size(); ++i)
        out.emplace(i == 0 ? std::string("none") : std::to_string(i) + "xx",
                    of.rate ? boost::json::value(of.by_class[i]) : nullptr);
    return out;
}

boost::json::object json(instance_figures const& of) {
    return {{"program", of.program},
            {"address", of.address},
            {"state", of.state},
            {"version", of.version.empty() ? boost::json::value(nullptr) : boost::json::value(of.version)},
            {"requestsPerSecond", json(of.rate)},
            {"requestsPerSecondByClass", by_class(of)},
            {"p50Seconds", json(of.took.p50)},
            {"p95Seconds", json(of.took.p95)},
            {"p99Seconds", json(of.took.p99)},
            {"cpu", json(of.cpu)},
            {"memoryBytes", json(of.memory)},
            {"refusedPerSecond", json(of.refused)},
            {"countedAlonePerSecond", json(of.alone)},
            {"connections", json(of.connections)},
            {"redisConnections", json(of.redis_connections)},
            {"postgresConnections", json(of.postgres_connections)},
            {"auditLagSeconds", json(of.unsealed_age)},
            {"sealerElected", json(of.sealer_elected)},
            {"mailWaiting", json(of.mail_waiting)},
            {"mailDead", json(of.mail_dead)},
            {"mailOldestSeconds", json(of.mail_oldest)},
            {"bookingOldestSeconds", json(of.booking_oldest)},
            {"bookingSetAside", json(of.booking_set_aside)},
            {"agentRunsInProgress", json(of.runs_in_progress)},
            {"agentRunsCompletedPerMinute", json(of.runs_completed)},
            {"agentRunsFailedPerMinute", json(of.runs_failed)},
            {"upstreams", json(of.upstreams)},
            {"routes", json(of.routes)}};
}

std::optional<double> rate_of(std::vector<instance_figures> const& all, bool gateways) {
    std::optional<double> sum;
    for (auto const& one : all)
        if ((one.program == "gateway") == gateways && one.rate) sum = sum.value_or(0) + *one.rate;
    return sum;
}

} // namespace

std::vector<instance_figures> summarize(std::vector<reading> const& before, std::vector<reading> const& now) {
    std::vector<instance_figures> out;
    for (std::size_t i = 0; i < now.size(); ++i)
        out.push_back(figures_of(i < before.size() ? &before[i] : nullptr, now[i]));
    return out;
}

std::optional<double> total_rate(std::vector<instance_figures> const& all) {
    auto const edge = rate_of(all, true);
    return edge ? edge : rate_of(all, false);
}

boost::json::object to_json(std::vector<instance_figures> const& all) {
    boost::json::array instances;
    for (auto const& one : all) instances.push_back(json(one));
    return {{"ceiling", ceiling_state(all)},
            {"requestsPerSecond", json(total_rate(all))},
            {"instances", std::move(instances)}};
}

} // namespace recruiting::recruitctl::top
