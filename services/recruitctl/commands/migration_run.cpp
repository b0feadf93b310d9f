#include "recruitctl/commands/migration_run.hpp"

#include "core/text.hpp"
#include "recruitctl/command.hpp"
#include "recruitctl/commands/address_forms.hpp"

#include <algorithm>
#include <utility>

namespace recruiting::recruitctl {
namespace {

constexpr std::chrono::milliseconds longest_pause{10'000};

} // namespace

bool is_stepwise(std::string_view sql) noexcept { return trim(sql.substr(0, sql.find('\n'))) == stepwise_marker; }

std::vector<std::string> statements_of(std::string_view sql) {
    std::vector<std::string> statements;
    std::string open;
    for (auto const line : split(sql, '\n')) {
        auto const text = trim(line);
        if (text.empty() || text.starts_with("--")) continue;
        open.append(open.empty() ? "" : "\n").append(text);
        if (text.ends_with(';')) statements.push_back(std::exchange(open, {}));
    }
    if (!open.empty()) statements.push_back(std::move(open));
    return statements;
}

bool is_concurrent(std::string_view statement) {
    return to_lower(statement).find(" concurrently ") != std::string::npos;
}

bool makes_statements(std::string_view statement) noexcept { return statement.starts_with("SELECT format("); }

std::chrono::milliseconds next_pause(std::chrono::milliseconds pause) noexcept {
    return std::min(pause * 2, longest_pause);
}

namespace {

constexpr std::chrono::milliseconds poll_interval{100};

// A session that holds a lock for which a migration waits.
struct lock_holder {
    int pid{0};
    std::string role; // or what kind of a process it is, such as "autovacuum worker"
    std::string application;
    std::optional<timestamp> transaction_since; // where PostgreSQL shows it to the migration's role
};

constexpr std::string_view select_holders = R"(
    SELECT pid, coalesce(usename::text, backend_type, ''), coalesce(application_name, ''), xact_start
    FROM pg_stat_activity WHERE pid = ANY (pg_blocking_pids($1)) ORDER BY xact_start NULLS LAST, pid)";
struct holder_columns {
    enum : int { pid, user, application_name, transaction_start };
};

// Those for whose locks the backend pid waits at this moment.
std::vector<lock_holder> select_lock_holders(pg::client& database, int pid) {
    auto const found = database.run(select_holders, pg::params{}.integer(pid));
    std::vector<lock_holder> holders;
    for (int row = 0; row < found.size(); ++row)
        holders.push_back({static_cast<int>(found.integer(row, holder_columns::pid)),
                           std::string(found.text(row, holder_columns::user)),
                           std::string(found.text(row, holder_columns::application_name)),
                           found.optional_time(row, holder_columns::transaction_start)});
    return holders;
}

std::string described(lock_holder const& holder) {
    auto text = "session " + std::to_string(holder.pid) + " (" + holder.role;
    if (!holder.application.empty()) text += ", " + holder.application;
    if (holder.transaction_since) text += ", in a transaction since " + format_time(*holder.transaction_since);
    return text + ")";
}

} // namespace

lock_watch::lock_watch(std::string url, int pid)
    : url_(std::move(url)), pid_(pid), thread_([this](std::stop_token const& stop) { watch(stop); }) {}

std::string lock_watch::take_holders() {
    std::lock_guard const lock(mutex_);
    auto seen = std::exchange(holders_, {});
    return seen.empty() ? "another session" : seen;
}

void lock_watch::watch(std::stop_token const& stop) {
    try {
        poll(stop);
    } catch (std::exception const&) { // the migration goes on without knowing for whom it waits
    }
}

void lock_watch::poll(std::stop_token const& stop) {
    pg::client database(url_, "recruitctl migrate, watching locks");
    while (!stop.stop_requested()) {
        std::string holders;
        for (auto const& holder : select_lock_holders(database, pid_))
            holders += (holders.empty() ? "" : " and ") + described(holder);
        std::unique_lock lock(mutex_);
        if (!holders.empty()) holders_ = std::move(holders);
        wake_.wait_for(lock, stop, poll_interval, [] { return false; });
    }
}

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

// Before the first migration, which can't record itself otherwise.
constexpr char const* create_table_script = R"(
CREATE SCHEMA IF NOT EXISTS recruiting;
CREATE TABLE IF NOT EXISTS recruiting.schema_migrations (
    number integer PRIMARY KEY CHECK (number > 0),
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
))";

// The first run may be a superuser's, the next one the owner role's. The role exists since the first migration. ALTER
// waits for every reader, and makes all others wait, even where nothing changes.
constexpr std::string_view table_is_to_give = R"(
    SELECT EXISTS (SELECT FROM pg_class c WHERE c.oid = to_regclass('recruiting.schema_migrations')
                      AND pg_get_userbyid(c.relowner) <> 'recruiting_owner' AND pg_has_role(c.relowner, 'USAGE')))";
struct table_owner_columns {
    enum : int { is_another };
};
constexpr char const* give_table_script = "ALTER TABLE recruiting.schema_migrations OWNER TO recruiting_owner";

constexpr std::string_view insert_applied_row =
    "INSERT INTO recruiting.schema_migrations (number, name, checksum) VALUES ($1, $2, $3)";

constexpr std::string_view set_lock_timeout = "SELECT set_config('lock_timeout', $1, $2)";

// PostgreSQL ends an autovacuum that blocks us once deadlock_timeout has passed, which must be before lock_timeout.
// Only roles that may change it do.
constexpr std::string_view set_deadlock_timeout =
    "SELECT set_config('deadlock_timeout', '200ms', true) WHERE has_parameter_privilege('deadlock_timeout', 'SET')";

// Of the indexes that the file names, as whole words.
constexpr std::string_view select_invalid_indexes = R"(
    SELECT format('DROP INDEX CONCURRENTLY IF EXISTS %I.%I', n.nspname, c.relname)
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE NOT i.indisvalid AND n.nspname = 'recruiting' AND c.relkind = 'i'
      AND $1 ~ ('\m' || regexp_replace(c.relname, '\W', '\\\&', 'g') || '\M'))";
struct invalid_index_columns {
    enum : int { drop_statement };
};

struct made_columns {
    enum : int { statement };
};

// A deployment whose workers stand still for months still gets its partitions from the next migrate.
constexpr char const* make_partitions = "SELECT recruiting.ensure_audit_partitions()";

// Does the table of migrations belong to somebody else than recruiting_owner, and may this role change that?
bool is_table_to_give(pg::client& database) {
    return database.run(table_is_to_give).boolean(0, table_owner_columns::is_another);
}

void insert_applied(pg::client& database, migration const& applied) {
    database.run(insert_applied_row, pg::params{}.integer(applied.number).text(applied.name).text(applied.checksum));
}

// For this transaction: a migration that can't get a lock fails (lock_not_available) instead of holding up every
// request behind it.
void limit_lock_waits(pg::client& database, milliseconds longest) {
    database.run(set_lock_timeout, pg::params{}.text(std::to_string(longest.count()) + "ms").boolean(true));
    database.run(set_deadlock_timeout);
}

// The same for the statements of a session, until this ends.
class session_lock_timeout {
public:
    explicit session_lock_timeout(pg::client& database) : database_(database) {}
    ~session_lock_timeout() {
        try {
            set(milliseconds{0});
        } catch (std::exception const&) { // the connection is gone, and with it the setting
        }
    }
    session_lock_timeout(session_lock_timeout const&) = delete;
    session_lock_timeout& operator=(session_lock_timeout const&) = delete;
    void set(milliseconds longest) {
        database_.run(set_lock_timeout, pg::params{}.text(std::to_string(longest.count()) + "ms").boolean(false));
    }

private:
    pg::client& database_;
};

// Drops the indexes named in sql that an interrupted CREATE INDEX CONCURRENTLY left INVALID.
void drop_invalid_indexes(pg::client& database, std::string const& sql) {
    auto const found = database.run(select_invalid_indexes, pg::params{}.text(sql));
    for (int row = 0; row < found.size(); ++row)
        database.script(std::string(found.text(row, invalid_index_columns::drop_statement)));
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
        limit_lock_waits(database_, longest_lock_wait);
        database_.script(pending.sql);
        if (pending.number == canonical_addresses_migration) write_canonical_addresses(database_);
        insert_applied(database_, pending);
        transaction.commit();
    } catch (pg::query_error const& error) {
        if (is_about_locks(error)) throw;
        throw failure(pending.name + " failed and was rolled back: " + error.what() + " (SQLSTATE " + error.sqlstate() +
                      ")");
    }
}

// What waits for other transactions while it builds an index makes nobody wait, so it may take all of its time.
void migration_run::run_steps(migration const& pending, deadline until) {
    session_lock_timeout timeout(database_);
    try {
        auto const run_step = [&](std::string const& step) {
            timeout.set(left_until(until));
            drop_invalid_indexes(database_, step);
            timeout.set(is_concurrent(step) ? left_until(until) : longest_lock_wait);
            database_.script(step);
        };
        for (auto const& statement : statements_of(pending.sql)) {
            if (!makes_statements(statement)) {
                run_step(statement);
                continue;
            }
            auto const made = database_.run(statement);
            for (int row = 0; row < made.size(); ++row) run_step(std::string(made.text(row, made_columns::statement)));
        }
        timeout.set(longest_lock_wait);
        insert_applied(database_, pending);
    } catch (pg::query_error const& error) {
        if (is_about_locks(error)) throw;
        throw failure(pending.name + " stopped at one of its statements, those before it stay: " + error.what() +
                      " (SQLSTATE " + error.sqlstate() + "). Run recruitctl migrate again to continue");
    }
}

void migration_run::create_table() { run_locking_briefly("the table of migrations", create_table_script); }

// Every heartbeat of every program reads this table: only where it must be is it locked.
void migration_run::give_table_to_owner() {
    if (is_table_to_give(database_)) run_locking_briefly("the owner of the table of migrations", give_table_script);
}

void migration_run::ensure_audit_partitions() {
    run_locking_briefly("the audit log's next partition", make_partitions);
}

void migration_run::run_locking_briefly(std::string const& name, char const* script) {
    attempt(name, [&](deadline) {
        pg::transaction transaction(database_);
        limit_lock_waits(database_, longest_lock_wait);
        database_.script(script);
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
