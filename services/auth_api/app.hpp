// One thread of auth-api: its connections, its batcher, its server. Read top-down it is the program.
#pragma once
#include "auth_api/console/change_pool.hpp"
#include "auth_api/settings.hpp"
#include "http/static_site.hpp"
#include "http/threads.hpp"
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
    // The console's: null where there is none.
    std::shared_ptr<http::static_site const> pages{};
    console::change_pool* changes{nullptr};
};

/// What make_app's parts and the change pool open in all.
[[nodiscard]] http::connection_budget connections_of(settings const& config) noexcept;

/// shared outlives it and has an entry in `connected` for each index.
[[nodiscard]] std::unique_ptr<http::thread_part> make_app(shared_parts& shared, asio::io_context& context,
                                                          ticker& clock, unsigned index);

} // namespace recruiting::auth_api
