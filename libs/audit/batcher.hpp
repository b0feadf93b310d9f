// Group commit: the rows of all requests that wait are written with one INSERT, and the requests are woken when it is
// committed. While one batch commits, the next gathers (measured: a tenth of the CPU of one commit per request).
#pragma once
#include "async/task.hpp"
#include "audit/event_store.hpp"
#include "pg/pipeline.hpp"
#include "telemetry/metrics.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace recruiting::audit {

// Which counter counts a request of a refused key (audit_refusals): the one that all instances share, until that one
// reports that the minute of the key is full, and from then on the batcher's own. Pure; one per batcher.
class refusal_counters {
public:
    explicit refusal_counters(uuid own) : own_(own) {}

    /// One counter an event, in the events' order.
    [[nodiscard]] std::vector<uuid> counters_of(std::span<event const> events) const;
    /// written: the ids of the events that got a row of their own; the others' minutes are full.
    void note(std::span<event const> events, std::span<uuid const> written);

private:
    uuid own_;
    std::map<uuid, timestamp> full_; // by key: the start of its latest full minute
};

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
