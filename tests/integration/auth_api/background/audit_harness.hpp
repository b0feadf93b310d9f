// Shared by the tests of the audit chain: a database of their own (the sealer works on a whole database), rows, a
// sealer, and verification.
#pragma once
#include "audit/event_store.hpp"
#include "audit/verify.hpp"
#include "auth_api/background/tasks.hpp"
#include "support/database.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace recruiting::test {

/// An io_context with its clock, run by the test's own thread until a condition holds.
struct event_loop {
    /// Fails the test after some seconds.
    void run_until(std::function<bool()> const& condition);

    asio::io_context context;
    ticker clock{context, std::chrono::milliseconds{50}};
};

[[nodiscard]] pg::pipeline_settings workers_connection(std::string const& url);

/// Keeps everything for 30 days, until the condition holds.
void delete_expired_until(test_database& database, std::function<bool()> const& condition);

/// Waits for the statement that waits for a lock in this database, cancels it, and waits until it was sent again.
void cancel_waiting(event_loop& loop, test_database& database);

/// One sealer with its connection, as auth-api has it.
struct running_sealer {
    running_sealer(event_loop& loop, std::string const& url, std::int64_t batch);

    metrics::registry metrics;
    pg::pipeline connection;
    task_owner worker;
};

class audit_log {
public:
    explicit audit_log(migrated state = migrated::yes);

    /// Appends one batch as the services do; the rows go round the organizations.
    std::vector<audit::event> insert(int rows, timestamp occurred_at = system_time().now());
    void append(std::span<audit::event const> events);
    void seal_all(std::int64_t batch = 100);
    /// A statement as the owner of everything: what a tamperer may do.
    void tamper(std::string const& sql);
    [[nodiscard]] std::int64_t number(std::string const& sql);
    [[nodiscard]] std::int64_t unsealed();
    /// "kind sequence" of each discrepancy of the first organization's chain, or of all.
    [[nodiscard]] std::vector<std::string>
    discrepancies(audit::organization_choice of = {}, std::vector<std::pair<uuid, audit::kept_head>> const& kept = {});
    [[nodiscard]] audit::kept_head head(uuid const& organization);

    test_database database;
    std::vector<uuid> organizations;
    audit::verify_counts counts; // of the last discrepancies()

private:
    std::size_t next_organization_{0};
};

} // namespace recruiting::test
