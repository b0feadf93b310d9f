#include "recruitctl/commands/migration_run.hpp"

#include "recruitctl/command.hpp"
#include "recruitctl/commands/migration_script.hpp"
#include "recruitctl/commands/migration_store.hpp"

#include <algorithm>
#include <thread>

namespace recruiting::recruitctl {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds longest_lock_wait{1'000};
constexpr milliseconds first_pause{250};

bool is_about_locks(pg::query_error const& error) {
    return error.sqlstate() == pg::lock_not_available || error.sqlstate() == pg::deadlock_detected;
}

milliseconds left_until(std::chrono::steady_clock::time_point until) {
    return std::max(std::chrono::duration_cast<milliseconds>(until - std::chrono::steady_clock::now()),
                    longest_lock_wait);
}

} // namespace

migration_run::migration_run(pg::client& database, lock_waiting const& waiting)
    : database_(database), waiting_(waiting) {
    if (!waiting_.watch_url.empty()) watch_.emplace(waiting_.watch_url, store::backend_pid(database_));
}

std::string migration_run::lock_holders() { return watch_ ? watch_->take_holders() : "another session"; }

void migration_run::apply(migration const& pending) {
    attempt(pending.name, [&](deadline until) {
        if (is_stepwise(pending.sql)) run_steps(pending, until);
        else run_whole(pending);
    });
}

void migration_run::run_whole(migration const& pending) {
    try {
        pg::transaction transaction(database_);
        store::limit_lock_waits(database_, longest_lock_wait);
        database_.script(pending.sql);
        store::insert_applied(database_, pending);
        transaction.commit();
    } catch (pg::query_error const& error) {
        if (is_about_locks(error)) throw;
        throw failure(pending.name + " failed and was rolled back: " + error.what() + " (SQLSTATE " + error.sqlstate() +
                      ")");
    }
}

// What waits for other transactions while it builds an index makes nobody wait, so it may take all of its time.
void migration_run::run_steps(migration const& pending, deadline until) {
    store::session_lock_timeout timeout(database_);
    try {
        timeout.set(left_until(until));
        store::drop_invalid_indexes(database_, pending.sql);
        for (auto const& statement : statements_of(pending.sql)) {
            timeout.set(is_concurrent(statement) ? left_until(until) : longest_lock_wait);
            database_.script(statement);
        }
        timeout.set(longest_lock_wait);
        store::insert_applied(database_, pending);
    } catch (pg::query_error const& error) {
        if (is_about_locks(error)) throw;
        throw failure(pending.name + " stopped at one of its statements, those before it stay: " + error.what() +
                      " (SQLSTATE " + error.sqlstate() + "). Run recruitctl migrate again to continue");
    }
}

void migration_run::create_table() { run_locking_briefly("the table of migrations", store::create_table); }

// Every heartbeat of every program reads this table: only where it must be is it locked.
void migration_run::give_table_to_owner() {
    if (store::is_table_to_give(database_))
        run_locking_briefly("the owner of the table of migrations", store::give_table_to_owner);
}

void migration_run::ensure_audit_partitions() {
    run_locking_briefly("the audit log's next partition", store::ensure_audit_partitions);
}

void migration_run::run_locking_briefly(std::string const& name, void (*statements)(pg::client&)) {
    attempt(name, [&](deadline) {
        pg::transaction transaction(database_);
        store::limit_lock_waits(database_, longest_lock_wait);
        statements(database_);
        transaction.commit();
    });
}

void migration_run::attempt(std::string const& name, std::function<void(deadline until)> const& work) {
    auto const until = std::chrono::steady_clock::now() + waiting_.patience;
    for (auto pause = first_pause;; pause = next_pause(pause)) {
        try {
            return work(until);
        } catch (pg::query_error const& error) {
            if (!is_about_locks(error)) throw;
        }
        auto const held = " needs a lock that is held by " + lock_holders();
        if (std::chrono::steady_clock::now() + pause >= until)
            throw failure(name + held + ", and did not get it within " + format_duration(waiting_.patience));
        if (waiting_.report) waiting_.report(name + held + "; it tries again in " + format_duration(pause));
        std::this_thread::sleep_for(pause);
    }
}

} // namespace recruiting::recruitctl
