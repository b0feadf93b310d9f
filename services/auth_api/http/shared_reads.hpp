// Runs authenticated statements, fairly. Reads wait in a queue for the turn of their organization (fair_queue, decision
// 0073), one queue for each cost with a connection of its own. Those whose turn it is form a batch, which goes to
// PostgreSQL as one segment: a pipelined transaction that authenticates each key once (read_segment, decision
// 0093). Each key is authorized as it is after the requests arrived, in the transaction that reads. One per thread.
#pragma once
#include "auth_api/http/fair_queue.hpp"
#include "auth_api/http/read_segment.hpp"
#include "auth_api/http/resource.hpp"
#include "core/settings.hpp"
#include "pg/pipeline.hpp"
#include "telemetry/metrics.hpp"

#include <array>
#include <memory>
#include <vector>

namespace recruiting::auth_api {

struct read_queue_settings {
    std::int64_t waiting_reads{256};      // of one organization in a thread: less than a second of PostgreSQL's work
    std::int64_t waiting_costly_reads{8}; // these take up to the statement timeout each
    std::chrono::milliseconds longest_wait{5'000}; // a client that waits for longer has given up or repeats
};

/// The organization has as many reads waiting as it may: answered with 429, `concurrency`.
class too_many_waiting : public std::runtime_error {
public:
    explicit too_many_waiting(std::int64_t limit)
        : std::runtime_error("too many reads of the organization wait"), limit_(limit) {}
    [[nodiscard]] std::int64_t limit() const noexcept { return limit_; }

private:
    std::int64_t limit_;
};

/// A read waited for longer than it may.
class waited_too_long : public outage {
public:
    using outage::outage;
};

class shared_reads {
public:
    /// A connection for each read_cost, in its order; they may be the same one.
    using connections = std::array<pg::pipeline*, 3>;

    shared_reads(asio::io_context& context, ticker& clock, connections const& on, read_queue_settings const& limits,
                 metrics::registry& metrics);
    ~shared_reads();

    /// Throws as pg::pipeline::run: what fails in one caller's statements is not seen by another. Also throws
    /// too_many_waiting and waited_too_long. Without statements it only authenticates, and is not refused for what else
    /// waits.
    [[nodiscard]] task<shared_result> run(auth::credential const& presented, std::vector<pg::statement> statements,
                                          read_cost cost = read_cost::indexed);

private:
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace recruiting::auth_api
