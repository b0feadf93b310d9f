#include "auth_api/background/tasks.hpp"

#include "core/log.hpp"
#include "pg/periodic_task.hpp"

#include <algorithm>

namespace recruiting::auth_api {
namespace {

// Dropping a partition locks the whole audit log, and the audit row of every request then waits behind whatever waits
// for that lock: so this gives up soon and tries again later. The search for unsealed rows in a partition may take
// longer than a request's statement may.
constexpr auto partition_limits_sql =
    "SELECT set_config('lock_timeout', '500ms', true), set_config('statement_timeout', '60s', true)";
constexpr auto make_partitions_sql = "SELECT recruiting.make_audit_partitions($1::boolean)";
constexpr auto drop_partitions_sql = "SELECT recruiting.drop_audit_partitions(make_interval(secs => $1::bigint))";
struct drop_partitions_columns {
    enum : int { dropped };
};

class partitions_task final : public pg::periodic_task {
public:
    partitions_task(asio::io_context& context, pg::pipeline& connection, audit_partitions_settings settings)
        : pg::periodic_task(context, connection), settings_(settings) {}

private:
    task<std::chrono::milliseconds> round() override;
    std::chrono::milliseconds failed(std::exception const& error) override;

    audit_partitions_settings settings_;
};

// Two transactions: partitions ahead must be made even while an old one can't be dropped.
task<std::chrono::milliseconds> partitions_task::round() {
    std::vector<pg::statement> making = {{partition_limits_sql, {}},
                                         {make_partitions_sql, pg::params().boolean(settings_.daily)}};
    auto const made = co_await run(std::move(making));
    static_cast<void>(made);
    auto const oldest = std::chrono::duration_cast<std::chrono::seconds>(settings_.retention);
    std::vector<pg::statement> dropping = {{partition_limits_sql, {}},
                                           {drop_partitions_sql, pg::params().integer(oldest.count())}};
    auto const answer = co_await run(std::move(dropping));
    auto const count = answer.back().integer(0, drop_partitions_columns::dropped);
    if (count > 0) log::info("audit_partitions_dropped", {{"partitions", count}});
    co_return settings_.interval;
}

std::chrono::milliseconds partitions_task::failed(std::exception const& error) {
    if (!connection().ready()) return std::min(settings_.retry, std::chrono::milliseconds{1'000});
    log::warning("audit_partitions_failed", {{"message", error.what()}});
    return settings_.retry;
}

} // namespace

audit_partitions::audit_partitions(asio::io_context& context, pg::pipeline& connection,
                                   audit_partitions_settings settings)
    : task_owner(std::make_shared<partitions_task>(context, connection, settings)) {}

} // namespace recruiting::auth_api
