// Finds out whether a credential that was sent to the public API is a key of ours, and writes the audit row key.exposed
// for its organization (proto-docs/keys.md). Publishes the key that public-api seals its reports to; the one that
// opens them is derived from the pepper, so that it is nowhere else. Any number of instances at once.
#pragma once
#include "async/periodic_task.hpp"
#include "pg/pipeline.hpp"
#include "telemetry/metrics.hpp"

#include <string>

namespace recruiting::auth_api {

class exposure : public task_owner {
public:
    /// connection is the workers' own and outlives this.
    exposure(asio::io_context& context, pg::pipeline& connection, std::string pepper,
             std::chrono::milliseconds interval, metrics::registry& metrics);
};

} // namespace recruiting::auth_api
