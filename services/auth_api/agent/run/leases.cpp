#include "auth_api/agent/run/leases.hpp"

#include "auth_api/agent/run/run.hpp"
#include "auth_api/agent/run/run_store.hpp"
#include "core/log.hpp"
#include "pg/periodic_task.hpp"

#include <algorithm>

namespace recruiting::auth_api::agent {
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
    std::vector<pg::statement> segment = {as_runner(), shorten_leases(lease), fail_expired_runs(orphaned_at_once)};
    auto const answer = co_await run(std::move(segment));
    auto const runs = answer.at(2).affected();
    orphaned.add(static_cast<std::uint64_t>(runs));
    if (runs > 0) log::warning("agent_runs_orphaned", {{"runs", runs}});
    co_return runs < orphaned_at_once ? interval() : std::chrono::milliseconds{0};
}

} // namespace

struct lease_keeper::state final : pg::periodic_task {
    state(asio::io_context& context, pg::pipeline& connection, std::chrono::milliseconds duration,
          std::chrono::milliseconds heartbeat)
        : pg::periodic_task(context, connection, heartbeat, "agent_leases_not_renewed"), lease(duration) {}

    task<std::chrono::milliseconds> round() override;
    void end(std::vector<uuid> const& lost);

    std::chrono::milliseconds lease;
    uuid owner{random_id()};
    lease_table table;
    std::map<uuid, run_lease*> runs;
    bool down{false};
};

task<std::chrono::milliseconds> lease_keeper::state::round() {
    end(table.expire(coarse_clock::now())); // this process may have been paused
    if (table.empty()) co_return interval();
    auto const sent_at = coarse_clock::now();
    auto const asked = table.runs();
    std::vector<pg::statement> segment = {as_runner(), renew_leases(owner, asked, lease)};
    auto const answer = co_await run(std::move(segment));
    end(table.renew(asked, read_renewal(answer.at(1)), sent_at + lease));
    co_return interval();
}

void lease_keeper::state::end(std::vector<uuid> const& lost) {
    for (auto const& run : lost) {
        auto const found = runs.find(run);
        if (found != runs.end()) found->second->end(failure::lease_lost);
    }
}

lease_keeper::lease_keeper(asio::io_context& context, pg::pipeline& connection, std::chrono::milliseconds lease,
                           std::chrono::milliseconds heartbeat)
    : state_(std::make_shared<state>(context, connection, lease, heartbeat)) {
    state_->start(heartbeat);
}

uuid const& lease_keeper::owner() const noexcept { return state_->owner; }

void lease_keeper::shut_down() {
    state_->down = true;
    auto const runs = state_->runs; // ending one may take another out
    for (auto const& [id, run] : runs)
        if (state_->runs.contains(id)) run->end(failure::shut_down);
}

bool lease_keeper::is_down() const noexcept { return state_->down; }

void lease_keeper::stop() { state_->stop(); }

lease_keeper::run_lease::run_lease(lease_keeper const& keeper, uuid const& run, coarse_clock::time_point begun_at)
    : keeper_(keeper.state_), run_(run) {
    keeper_->table.hold(run_, begun_at + keeper_->lease);
    keeper_->runs.emplace(run_, this);
    if (keeper_->down) end(failure::shut_down);
}

lease_keeper::run_lease::~run_lease() {
    keeper_->runs.erase(run_);
    keeper_->table.release(run_);
}

void lease_keeper::run_lease::end(std::string_view reason) {
    if (!why_.empty()) return;
    why_ = reason;
    cancel_.request();
}

std::string_view lease_keeper::run_lease::why() const noexcept {
    if (!why_.empty()) return why_;
    return keeper_->table.is_over(run_, coarse_clock::now()) ? failure::lease_lost : std::string_view();
}

std::vector<uuid> lease_table::runs() const {
    std::vector<uuid> out;
    for (auto const& [run, until] : held_) out.push_back(run);
    return out;
}

bool lease_table::is_over(uuid const& run, time now) const {
    auto const found = held_.find(run);
    return found == held_.end() || now >= found->second;
}

std::vector<uuid> lease_table::renew(std::span<uuid const> asked, renewal const& answer, time until) {
    auto const holds = [](std::vector<uuid> const& ids, uuid const& id) {
        return std::ranges::find(ids, id) != ids.end();
    };
    std::vector<uuid> lost;
    for (auto const& run : asked) {
        auto const found = held_.find(run);
        if (found == held_.end()) continue; // ended while the renewal was in progress
        if (holds(answer.renewed, run)) {
            found->second = until;
        } else if (!holds(answer.kept, run)) {
            lost.push_back(run);
            held_.erase(found);
        }
    }
    return lost;
}

std::vector<uuid> lease_table::expire(time now) {
    std::vector<uuid> lost;
    for (auto const& [run, until] : held_)
        if (now >= until) lost.push_back(run);
    for (auto const& run : lost) held_.erase(run);
    return lost;
}

task_owner start_reaper(asio::io_context& context, pg::pipeline& connection, std::chrono::milliseconds interval,
                        std::chrono::milliseconds lease, metrics::registry& metrics) {
    return task_owner(std::make_shared<reaper_task>(context, connection, interval, lease, metrics));
}

} // namespace recruiting::auth_api::agent
