// Applies single migrations so that the traffic beside them goes on: no lock is waited for longer than a second.
#pragma once
#include "pg/client.hpp"
#include "recruitctl/commands/lock_watch.hpp"
#include "recruitctl/commands/migration.hpp"

#include <functional>
#include <optional>

namespace recruiting::recruitctl {

class migration_run {
public:
    migration_run(pg::client& database, lock_waiting const& waiting);

    /// Throws failure. A migration in a transaction then leaves no trace, and the next run begins with it; a stepwise
    /// one keeps the statements that succeeded.
    void apply(migration const& pending);
    void create_table();
    void give_table_to_owner();
    void ensure_audit_partitions();

private:
    using deadline = std::chrono::steady_clock::time_point;
    void run_locking_briefly(std::string const& name, void (*statements)(pg::client&));
    void run_whole(migration const& pending);
    void run_steps(migration const& pending, deadline until);
    void attempt(std::string const& name, std::function<void(deadline until)> const& work);
    [[nodiscard]] std::string lock_holders();

    pg::client& database_;
    lock_waiting const& waiting_;
    std::optional<lock_watch> watch_;
};

} // namespace recruiting::recruitctl
