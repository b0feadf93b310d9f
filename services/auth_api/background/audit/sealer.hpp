// The sealer: gives new audit rows their sequence and chains them (proto-docs/audit.md). Every auth-api runs one on its
// first thread; an advisory lock elects the one that works, and writing checks again that nobody else did, so that two
// at once can't fork a chain. Killed at any instant it leaves right chains: a round is one statement. Before it seals
// it writes the rows of counted requests.
#pragma once
#include "async/periodic_task.hpp"
#include "pg/pipeline.hpp"
#include "telemetry/metrics.hpp"
#include "telemetry/span.hpp"

#include <cstdint>

namespace recruiting::auth_api {

struct sealer_settings {
    std::chrono::milliseconds interval{1'000}; // between rounds; a full batch is followed by the next at once
    std::int64_t batch{500};                   // rows a round: about a millisecond of the thread
};

class sealer : public task_owner {
public:
    /// connection is the workers' own and outlives this: the election belongs to it.
    sealer(asio::io_context& context, pg::pipeline& connection, sealer_settings settings, metrics::registry& metrics,
           tracing::tracer const* tracer = nullptr);
};

} // namespace recruiting::auth_api
