// Takes up booking requests and books (proto-docs/booking.md). Rounds at a fixed pace, so that nothing about a request
// shows in when it is taken up. Any number of instances at once; one that dies loses nothing: its leases run out.
#pragma once
#include "async/periodic_task.hpp"
#include "auth_api/background/booking/settings.hpp"
#include "pg/pipeline.hpp"
#include "telemetry/metrics.hpp"
#include "telemetry/span.hpp"

namespace recruiting::auth_api::booking {

class booking_worker : public task_owner {
public:
    /// connection is the worker's own and outlives this.
    booking_worker(asio::io_context& context, pg::pipeline& connection, booking_settings settings,
                   metrics::registry& metrics, tracing::tracer const* tracer = nullptr);
};

} // namespace recruiting::auth_api::booking
