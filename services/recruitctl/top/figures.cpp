#include "recruitctl/top/figures.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <unordered_map>

namespace recruiting::recruitctl::top {
namespace {

std::string key_of(scrape::sample const& of) {
    auto key = of.name;
    for (auto const& [name, value] : of.labels) key.append(1, '\0').append(name).append(1, '\0').append(value);
    return key;
}

double bound_of(std::string_view text) {
    return text == "+Inf" ? std::numeric_limits<double>::infinity() : parse_number<double>(text).value_or(0);
}

// What became of a program's metrics between two scrapes.
class change {
public:
    change(instance_scrape const* before, instance_scrape const& now) : now_(now.metrics) {
        if (before == nullptr || !before->up || !now.up) return;
        seconds_ = std::chrono::duration<double>(now.at - before->at).count();
        for (auto const& one : before->metrics.samples) before_.emplace(key_of(one), one.value);
    }

    [[nodiscard]] bool known() const noexcept { return seconds_ > 0; } // there are two scrapes
    [[nodiscard]] double seconds() const noexcept { return seconds_; }
    [[nodiscard]] scrape::exposition const& now() const noexcept { return now_; }

    using choice = std::function<bool(scrape::sample const&)>;
    static bool all(scrape::sample const&) { return true; }

    /// Of counters: how much was added a second, those chosen together. nullopt: no such counter, or only one scrape.
    [[nodiscard]] std::optional<double> rate(std::string_view name, choice const& which = all) const {
        if (!known()) return std::nullopt;
        std::optional<double> sum;
        for (auto const& one : now_.samples)
            if (one.name == name && which(one)) sum = sum.value_or(0) + added(one) / seconds_;
        return sum;
    }
    /// Of gauges: the sum now.
    [[nodiscard]] std::optional<double> value(std::string_view name) const { return scrape::sum_of(now_, name); }
    /// The observations of histograms, those chosen together.
    [[nodiscard]] std::vector<bucket> observed(std::string const& name, choice const& which = all) const {
        if (!known()) return {};
        auto const buckets = name + "_bucket";
        std::map<double, double> sums;
        for (auto const& one : now_.samples)
            if (one.name == buckets && which(one)) sums[bound_of(one.label("le"))] += added(one);
        std::vector<bucket> out;
        for (auto const& [bound, count] : sums) out.push_back({bound, count});
        return out;
    }
    [[nodiscard]] double added(scrape::sample const& now) const {
        auto const found = before_.find(key_of(now));
        if (found == before_.end()) return now.value; // it began between the two
        return now.value < found->second ? now.value : now.value - found->second;
    }

private:
    scrape::exposition const& now_;
    std::unordered_map<std::string, double> before_;
    double seconds_{0};
};

struct names { // of a program's metrics
    std::string requests, duration, rejected, rejections;
};

names names_of(std::string const& program) {
    if (program == "gateway")
        return {"recruiting_gateway_requests_total", "recruiting_gateway_request_duration_seconds",
                "recruiting_gateway_rate_limit_decisions_total", "rejected"};
    if (program == "auth-api")
        return {"recruiting_auth_api_requests_total", "recruiting_auth_api_request_duration_seconds", {}, {}};
    return {"recruiting_public_api_requests_total",
            "recruiting_public_api_request_duration_seconds",
            "recruiting_public_api_limited_requests_total",
            {}};
}

// "2xx", "204": 2; anything else: 0.
std::size_t class_of(std::string_view status) {
    return status.size() == 3 && status[0] >= '1' && status[0] <= '5' ? static_cast<std::size_t>(status[0] - '0') : 0;
}

latency latency_of(std::vector<bucket> const& observed) {
    return {quantile(observed, 0.5), quantile(observed, 0.95), quantile(observed, 0.99)};
}

void add_requests(change const& of, names const& called, instance_figures& out) {
    out.rate = of.rate(called.requests);
    if (!of.known()) return;
    for (auto const& one : of.now().samples) {
        if (one.name != called.requests) continue;
        auto const rate = of.added(one) / of.seconds();
        auto const which = class_of(one.label("status"));
        out.by_class[which] += rate;
        auto const route = one.label("route");
        auto known = std::ranges::find(out.routes, route, &route_figures::route);
        if (known == out.routes.end()) known = out.routes.insert(known, {out.program, std::string(route), 0, 0, {}});
        known->rate += rate;
        if (which == 0 || which == 5) known->errors += rate;
    }
    std::erase_if(out.routes, [](route_figures const& route) { return route.rate <= 0; });
    for (auto& route : out.routes)
        route.p95 = quantile(
            of.observed(called.duration, [&](scrape::sample const& one) { return one.label("route") == route.route; }),
            0.95);
}

void add_upstreams(change const& of, instance_figures& out) {
    auto const find = [&](std::string_view name) -> upstream_figures& {
        auto known = std::ranges::find(out.upstreams, name, &upstream_figures::name);
        if (known == out.upstreams.end()) known = out.upstreams.insert(known, {std::string(name), false, 0, 0});
        return *known;
    };
    for (auto const& one : of.now().samples) {
        if (one.name == "recruiting_gateway_upstream_up") find(one.label("upstream")).up = one.value > 0;
        else if (one.name == "recruiting_gateway_upstream_requests_in_flight")
            find(one.label("upstream")).in_flight += one.value;
        else if (one.name == "recruiting_gateway_upstream_requests_waiting")
            find(one.label("upstream")).waiting += one.value;
    }
}

void add_work(change const& of, instance_figures& out) {
    out.unsealed_age = of.value("recruiting_audit_unsealed_age_seconds");
    out.mail_waiting = of.value("recruiting_mail_waiting");
    out.mail_dead = of.value("recruiting_mail_dead");
    out.mail_oldest = of.value("recruiting_mail_oldest_waiting_age_seconds");
    out.booking_oldest = of.value("recruiting_booking_oldest_request_age_seconds");
    out.booking_dead_lettered = of.value("recruiting_booking_requests_dead_lettered_total");
    out.runs_in_progress = of.value("recruiting_agent_runs_in_progress");
    auto const ended = [&](char const* outcome) {
        auto const rate = of.rate("recruiting_agent_runs_total",
                                  [&](scrape::sample const& one) { return one.label("outcome") == outcome; });
        return rate ? std::optional(*rate * 60) : std::nullopt;
    };
    out.runs_completed = ended("completed");
    out.runs_failed = ended("failed");
}

std::string state_of(instance_scrape const& of) {
    if (!of.up) return "unavailable";
    return of.ready ? "ready" : "not ready";
}

} // namespace

std::optional<double> quantile(std::vector<bucket> const& cumulative, double of) {
    if (cumulative.empty() || cumulative.back().count <= 0) return std::nullopt;
    auto const wanted = of * cumulative.back().count;
    double below = 0;
    double lower = 0;
    for (auto const& one : cumulative) {
        if (one.count < wanted) {
            below = one.count;
            lower = one.bound;
            continue;
        }
        if (std::isinf(one.bound)) return lower;
        if (one.count <= below) return one.bound;
        return lower + (one.bound - lower) * (wanted - below) / (one.count - below);
    }
    return lower;
}

instance_figures figures_of(instance_scrape const* before, instance_scrape const& now) {
    instance_figures out;
    out.program = now.program;
    out.address = now.address;
    out.up = now.up;
    out.ready = now.ready;
    out.state = state_of(now);
    if (!now.up) return out;
    change const of(before, now);
    auto const called = names_of(now.program);
    for (auto const& one : now.metrics.samples)
        if (one.name == "recruiting_build_info") out.version = one.label("version");
    add_requests(of, called, out);
    out.took = latency_of(of.observed(called.duration));
    if (!called.rejected.empty())
        out.rejected = of.rate(called.rejected, [&](scrape::sample const& one) {
            return called.rejections.empty() || one.label("decision") == called.rejections;
        });
    out.local = of.rate("recruiting_gateway_rate_limit_local_total");
    out.cpu = of.rate("process_cpu_seconds_total");
    out.memory = of.value("process_resident_memory_bytes");
    out.connections = of.value("recruiting_gateway_connections");
    out.redis_connections = of.value("recruiting_redis_connections");
    out.postgres_connections = of.value("recruiting_postgres_connections");
    out.redis_p95 = quantile(of.observed("recruiting_gateway_redis_write_duration_seconds"), 0.95);
    add_upstreams(of, out);
    add_work(of, out);
    return out;
}

std::string rate_limit_state(std::vector<instance_figures> const& all) {
    bool known = false;
    for (auto const& one : all) {
        if (one.program != "gateway" || !one.up) continue;
        known = known || one.redis_connections.has_value();
        if (one.local.value_or(0) > 0 || one.redis_connections == 0) return "local";
    }
    return known ? "shared" : "unknown";
}

namespace {

std::optional<double> rate_of(std::vector<instance_figures> const& all, bool gateways) {
    std::optional<double> sum;
    for (auto const& one : all)
        if ((one.program == "gateway") == gateways && one.rate) sum = sum.value_or(0) + *one.rate;
    return sum;
}

} // namespace

std::vector<instance_figures> summarize(std::vector<instance_scrape> const& before,
                                        std::vector<instance_scrape> const& now) {
    std::vector<instance_figures> out;
    for (std::size_t i = 0; i < now.size(); ++i)
        out.push_back(figures_of(i < before.size() ? &before[i] : nullptr, now[i]));
    return out;
}

std::optional<double> total_rate(std::vector<instance_figures> const& all) {
    auto const edge = rate_of(all, true);
    return edge ? edge : rate_of(all, false);
}

} // namespace recruiting::recruitctl::top
