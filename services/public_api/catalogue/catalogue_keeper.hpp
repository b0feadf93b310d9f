// Keeps the catalogue as PostgreSQL has it: all of it at each (re)connect and every so often, an organization when
// PostgreSQL tells that it has changed. One a process, with a thread and a connection of its own, so that no request
// waits while ten thousand jobs are read.
#pragma once
#include "pg/pipeline.hpp"
#include "public_api/catalogue/catalogue.hpp"
#include "telemetry/metrics.hpp"

#include <chrono>
#include <memory>
#include <string>

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

struct keeper_settings {
    pg::pipeline_settings database;
    std::string public_url;
    std::chrono::milliseconds refresh;
};

class catalogue_keeper {
public:
    /// Begins at once. into and told outlive it.
    catalogue_keeper(keeper_settings settings, shared_catalogue& into, catalogue_metrics& told);
    ~catalogue_keeper();
    catalogue_keeper(catalogue_keeper const&) = delete;
    catalogue_keeper& operator=(catalogue_keeper const&) = delete;

private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace recruiting::public_api
