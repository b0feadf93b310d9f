// Finds out whether what was sent to the public API is a key of ours, and tells its organization by an audit row,
// key.exposed (specification: Public API, rule 3). Publishes the key that public-api seals its reports to; the one that
// opens them is derived from the pepper, so that it is nowhere else. Any number of instances at once.
#pragma once
#include "pg/pipeline.hpp"
#include "telemetry/metrics.hpp"

#include <chrono>
#include <memory>
#include <string>

namespace recruiting::auth_api {

class exposure {
public:
    /// connection is the workers' own and outlives this.
    exposure(asio::io_context& context, pg::pipeline& connection, std::string pepper,
             std::chrono::milliseconds interval, metrics::registry& metrics);
    ~exposure();
    void stop();

private:
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace recruiting::auth_api
