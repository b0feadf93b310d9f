// Applies single migrations: no lock is waited for longer than a second, so that the traffic beside them goes on.
#include "core/text.hpp"
#include "recruitctl/command.hpp"
#include "recruitctl/commands/migrations.hpp"

#include <algorithm>
#include <map>
#include <thread>
#include <utility>

namespace recruiting::recruitctl {

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

namespace {

using std::chrono::milliseconds;

constexpr milliseconds longest_lock_wait{1'000};
constexpr milliseconds first_pause{250};
constexpr milliseconds longest_pause{10'000};

} // namespace

milliseconds next_pause(milliseconds pause) noexcept { return std::min(pause * 2, longest_pause); }

namespace {

// The sessions that hold locks of our tables, by their transactions.
constexpr std::string_view select_lock_holders = R"(
    SELECT DISTINCT l.pid || ' ' || l.virtualtransaction, format('session %s (%s)', l.pid, concat_ws(', ',
           coalesce(a.usename::text, a.backend_type), nullif(a.application_name, '')))
    FROM pg_locks l JOIN pg_class c ON c.oid = l.relation AND c.relnamespace = 'recruiting'::regnamespace
    JOIN pg_stat_activity a ON a.pid = l.pid AND a.datname = current_database()
    WHERE l.granted AND l.pid <> pg_backend_pid())";

using lock_holders = std::map<std::string, std::string, std::less<>>;

// Empty where hide_statistics.sql hides pg_locks from the owner: whom a migration waits for is told only where it may
// be.
lock_holders holders_now(pg::client& database) {
    lock_holders out;
    try {
        auto const found = database.run(select_lock_holders);
        for (int row = 0; row < found.size(); ++row) out.emplace(found.text(row, 0), found.text(row, 1));
    } catch (pg::query_error const&) {
        return {};
    }
    return out;
}

// A transaction that still goes on after the pause was most likely in the way before it.
std::string still_there(lock_holders const& before, lock_holders const& after) {
    std::string out;
    for (auto const& [transaction, session] : after)
        if (before.contains(transaction)) out += (out.empty() ? "" : " and ") + session;
    return out.empty() ? "another session" : out;
}

bool is_about_locks(pg::query_error const& error) {
    return error.sqlstate() == pg::lock_not_available || error.sqlstate() == pg::deadlock_detected;
}

milliseconds left_until(std::chrono::steady_clock::time_point until) {
    return std::max(std::chrono::duration_cast<milliseconds>(until - std::chrono::steady_clock::now()),
                    longest_lock_wait);
}

constexpr std::string_view insert_applied_row =
    "INSERT INTO recruiting.schema_migrations (number, name, checksum) VALUES ($1, $2, $3)";

constexpr std::string_view set_lock_timeout = "SELECT set_config('lock_timeout', $1, $2)";

// PostgreSQL ends an autovacuum that blocks us once deadlock_timeout has passed, which must be before lock_timeout.
// Only roles that may change it do.
constexpr std::string_view set_deadlock_timeout =
    "SELECT set_config('deadlock_timeout', '200ms', true) WHERE has_parameter_privilege('deadlock_timeout', 'SET')";

// Of the indexes that the statement names, as whole words: an interrupted CREATE INDEX CONCURRENTLY leaves them
// INVALID.
constexpr std::string_view select_invalid_indexes = R"(
    SELECT format('DROP INDEX CONCURRENTLY IF EXISTS recruiting.%I', c.relname)
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE NOT i.indisvalid AND c.relnamespace = 'recruiting'::regnamespace AND c.relkind = 'i'
      AND $1 ~ ('\m' || regexp_replace(c.relname, '\W', '\\\&', 'g') || '\M'))";

constexpr std::string_view rebuild_terms_of_next = "SELECT recruiting.rebuild_candidate_terms(1000)";
constexpr std::int64_t candidates_per_report = 100'000;

void insert_applied(pg::client& database, migration const& applied) {
    database.run(insert_applied_row, pg::params{}.integer(applied.number).text(applied.name).text(applied.checksum));
}

enum class lasting : bool { session, transaction };

// A statement that can't get a lock fails (lock_not_available) instead of holding up every request behind it.
void limit_lock_waits(pg::client& database, milliseconds longest, lasting how_long) {
    database.run(set_lock_timeout,
                 pg::params{}.text(std::to_string(longest.count()) + "ms").boolean(how_long == lasting::transaction));
}

using deadline = std::chrono::steady_clock::time_point;

void attempt(pg::client& database, std::string const& name, lock_waiting const& waiting,
             std::function<void(deadline until)> const& work) {
    auto const until = std::chrono::steady_clock::now() + waiting.limit;
    for (auto pause = first_pause;; pause = next_pause(pause)) {
        try {
            return work(until);
        } catch (pg::query_error const& error) {
            if (!is_about_locks(error)) throw;
        }
        auto const before = holders_now(database);
        std::this_thread::sleep_for(pause);
        auto const held = name + " needs a lock that is held by " + still_there(before, holders_now(database));
        if (std::chrono::steady_clock::now() >= until)
            throw failure(held + ", and did not get it within " + format_duration(waiting.limit));
        if (waiting.report) waiting.report(held + "; it tries again");
    }
}

// Of a transaction that waits only briefly.
void prepare_lock_waits(pg::client& database) {
    limit_lock_waits(database, longest_lock_wait, lasting::transaction);
    database.run(set_deadlock_timeout);
}

void run_transaction(pg::client& database, std::string const& script, migration const* applied) {
    pg::transaction transaction(database);
    prepare_lock_waits(database);
    database.script(script);
    if (applied != nullptr) insert_applied(database, *applied);
    transaction.commit();
}

// What waits for other transactions while it builds an index makes no request wait, so it may take all of its time.
void run_steps(pg::client& database, migration const& pending, deadline until) {
    for (auto const& statement : statements_of(pending.sql)) {
        limit_lock_waits(database, left_until(until), lasting::session);
        auto const invalid = database.run(select_invalid_indexes, pg::params{}.text(statement));
        for (int row = 0; row < invalid.size(); ++row) database.script(std::string(invalid.text(row, 0)));
        if (!is_concurrent(statement)) limit_lock_waits(database, longest_lock_wait, lasting::session);
        database.script(statement);
    }
    limit_lock_waits(database, milliseconds{0}, lasting::session);
    insert_applied(database, pending);
}

} // namespace

void apply_migration(pg::client& database, migration const& pending, lock_waiting const& waiting) {
    auto const stepwise = is_stepwise(pending.sql);
    attempt(database, pending.name, waiting, [&](deadline until) {
        try {
            if (stepwise) run_steps(database, pending, until);
            else run_transaction(database, pending.sql, &pending);
        } catch (pg::query_error const& error) {
            if (is_about_locks(error)) throw;
            auto const why = std::string(error.what()) + " (SQLSTATE " + error.sqlstate() + ")";
            throw failure(pending.name + (stepwise ? " stopped at one of its statements, those before it stay: " + why +
                                                         ". Run recruitctl migrate again to continue"
                                                   : " failed and was rolled back: " + why));
        }
    });
}

void run_locking_briefly(pg::client& database, std::string const& name, char const* script,
                         lock_waiting const& waiting) {
    attempt(database, name, waiting, [&](deadline) { run_transaction(database, script, nullptr); });
}

void rebuild_search_terms(pg::client& database, lock_waiting const& waiting) {
    std::int64_t candidates = 0, reported = 0;
    auto const report = [&](std::string const& progress) {
        if (waiting.report)
            waiting.report("search terms of " + std::to_string(candidates) + " candidates made again" + progress);
        reported = candidates;
    };
    for (std::int64_t more = 1; more > 0; candidates += more) {
        if (candidates - reported >= candidates_per_report) report(" so far");
        attempt(database, "making search terms again", waiting, [&](deadline) {
            pg::transaction transaction(database);
            prepare_lock_waits(database);
            more = database.run(rebuild_terms_of_next).integer(0, 0);
            transaction.commit();
        });
    }
    if (candidates > 0) report("");
}

} // namespace recruiting::recruitctl
