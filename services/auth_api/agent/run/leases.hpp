// Leases of runs: renews those of a thread's runs, all in one statement, and ends the runs that were lost. The reaper
// marks runs failed whose process has ended.
#pragma once
#include "async/periodic_task.hpp"
#include "async/ticker.hpp"
#include "auth_api/agent/model.hpp"
#include "auth_api/agent/run/run_store.hpp"
#include "core/ids.hpp"
#include "pg/pipeline.hpp"
#include "telemetry/metrics.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace recruiting::auth_api::agent {

/// Which runs this process holds, and until when it may rely on that. Pure. Times are those of the local clock, counted
/// from when a renewal was sent: never later than PostgreSQL's.
class lease_table {
public:
    using time = coarse_clock::time_point;

    void hold(uuid const& run, time until) { held_[run] = until; }
    void release(uuid const& run) { held_.erase(run); }

    [[nodiscard]] bool empty() const noexcept { return held_.empty(); }
    [[nodiscard]] std::vector<uuid> runs() const;
    /// Is its time up, or is it not held at all?
    [[nodiscard]] bool is_over(uuid const& run, time now) const;
    /// A renewal of these was answered. Returns those lost, and lets go of them.
    [[nodiscard]] std::vector<uuid> renew(std::span<uuid const> asked, renewal const& answer, time until);
    /// No answer came for too long. Returns those whose time is up, and lets go of them.
    [[nodiscard]] std::vector<uuid> expire(time now);

private:
    std::map<uuid, time> held_;
};

class lease_keeper {
    struct state;

public:
    /// Every heartbeat renews the leases, for the duration `lease`.
    lease_keeper(asio::io_context& context, pg::pipeline& connection, std::chrono::milliseconds lease,
                 std::chrono::milliseconds heartbeat);
    ~lease_keeper() { stop(); }

    /// The owner of these runs: new with every process and thread.
    [[nodiscard]] uuid const& owner() const noexcept;

    /// Keeps a run's lease as long as it lives.
    class run_lease {
    public:
        /// begun_at: when the statement that began the run was sent.
        run_lease(lease_keeper const& keeper, uuid const& run, coarse_clock::time_point begun_at);
        ~run_lease();
        run_lease(run_lease const&) = delete;
        run_lease& operator=(run_lease const&) = delete;
        /// Requested when it is noticed that the lease is lost, or when the process goes down.
        [[nodiscard]] cancellation& cancel() noexcept { return cancel_; }
        /// Why the run must end: one of failure::; "" while it may go on.
        [[nodiscard]] std::string_view why() const noexcept;

    private:
        friend class lease_keeper;
        void end(std::string_view reason);

        std::shared_ptr<state> keeper_;
        uuid run_;
        cancellation cancel_;
        std::string_view why_;
    };

    /// Ends all that are held now and later: the process goes down.
    void shut_down();
    [[nodiscard]] bool is_down() const noexcept;
    void stop();

private:
    std::shared_ptr<state> state_;
};

/// Fails runs whose lease ran out. Any number of instances may do it. connection outlives the task's owner.
[[nodiscard]] task_owner start_reaper(asio::io_context& context, pg::pipeline& connection,
                                      std::chrono::milliseconds interval, std::chrono::milliseconds lease,
                                      metrics::registry& metrics);

} // namespace recruiting::auth_api::agent
