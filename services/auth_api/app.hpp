// One thread of auth-api: its connections, its batcher, its server. Read top-down it is the program.
#pragma once
#include "auth_api/settings.hpp"
#include "http/run.hpp"
#include "telemetry/metrics.hpp"
#include "telemetry/span.hpp"

#include <atomic>
#include <memory>
#include <vector>

namespace recruiting::auth_api {

/// What the threads of a process share.
struct shared_parts {
    settings const& config;
    metrics::registry& metrics;
    tracing::tracer const& tracer;
    std::vector<std::atomic<bool>> connected; // by thread: it has its connections to PostgreSQL
};

/// shared outlives it and has an entry in `connected` for each index.
[[nodiscard]] std::unique_ptr<http::thread_part> make_app(shared_parts& shared, asio::io_context& context,
                                                          ticker& clock, unsigned index);

} // namespace recruiting::auth_api
