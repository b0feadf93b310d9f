// What the gateway limits, its settings and its metrics. Requests are counted by libs/rate_limit.
#pragma once
#include "gateway/client_address.hpp"
#include "gateway/decision.hpp"
#include "gateway/route_table.hpp"
#include "rate_limit/limiter.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace recruiting::gateway {

inline constexpr std::array<std::string_view, rate_policy_count> policy_names{"api", "public", "console"};

struct limiter_settings {
    std::array<std::int64_t, service_count> limits{600, 600}; // of one client in a window, by service
    std::int64_t window_seconds{60};
    std::int64_t total{6'000};   // a minute
    std::string mode{"enforce"}; // or shadow: only counted; or off
    std::int64_t ipv6_bits{64};
    redis::address redis;
    std::chrono::milliseconds response_limit{50}; // for Redis, from a request's joining on

    [[nodiscard]] bool counts() const noexcept { return mode != "off"; }
    [[nodiscard]] bool shadow() const noexcept { return mode == "shadow"; }
    /// The console has the limit of the API, and a count of its own.
    [[nodiscard]] std::int64_t limit_of(rate_policy which) const noexcept {
        return limits[which == rate_policy::public_api ? 1 : 0];
    }
    /// Requests of a client per minute in all: never fewer than the policies let pass.
    [[nodiscard]] std::int64_t total_limit() const noexcept {
        auto const of_window = 2 * limits[0] + limits[1];
        return std::max(total, of_window * std::max<std::int64_t>(60 / window_seconds, 1));
    }
    [[nodiscard]] rate_limit::options options() const {
        rate_limit::options out;
        for (std::size_t i = 0; i < rate_policy_count; ++i)
            out.policies.push_back({policy_names[i], limit_of(static_cast<rate_policy>(i)), window_seconds});
        out.redis = redis;
        out.key_prefix = "rl:";
        out.append_client = [bits = ipv6_bits](std::string& name, rate_limit::client_key const& client) {
            append_count_name(name, {client}, bits);
        };
        out.response_limit = response_limit;
        return out;
    }
};

/// Decisions of one limit.
struct rejection_counters {
    metrics::registry& registry;
    std::string_view limit;
    [[nodiscard]] metrics::counter& add(std::string_view decision) const {
        std::string labels = "policy=\"";
        labels.append(limit).append("\",decision=\"").append(decision).append("\"");
        return registry.add_counter("recruiting_gateway_rate_limit_decisions_total", "Rate limit decisions.",
                                    std::move(labels));
    }
    metrics::counter& rejected = add("rejected");
    metrics::counter& shadow_rejected = add("shadow_rejected");
    void count(decision const& over) const noexcept { (over.shadow ? shadow_rejected : rejected).add(); }
};
struct policy_counters : rejection_counters {
    metrics::counter& allowed = add("allowed");
    void count(decision const& made) const noexcept {
        if (made.over) rejection_counters::count(made);
        else allowed.add();
    }
};

struct limiter_metrics {
    metrics::registry& registry;
    std::array<policy_counters, rate_policy_count> by_policy{
        {{{registry, policy_names[0]}}, {{registry, policy_names[1]}}, {{registry, policy_names[2]}}}};
    rejection_counters total{registry, total_limit_name};
    metrics::gauge& enforced =
        registry.add_gauge("recruiting_gateway_rate_limit_enforced",
                           "1: requests over the rate limit are rejected; 0: shadow mode, or no rate limit.");
};

} // namespace recruiting::gateway
