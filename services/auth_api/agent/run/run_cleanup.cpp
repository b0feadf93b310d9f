#include "auth_api/agent/run/run_cleanup.hpp"

#include "auth_api/agent/run/run_store.hpp"
#include "core/log.hpp"
#include "pg/periodic_task.hpp"

namespace recruiting::auth_api {
namespace {

constexpr std::int64_t orphaned_at_once = 200;

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

} // namespace

task_owner start_reaper(asio::io_context& context, pg::pipeline& connection, std::chrono::milliseconds interval,
                        std::chrono::milliseconds lease, metrics::registry& metrics) {
    return task_owner(std::make_shared<reaper_task>(context, connection, interval, lease, metrics));
}

} // namespace recruiting::auth_api
