// The threads that run the console's changes, each change on a blocking connection of its own. A change is one
// transaction: it begins with auth::authenticate, so that its tenant, role and audit row are those of the
// session at that moment. One pool per process; dispatchers of all threads call it.
#pragma once
#include "async/task.hpp"
#include "auth/authenticate_store.hpp"
#include "auth_api/console/endpoints.hpp"
#include "auth_api/http/fair_queue.hpp"
#include "auth_api/routes.hpp"
#include "crypto/digest.hpp"
#include "pg/client.hpp"

#include <boost/asio/thread_pool.hpp>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace recruiting::auth_api::console {

struct change_request {
    change_function function{nullptr};
    auth::credential session{digest{}, auth::principal_kind::member};
    uuid organization_id; // as read a moment ago: they decide whose turn it is, and nothing else
    uuid member_id;
    auth::request_facts facts; // service_organization is not set: its id is organization
    http::path_params path;
    std::string query; // still percent-encoded
    std::string body;
    std::string request_id;
};

struct change_outcome {
    std::shared_ptr<auth::principal const> principal; // null: no session that lives has that cookie
    std::optional<api_error> error{};                 // nothing was changed
    http::response answer{};                          // when there is no error: the change is committed
    std::string outage{}; // why nothing was changed, though the change may be sent again; "": no outage
};
[[nodiscard]] inline change_outcome unavailable(std::string why) { return {.principal{}, .outage = std::move(why)}; }

struct change_pool_settings {
    std::string database_url;
    unsigned connections{2};
    std::size_t most_waiting{512}; // of all organizations, beyond the changes that run
    std::size_t most_waiting_of_organization{32};
    std::size_t most_of_member{8};                 // waiting or running
    std::chrono::milliseconds longest_wait{5'000}; // for a free connection
    std::chrono::milliseconds statement_timeout{4'000};
    std::chrono::milliseconds lock_timeout{2'000};
    std::chrono::milliseconds change_timeout{10'000}; // of the transaction as a whole, as seen from here
};

[[nodiscard]] change_pool_settings pool_settings_of(settings const& config);

/// A connection of the pool, made when a change first needs it, and again after a failure. Not thread-safe.
class change_connection {
public:
    change_connection(change_pool_settings const& how, settings const& config) : how_(how), config_(config) {}

    /// Opens the transaction, authenticates, calls the function and commits.
    [[nodiscard]] change_outcome perform(change_request const& what);

private:
    // How far a change has come, for what its failure means.
    struct progress {
        std::shared_ptr<auth::principal const> member; // once the session is known
        bool committing{false};
    };
    [[nodiscard]] change_outcome execute(change_request const& what, progress& made);
    /// Opens the transaction and presents the session in it. Returns the rows of auth::read_principal.
    [[nodiscard]] pg::rows begin(std::optional<pg::transaction>& transaction, auth::credential const& session);

    change_pool_settings const& how_;
    settings const& config_;
    std::optional<pg::client> client_;
};

/// config outlives it.
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
    struct waiting_change {
        change_request what;
        completion<change_outcome> resume;
        std::chrono::steady_clock::time_point since;
    };

    void add(change_request what, completion<change_outcome> resume);
    void start_next();
    void carry_out(waiting_change next);

    change_pool_settings const how_;
    std::mutex mutex_; // of all below but the threads
    fair_queue<waiting_change> queue_;
    std::multiset<uuid> members_; // of each change that waits or runs
    std::vector<change_connection> idle_;
    bool stopping_{false};
    asio::thread_pool threads_;
};

} // namespace recruiting::auth_api::console
