// Carries a run from its beginning to its end: asks the model, calls tools, writes down what was said, holds the lease,
// and ends it in PostgreSQL exactly once. One a thread.
#pragma once
#include "auth_api/agent/agent_settings.hpp"
#include "auth_api/agent/run/lease_keeper.hpp"
#include "auth_api/agent/run/run_record.hpp"
#include "auth_api/agent/toolbox.hpp"
#include "telemetry/metrics.hpp"

namespace recruiting::auth_api::agent {

class runner {
public:
    struct dependencies {
        asio::io_context& context;
        pg::pipeline& connection; // the runs' own
        model& thinker;
        toolbox& tools;
        agent_settings const& settings;
        metrics::registry& metrics;
    };
    /// All of needs outlive this.
    explicit runner(dependencies needs);

    [[nodiscard]] uuid const& owner() const noexcept { return leases_.owner(); }

    /// One of the runs this process may have at a time, from before it begins; it may outlive the runner.
    class place {
    public:
        explicit place(metrics::gauge& going_on);
        ~place();
        place(place const&) = delete;
        place& operator=(place const&) = delete;

    private:
        metrics::gauge* going_on_;
    };
    /// Null: there are as many as may be, or the process goes down.
    [[nodiscard]] std::unique_ptr<place> make_room();

    /// Works on a run that has begun, and returns it as it is stored at its end. begun_at: when the statement that
    /// began it was sent. Throws outage when PostgreSQL stayed away: the run then fails by its lease.
    [[nodiscard]] task<run_record> work(run_context const& run, bool resumed, coarse_clock::time_point begun_at);

    /// The process goes down: runs still going on after `limit` fail.
    void drain(std::chrono::milliseconds limit);
    void stop();

private:
    class run_work; // on one run

    dependencies needs_;
    lease_keeper leases_;
    metrics::counter& completed_;
    metrics::counter& failed_;
    metrics::gauge& going_on_;
    metrics::histogram& seconds_;
};

} // namespace recruiting::auth_api::agent
