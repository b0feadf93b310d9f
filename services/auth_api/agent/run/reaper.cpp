#include "auth_api/agent/run/reaper.hpp"

#include "auth_api/agent/run/run_store.hpp"
#include "auth_api/background/pause.hpp"
#include "core/log.hpp"
#include "pg/error.hpp"

namespace recruiting::auth_api {
namespace {

constexpr std::int64_t reaped_at_once = 200;

} // namespace

struct reaper::state : std::enable_shared_from_this<reaper::state> {
    state(asio::io_context& context, pg::pipeline& c, std::chrono::milliseconds every, metrics::registry& metrics)
        : connection(c), interval(every), waiting(context),
          reaped(metrics.add_counter("recruiting_agent_runs_reaped_total",
                                     "Runs marked failed because the process that worked on them was gone.")) {}

    task<void> work();
    task<std::int64_t> round();

    pg::pipeline& connection;
    std::chrono::milliseconds interval;
    pause waiting;
    metrics::counter& reaped;
};

task<void> reaper::state::work() {
    auto const self = shared_from_this();
    while (!waiting.stopped()) {
        std::int64_t failed = 0;
        try {
            failed = co_await round();
        } catch (pg::query_error const& error) {
            log::write(pg::severity(error), "agent_reaper_failed", {{"sqlstate", error.sqlstate()}});
        } catch (outage const&) { // the connection itself says so
        }
        if (waiting.stopped()) break;
        if (failed > 0) log::warning("agent_runs_reaped", {{"runs", failed}});
        if (failed < reaped_at_once) co_await waiting.wait(interval);
    }
}

task<std::int64_t> reaper::state::round() {
    std::vector<pg::statement> segment;
    segment.push_back(agent::as_runner());
    segment.push_back(agent::fail_expired_runs(reaped_at_once));
    auto const answer = co_await connection.run(std::move(segment));
    auto const failed = answer.at(1).affected();
    if (!waiting.stopped()) reaped.add(static_cast<std::uint64_t>(failed));
    co_return failed;
}

reaper::reaper(asio::io_context& context, pg::pipeline& connection, std::chrono::milliseconds interval,
               metrics::registry& metrics)
    : state_(std::make_shared<state>(context, connection, interval, metrics)) {
    spawn(context, state_->work());
}

reaper::~reaper() { stop(); }

void reaper::stop() { state_->waiting.stop(); }

} // namespace recruiting::auth_api
