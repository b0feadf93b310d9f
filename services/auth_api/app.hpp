// One thread of auth-api: its connections, its batcher, its server. Read top-down it is the program.
#pragma once
#include "auth_api/settings.hpp"
#include "http/run.hpp"
#include "telemetry/metrics.hpp"
#include "telemetry/span.hpp"

#include <memory>

namespace recruiting::auth_api {

[[nodiscard]] std::unique_ptr<http::thread_part> make_app(asio::io_context& context, ticker& clock, unsigned index,
                                                          settings const& config, metrics::registry& metrics,
                                                          tracing::tracer const& tracer);

} // namespace recruiting::auth_api
