// Marks runs failed whose lease ran out, because the process that worked on them has ended. Any number of instances may
// run it.
#pragma once
#include "async/periodic_task.hpp"
#include "pg/pipeline.hpp"
#include "telemetry/metrics.hpp"

namespace recruiting::auth_api {

/// connection outlives the task's owner.
[[nodiscard]] task_owner start_reaper(asio::io_context& context, pg::pipeline& connection,
                                      std::chrono::milliseconds interval, std::chrono::milliseconds lease,
                                      metrics::registry& metrics);

} // namespace recruiting::auth_api
