#include "auth_api/agent/run/run_cleanup.hpp"

#include "auth_api/agent/run/run_store.hpp"
#include "core/log.hpp"
#include "pg/periodic_task.hpp"

namespace recruiting::auth_api {
namespace {

constexpr std::int64_t orphaned_at_once = 200;
constexpr std::int64_t dropped_at_once = 100; // sessions a transaction: some thousand messages
constexpr std::chrono::milliseconds retention_interval = std::chrono::hours{1};
constexpr std::chrono::milliseconds soon{1'000}; // PostgreSQL is unavailable, or more is to be deleted

struct reaper_task final : pg::periodic_task {
    reaper_task(asio::io_context& context, pg::pipeline& connection, std::chrono::milliseconds every,
                std::chrono::milliseconds longest, metrics::registry& metrics)
        : pg::periodic_task(context, connection, every, "agent_reaper_failed"), lease(longest),
          orphaned(metrics.add_counter("recruiting_agent_runs_orphaned_total",
                                       "Runs that were marked failed because their process had ended.")) {}

    task<std::chrono::milliseconds> round() override;

    std::chrono::milliseconds lease;
    metrics::counter& orphaned;
};

task<std::chrono::milliseconds> reaper_task::round() {
    std::vector<pg::statement> segment = {agent::as_runner(), agent::shorten_leases(lease),
                                          agent::fail_expired_runs(orphaned_at_once)};
    auto const answer = co_await run(std::move(segment));
    auto const runs = answer.at(2).affected();
    orphaned.add(static_cast<std::uint64_t>(runs));
    if (runs > 0) log::warning("agent_runs_orphaned", {{"runs", runs}});
    co_return runs < orphaned_at_once ? interval() : std::chrono::milliseconds{0};
}

struct retention_task final : pg::periodic_task {
    retention_task(asio::io_context& context, pg::pipeline& connection, std::chrono::milliseconds longest)
        : pg::periodic_task(context, connection, retention_interval, "agent_retention_failed"), retention(longest) {}

    task<std::chrono::milliseconds> round() override;
    std::chrono::milliseconds failed(std::exception const& error) override;

    std::chrono::milliseconds retention;
};

task<std::chrono::milliseconds> retention_task::round() {
    std::vector<pg::statement> segment = {agent::drop_sessions(retention, dropped_at_once)};
    auto const answer = co_await run(std::move(segment));
    auto const dropped = agent::read_dropped_sessions(answer.at(0));
    if (dropped > 0) log::info("agent_sessions_dropped", {{"sessions", dropped}});
    co_return dropped < dropped_at_once ? retention_interval : soon;
}

std::chrono::milliseconds retention_task::failed(std::exception const& error) {
    auto const pause = pg::periodic_task::failed(error);
    return dynamic_cast<outage const*>(&error) != nullptr ? soon : pause;
}

} // namespace

reaper::reaper(asio::io_context& context, pg::pipeline& connection, std::chrono::milliseconds interval,
               std::chrono::milliseconds lease, metrics::registry& metrics)
    : task_owner(std::make_shared<reaper_task>(context, connection, interval, lease, metrics)) {}

agent_retention::agent_retention(asio::io_context& context, pg::pipeline& connection,
                                 std::chrono::milliseconds retention)
    : task_owner(std::make_shared<retention_task>(context, connection, retention)) {}

} // namespace recruiting::auth_api
