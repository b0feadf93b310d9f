#include "auth_api/http/organization_metrics.hpp"

#include <algorithm>
#include <cmath>

namespace recruiting::auth_api {
namespace {

// In seconds.
constexpr double nanosecond = 1e-9;
constexpr double half_life = 3600;
constexpr double of_request = 1e-4; // what a request costs beyond its reads, roughly: many refused ones read nothing

double cost_of(organization_total const& of) {
    return static_cast<double>(of.read_nanoseconds) * nanosecond + static_cast<double>(of.requests) * of_request;
}

} // namespace

organization_total& organization_totals::of(uuid const& organization) {
    std::lock_guard const lock(mutex_);
    return entries_[organization].total;
}

std::vector<organization_totals::named_total>
organization_totals::costliest(std::size_t most, std::chrono::steady_clock::time_point now) {
    std::lock_guard const lock(mutex_);
    auto const kept = std::exp2(-std::chrono::duration<double>(now - compared_at_).count() / half_life);
    compared_at_ = now;
    std::vector<std::pair<double, named_total>> ranked;
    for (auto& [organization, at] : entries_) {
        auto const cost = cost_of(at.total);
        at.lately = at.lately * kept + cost - at.counted;
        at.counted = cost;
        ranked.push_back({at.lately, {organization, &at.total}});
    }
    auto const end = ranked.begin() + static_cast<std::ptrdiff_t>(std::min(most, ranked.size()));
    std::ranges::partial_sort(ranked, end, std::ranges::greater{}, [](auto const& one) { return one.first; });
    std::vector<named_total> out;
    for (auto one = ranked.begin(); one != end; ++one) out.push_back(one->second);
    return out;
}

std::uint64_t organization_totals::sum(organization_count count) const {
    std::lock_guard const lock(mutex_);
    std::uint64_t out = 0;
    for (auto const& [organization, at] : entries_) out += at.total.*count;
    return out;
}

metrics::registry::labelled_values organization_totals::values(organization_count count, double unit,
                                                               std::size_t most) {
    auto const add = [&](metrics::registry::labelled_values& to, std::string const& organization, std::uint64_t value) {
        to.emplace_back("organization=\"" + organization + '"', static_cast<double>(value) * unit);
    };
    metrics::registry::labelled_values out;
    add(out, "all", sum(count));
    for (auto const& [organization, total] : costliest(most, std::chrono::steady_clock::now()))
        add(out, to_string(organization), total->*count);
    return out;
}

void organization_totals::show_in(metrics::registry& registry, std::size_t most) {
    {
        std::lock_guard const lock(mutex_);
        if (std::exchange(shown_, true)) return;
    }
    auto const show = [&](char const* name, char const* help, organization_count count, double unit) {
        registry.add_readings(name, help, "counter", [self = shared_from_this(), count, unit, most] {
            return self->values(count, unit, most);
        });
    };
    show("recruiting_auth_api_organization_requests_total", "Requests with a key of the organization.",
         &organization_total::requests, 1);
    show("recruiting_auth_api_organization_requests_rejected_total",
         "Requests that were answered with 401, 403 or 429.", &organization_total::refused, 1);
    show("recruiting_auth_api_organization_read_seconds_total",
         "PostgreSQL's time for the organization's reads: what they cost.", &organization_total::read_nanoseconds,
         nanosecond);
}

organization_total& organization_metrics::of(uuid const& organization) {
    auto const counted = most_ == 0 ? uuid{} : organization;
    auto const known = known_.find(counted);
    if (known != known_.end()) return *known->second;
    return *known_.emplace(counted, &totals_.of(counted)).first->second;
}

void organization_metrics::count_request(uuid const& organization, unsigned status) {
    auto& counted = of(organization);
    counted.requests.fetch_add(1, std::memory_order_relaxed);
    if (status == 401 || status == 403 || status == 429) counted.refused.fetch_add(1, std::memory_order_relaxed);
}

void organization_metrics::count_reads(uuid const& organization, std::chrono::nanoseconds duration) {
    of(organization)
        .read_nanoseconds.fetch_add(static_cast<std::uint64_t>(duration.count()), std::memory_order_relaxed);
}

} // namespace recruiting::auth_api
