// Group commit: the rows of all requests that wait are written with one INSERT, and the requests are woken when it is
// committed. While one batch commits, the next gathers (measured: a tenth of the CPU of a commit a request).
#pragma once
#include "async/task.hpp"
#include "audit/event.hpp"
#include "pg/pipeline.hpp"
#include "telemetry/metrics.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

namespace recruiting::audit {

struct batcher_limits {
    std::size_t in_batch{256};
    std::size_t waiting{8192};
    std::int64_t refused_rows{60}; // a minute and key whose credential is refused; the rest is counted
};

class batcher {
public:
    /// connection is this batcher's own, so that an answer never waits behind reads.
    batcher(asio::io_context& context, pg::pipeline& connection, metrics::registry& metrics,
            batcher_limits limits = {});
    ~batcher();

    /// Returns when the row, or its count, is durable. Throws outage when it is not: the request must then not be
    /// answered.
    [[nodiscard]] task<bool> write(event row);

private:
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace recruiting::audit
