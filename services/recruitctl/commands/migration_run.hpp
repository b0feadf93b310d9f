// Applies single migrations so that the traffic beside them goes on: no lock is waited for longer than a second.
#pragma once
#include "pg/client.hpp"
#include "recruitctl/commands/migration_store.hpp"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace recruiting::recruitctl {

// How a migration's file is run, as its text says. Pure.

/// The first line of a file whose statements run one by one, each in a transaction of its own, because CREATE INDEX
/// CONCURRENTLY can't run in a transaction. Such a file is run again from its beginning after a failure.
inline constexpr std::string_view stepwise_marker = "-- recruitctl: statement by statement";

[[nodiscard]] bool is_stepwise(std::string_view sql) noexcept;
/// The statements of a stepwise file: each ends with a semicolon at the end of a line, and holds no other such
/// semicolon (scripts/checks/migrations refuses dollar quotes in these files).
[[nodiscard]] std::vector<std::string> statements_of(std::string_view sql);
/// Does it only wait for others' transactions, without making anyone wait behind it? True of all that is CONCURRENTLY.
[[nodiscard]] bool is_concurrent(std::string_view statement);
/// Is each row of its result a statement to run? True of all that begins with SELECT format(: a file can't name the
/// partitions that a database has.
[[nodiscard]] bool makes_statements(std::string_view statement) noexcept;
/// Between two attempts: twice as long each time, up to a limit.
[[nodiscard]] std::chrono::milliseconds next_pause(std::chrono::milliseconds pause) noexcept;

/// Reads over a connection of its own which sessions hold the locks that another one waits for: PostgreSQL shows
/// this only while it waits.
class lock_watch {
public:
    /// Watches the backend pid. Without a connection (none is free, the network fails) it reports none.
    lock_watch(std::string url, int pid);
    lock_watch(lock_watch const&) = delete;
    lock_watch& operator=(lock_watch const&) = delete;

    /// "session 1234 (recruiting_auth, recruiting-auth-api bulk, in a transaction since …)" of the sessions seen since
    /// the last call; "another session" when none was seen.
    [[nodiscard]] std::string take_holders();

private:
    void watch(std::stop_token const& stop);
    void poll(std::stop_token const& stop);

    std::string url_;
    int pid_;
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::string holders_;
    std::jthread thread_; // last: it uses all of the above
};

/// What happens while another session holds a lock that a migration needs.
struct lock_waiting {
    std::chrono::milliseconds patience{std::chrono::minutes{10}}; // of each migration; then it fails
    std::string watch_url;                                        // to see who holds the lock; empty: not shown
    std::function<void(std::string const&)> report;               // a sentence at each attempt that failed
};

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
    void run_locking_briefly(std::string const& name, char const* script);
    void run_whole(migration const& pending);
    void run_steps(migration const& pending, deadline until);
    void attempt(std::string const& name, std::function<void(deadline until)> const& work);
    [[nodiscard]] std::string lock_holders();

    pg::client& database_;
    lock_waiting const& waiting_;
    std::optional<lock_watch> watch_;
};

} // namespace recruiting::recruitctl
