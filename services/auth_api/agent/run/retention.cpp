#include "auth_api/agent/run/retention.hpp"

#include "auth_api/agent/run/run_store.hpp"
#include "auth_api/background/pause.hpp"
#include "core/log.hpp"
#include "pg/error.hpp"

namespace recruiting::auth_api {
namespace {

constexpr std::chrono::milliseconds interval = std::chrono::hours{1};
constexpr std::chrono::milliseconds soon = std::chrono::seconds{1}; // PostgreSQL is away, or there is more to delete
constexpr std::int64_t dropped_at_once = 100;                       // sessions a transaction: some thousand messages

} // namespace

struct agent_retention::state : std::enable_shared_from_this<agent_retention::state> {
    state(asio::io_context& context, pg::pipeline& c, std::chrono::milliseconds r)
        : connection(c), retention(r), waiting(context) {}

    task<void> work();
    task<std::int64_t> round();

    pg::pipeline& connection;
    std::chrono::milliseconds retention;
    pause waiting;
};

task<void> agent_retention::state::work() {
    auto const self = shared_from_this();
    while (!waiting.stopped()) {
        auto next = interval;
        try {
            auto const dropped = co_await round();
            if (dropped >= dropped_at_once) next = soon;
        } catch (pg::query_error const& error) {
            log::write(pg::severity(error), "agent_retention_failed", {{"sqlstate", error.sqlstate()}});
        } catch (outage const&) { // the connection itself says so
            next = soon;
        }
        co_await waiting.wait(next);
    }
}

task<std::int64_t> agent_retention::state::round() {
    std::vector<pg::statement> segment;
    segment.push_back(agent::drop_sessions(retention, dropped_at_once));
    auto const answer = co_await connection.run(std::move(segment));
    auto const dropped = answer.at(0).integer(0, 0);
    if (dropped > 0) log::info("agent_sessions_dropped", {{"sessions", dropped}});
    co_return dropped;
}

agent_retention::agent_retention(asio::io_context& context, pg::pipeline& connection,
                                 std::chrono::milliseconds retention)
    : state_(std::make_shared<state>(context, connection, retention)) {
    spawn(context, state_->work());
}

agent_retention::~agent_retention() { stop(); }

void agent_retention::stop() { state_->waiting.stop(); }

} // namespace recruiting::auth_api
