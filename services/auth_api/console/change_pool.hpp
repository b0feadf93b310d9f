// The threads that run the console's changes, each with a blocking connection of its own. A change is one transaction:
// it begins with auth::authenticate_session, so that its tenant, role and audit row are those of the session at that
// moment.
#pragma once
#include "auth_api/console/change_runner.hpp"
#include "auth_api/console/change_transaction.hpp"

#include <memory>

namespace recruiting::auth_api::console {

[[nodiscard]] change_pool_settings pool_settings_of(settings const& config);

/// Connects when a change first needs it, and again after a failure. Refused with outage: a change for which the
/// database is unavailable, too slow, or asked by too many; nothing was changed then. outcome_unknown: the connection
/// was lost after COMMIT was sent. config outlives it.
class change_pool final : public change_runner {
public:
    change_pool(change_pool_settings how, settings const& config);
    ~change_pool() override;

    [[nodiscard]] task<change_outcome> run(io_executor caller, change_request what) override;
    /// The caller's io_context is about to go: none of its tasks is resumed any more. What runs for them ends, what
    /// waits is not begun. To be called before the io_context goes, on its thread or when that has ended.
    void forget(io_executor const& caller) noexcept;
    /// Refuses what waits and what comes, and returns when the last change has ended: after change_timeout at most.
    void stop() noexcept;

private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace recruiting::auth_api::console
