// What is told of a program's threads: how late their loops are, and whether the program is going down.
#pragma once
#include "async/ticker.hpp"
#include "telemetry/metrics.hpp"

#include <algorithm>

namespace recruiting::http {

struct run_metrics {
    run_metrics(metrics::registry& registry, unsigned threads)
        : draining(registry.add_gauge("recruiting_draining", "1 while the program lets its last requests finish.")),
          lag(registry.add_histogram("recruiting_event_loop_lag_seconds",
                                     "How late a thread's loop came to its clock, which ticks every 250 ms.")) {
        registry.add_gauge("recruiting_threads", "Threads that serve, each with connections of its own.").set(threads);
    }

    /// On the thread whose clock it is, which ends before this does.
    void watch(ticker& clock) {
        static_cast<void>(
            clock.subscribe([this, &clock, before = coarse_clock::now()](coarse_clock::time_point now) mutable {
                lag.observe(std::max(coarse_clock::duration::zero(), now - before - clock.interval()));
                before = now;
            }));
    }

    metrics::gauge& draining;
    metrics::histogram& lag;
};

} // namespace recruiting::http
