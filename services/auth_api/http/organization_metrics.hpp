// What each organization costs: its requests, those refused, and PostgreSQL's time for its reads. Every organization is
// counted; the metrics name as many as the operator sets, those that cost most lately. And why keys are refused.
#pragma once
#include "core/error.hpp"
#include "core/ids.hpp"
#include "telemetry/metrics.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace recruiting::auth_api {

struct organization_total {
    std::atomic<std::uint64_t> requests{0};
    std::atomic<std::uint64_t> refused{0};
    std::atomic<std::uint64_t> read_nanoseconds{0};
};

using organization_count = std::atomic<std::uint64_t> organization_total::*;

/// The organizations of a process, as many as have sent a request with a valid key. Any thread. Held by a shared_ptr.
class organization_totals : public std::enable_shared_from_this<organization_totals> {
public:
    /// Stays where it is.
    [[nodiscard]] organization_total& of(uuid const& organization);

    using named_total = std::pair<uuid, organization_total const*>;
    /// Those that cost most, by what they cost within the last hours, which counts for half after each hour: one that
    /// begins to cost much is soon among them, however long the process has run.
    [[nodiscard]] std::vector<named_total> costliest(std::size_t most, std::chrono::steady_clock::time_point now);
    /// Of all organizations together.
    [[nodiscard]] std::uint64_t sum(organization_count count) const;
    /// Once, however often it is called.
    void show_in(metrics::registry& registry, std::size_t most);

private:
    [[nodiscard]] metrics::registry::labelled_values values(organization_count count, double unit, std::size_t most);
    struct entry {
        organization_total total;
        double counted{0}; // of its cost, when they were compared last
        double lately{0};
    };
    mutable std::mutex mutex_;
    std::map<uuid, entry> entries_;
    std::chrono::steady_clock::time_point compared_at_;
    bool shown_{false};
};

/// One per thread, all with the same totals.
class organization_metrics {
public:
    /// most: organizations that the metrics name; 0: they are not even counted apart.
    organization_metrics(metrics::registry& registry, organization_totals& totals, std::size_t most)
        : totals_(totals), most_(most) {
        totals_.show_in(registry, most);
    }

    void count_request(uuid const& organization, unsigned status);
    void count_reads(uuid const& organization, std::chrono::nanoseconds duration);

private:
    [[nodiscard]] organization_total& of(uuid const& organization);

    organization_totals& totals_;
    std::size_t most_;
    std::map<uuid, organization_total*> known_; // spares each request the lock
};

/// Why keys were refused (401 and 403).
class refusal_metrics {
public:
    explicit refusal_metrics(metrics::registry& registry) {
        using enum error_code;
        for (auto const code :
             {missing_credential, invalid_credential, credential_revoked, credential_expired, credential_inactive,
              wrong_environment, insufficient_scope, insufficient_role, organization_mismatch, ip_not_allowed})
            counters_[code] = &registry.add_counter("recruiting_auth_api_auth_failures_total",
                                                    "Requests that were rejected with 401 or 403, by error code.",
                                                    "reason=\"" + std::string(to_string(code)) + "\"");
    }

    /// Other codes are not counted here.
    void count(error_code why) noexcept {
        if (auto const found = counters_.find(why); found != counters_.end()) found->second->add();
    }

private:
    std::map<error_code, metrics::counter*> counters_;
};

} // namespace recruiting::auth_api
