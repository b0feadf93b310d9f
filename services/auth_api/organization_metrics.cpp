#include "auth_api/organization_metrics.hpp"

namespace recruiting::auth_api {

std::string organization_labels::label_of(uuid const& organization, std::size_t most) {
    std::lock_guard const lock(mutex_);
    if (labelled_.size() < most) labelled_.insert(organization);
    return labelled_.contains(organization) ? to_string(organization) : "other";
}

organization_metrics::counters organization_metrics::made_for(std::string const& organization) {
    auto const label = "organization=\"" + organization + '"';
    return {&registry_.add_counter("recruiting_auth_api_organization_requests_total",
                                   "Requests with a key of the organization.", label),
            &registry_.add_counter("recruiting_auth_api_organization_requests_refused_total",
                                   "Those answered with 401, 403 or 429.", label),
            &registry_.add_histogram("recruiting_auth_api_organization_read_seconds",
                                     "PostgreSQL's time for the organization's reads: the sum is what they cost.",
                                     label, {})};
}

organization_metrics::counters const& organization_metrics::of(uuid const& organization) {
    if (most_ == 0) return others_;
    auto const known = known_.find(organization);
    if (known != known_.end()) return known->second;
    return known_.emplace(organization, made_for(labels_.label_of(organization, most_))).first->second;
}

void organization_metrics::count_request(uuid const& organization, unsigned status) {
    auto const& counted = of(organization);
    counted.requests->add();
    if (status == 401 || status == 403 || status == 429) counted.refused->add();
}

void organization_metrics::count_reads(uuid const& organization, std::chrono::nanoseconds duration) {
    of(organization).reads->observe(duration);
}

} // namespace recruiting::auth_api
