// Carries a run from its beginning to its end: asks the model, calls tools, stores the messages, holds the lease,
// and ends it in PostgreSQL exactly once. One a thread.
#pragma once
#include "auth_api/agent/agent_settings.hpp"
#include "auth_api/agent/run/leases.hpp"
#include "auth_api/agent/run/run.hpp"
#include "auth_api/agent/toolbox.hpp"
#include "telemetry/metrics.hpp"

namespace recruiting::auth_api::agent {

class runner {
public:
    struct dependencies {
        asio::io_context& context;
        pg::pipeline& connection; // the runs' own
        model& chat_model;
        toolbox& tools;
        agent_settings const& settings;
        metrics::registry& metrics;
    };
    /// All of deps outlive this.
    explicit runner(dependencies deps);

    [[nodiscard]] uuid const& owner() const noexcept { return leases_.owner(); }

    /// One of the runs that this process may have at a time, taken before a run begins; it may outlive the runner.
    class permit {
    public:
        explicit permit(metrics::gauge& in_progress) : in_progress_(in_progress) { in_progress_.add(1); }
        ~permit() { in_progress_.add(-1); }
        permit(permit const&) = delete;
        permit& operator=(permit const&) = delete;

    private:
        metrics::gauge& in_progress_;
    };
    /// Null: no further run may begin, because of the limit or because the process is stopping.
    [[nodiscard]] std::unique_ptr<permit> acquire_permit();

    /// Works on a run that has begun, and returns it as it is stored at its end. begun_at: when the statement that
    /// began it was sent. Throws outage when PostgreSQL stayed away: the run then fails by its lease.
    [[nodiscard]] task<run_record> work(run_context const& run, bool resumed, coarse_clock::time_point begun_at);

    /// The process goes down: runs still going on after `limit` fail.
    void drain(std::chrono::milliseconds limit);
    void stop() { leases_.stop(); }

private:
    class run_work; // on one run

    dependencies deps_;
    lease_keeper leases_;
    metrics::counter& completed_;
    metrics::counter& failed_;
    metrics::gauge& in_progress_;
    metrics::histogram& seconds_;
};

} // namespace recruiting::auth_api::agent
