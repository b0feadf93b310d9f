// Renews the leases of a thread's runs, all in one statement, and ends the runs that were lost.
#pragma once
#include "auth_api/agent/model.hpp"
#include "pg/pipeline.hpp"

#include <chrono>
#include <memory>
#include <string_view>

namespace recruiting::auth_api::agent {

struct lease_settings {
    std::chrono::milliseconds lease;
    std::chrono::milliseconds heartbeat;
};

class lease_keeper {
    struct state;
    struct held_run;

public:
    lease_keeper(asio::io_context& context, pg::pipeline& connection, lease_settings settings);
    ~lease_keeper();

    /// Who these runs belong to: new with every process and thread.
    [[nodiscard]] uuid const& owner() const noexcept;

    /// A run's place here; let go of when it is destroyed.
    class hold {
    public:
        hold(std::shared_ptr<state> keeper, uuid const& run, coarse_clock::time_point begun_at);
        ~hold();
        hold(hold const&) = delete;
        hold& operator=(hold const&) = delete;
        /// Requested when it is noticed that the lease is lost, or when the process goes down.
        [[nodiscard]] cancellation& cancel() const noexcept;
        /// Why; one of failure::, "" while nothing happened.
        [[nodiscard]] std::string_view why() const noexcept;

    private:
        std::shared_ptr<state> keeper_;
        uuid run_;
        std::unique_ptr<held_run> held_;
    };
    /// begun_at: when the statement that began the run was sent.
    [[nodiscard]] std::unique_ptr<hold> take(uuid const& run, coarse_clock::time_point begun_at);

    /// Ends all that are held now and later: the process goes down.
    void shut_down();
    [[nodiscard]] bool is_down() const noexcept;
    void stop();

private:
    std::shared_ptr<state> state_;
};

} // namespace recruiting::auth_api::agent
