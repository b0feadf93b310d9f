// What operators see of the catalogue.
#pragma once
#include "telemetry/metrics.hpp"

namespace recruiting::public_api {

struct catalogue_metrics {
    explicit catalogue_metrics(metrics::registry& registry);

    metrics::gauge& organizations;
    metrics::gauge& jobs;
    metrics::gauge& connected;
    metrics::gauge& read_at; // seconds since 1970; its age is how old an answer may be
    metrics::counter& reloads_of_all;
    metrics::counter& reloads_of_changes;
    metrics::counter& failures;
    metrics::histogram& seconds;
};

} // namespace recruiting::public_api
