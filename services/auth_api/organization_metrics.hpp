// What each organization costs: its requests, those refused, and PostgreSQL's time for its reads. As many organizations
// are named as the operator sets, the first that come; all others are counted together as "other". One per thread.
#pragma once
#include "core/ids.hpp"
#include "telemetry/metrics.hpp"

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <string>

namespace recruiting::auth_api {

/// Which organizations of a process have values of their own: the first that come. Any thread.
class organization_labels {
public:
    /// The organization's identifier, or "other".
    [[nodiscard]] std::string label_of(uuid const& organization, std::size_t most);

private:
    std::mutex mutex_;
    std::set<uuid> labelled_;
};

class organization_metrics {
public:
    /// most: organizations with values of their own.
    organization_metrics(metrics::registry& registry, organization_labels& labels, std::size_t most)
        : registry_(registry), labels_(labels), most_(most), others_(made_for(other)) {}

    void count_request(uuid const& organization, unsigned status);
    void count_reads(uuid const& organization, std::chrono::nanoseconds duration);

private:
    struct counters {
        metrics::counter* requests;
        metrics::counter* refused;
        metrics::histogram* reads;
    };
    static constexpr char const* other = "other";
    [[nodiscard]] counters made_for(std::string const& label);
    [[nodiscard]] counters const& of(uuid const& organization);

    metrics::registry& registry_;
    organization_labels& labels_;
    std::size_t most_;
    counters others_;
    std::map<uuid, counters> known_;
};

} // namespace recruiting::auth_api
