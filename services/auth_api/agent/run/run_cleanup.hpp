// Maintains runs and sessions that no process works on: runs whose lease ran out are marked failed, and sessions past
// their retention are deleted. Any number of instances may run both.
#pragma once
#include "async/periodic_task.hpp"
#include "pg/pipeline.hpp"
#include "telemetry/metrics.hpp"

namespace recruiting::auth_api {

class reaper : public task_owner {
public:
    /// connection is shared by background tasks and outlives this.
    reaper(asio::io_context& context, pg::pipeline& connection, std::chrono::milliseconds interval,
           std::chrono::milliseconds lease, metrics::registry& metrics);
};

/// Deletes in batches, at start and every hour. PostgreSQL does the work (a function of its own rights).
class agent_retention : public task_owner {
public:
    /// connection is shared by background tasks and outlives this. Retention is at least a day: PostgreSQL refuses
    /// less.
    agent_retention(asio::io_context& context, pg::pipeline& connection, std::chrono::milliseconds retention);
};

} // namespace recruiting::auth_api
