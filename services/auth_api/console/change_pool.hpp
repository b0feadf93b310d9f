// The threads that run the console's changes, each change on a blocking connection of its own. A change is one
// transaction: it begins with auth::authenticate_session, so that its tenant, role and audit row are those of the
// session at that moment. One pool per process; dispatchers of all threads call it.
#pragma once
#include "async/task.hpp"
#include "auth_api/console/change_transaction.hpp"
#include "auth_api/http/fair_queue.hpp"

#include <boost/asio/thread_pool.hpp>
#include <mutex>
#include <set>
#include <vector>

namespace recruiting::auth_api::console {

[[nodiscard]] change_pool_settings pool_settings_of(settings const& config);

/// Connects when a change first needs it, and again after a failure. config outlives it.
class change_pool {
public:
    change_pool(change_pool_settings how, settings const& config);
    ~change_pool() { stop(); }
    change_pool(change_pool const&) = delete;
    change_pool& operator=(change_pool const&) = delete;

    /// A session without an organization, or in another one than the request names, is refused before the function is
    /// called (organization_not_chosen, organization_mismatch). outcome_unknown: the connection was lost after COMMIT
    /// was sent. Throws outage, and has changed nothing, when PostgreSQL is unavailable or too slow, or too many
    /// changes wait. The task is resumed on the caller's executor, which lives until then or until stop().
    [[nodiscard]] task<change_outcome> run(io_executor caller, change_request what);
    /// Refuses what waits and what comes, and returns when the last change has ended: after change_timeout at most.
    void stop();

private:
    // What a task is resumed with. An outage is thrown on the task's own thread: exceptions do not cross threads.
    struct done_change {
        change_outcome outcome;
        std::string outage; // why nothing was changed, or ""
    };
    struct waiting_change {
        change_request what;
        completion<done_change> resume;
        std::chrono::steady_clock::time_point since;
    };

    void add(change_request what, completion<done_change> resume);
    void start_next();
    void carry_out(waiting_change next);
    [[nodiscard]] done_change perform(change_connection& on, waiting_change const& next) const;

    change_pool_settings const how_;
    std::mutex mutex_; // of all below but the threads
    fair_queue<waiting_change> queue_;
    std::multiset<uuid> members_; // of each change that waits or runs
    std::vector<change_connection> idle_;
    bool stopping_{false};
    asio::thread_pool threads_;
};

} // namespace recruiting::auth_api::console
