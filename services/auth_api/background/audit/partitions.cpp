#include "auth_api/background/audit/partitions.hpp"

#include "auth_api/background/audit/partitions_store.hpp"
#include "auth_api/background/pause.hpp"
#include "core/log.hpp"

#include <algorithm>

namespace recruiting::auth_api {

struct audit_partitions::state : std::enable_shared_from_this<audit_partitions::state> {
    state(asio::io_context& context, pg::pipeline& c, audit_partitions_settings s)
        : connection(c), settings(s), waiting(context) {}

    task<void> work();
    task<void> round();

    pg::pipeline& connection;
    audit_partitions_settings settings;
    pause waiting;
};

task<void> audit_partitions::state::work() {
    auto const self = shared_from_this();
    while (!waiting.stopped()) {
        auto next = settings.interval;
        try {
            co_await round();
        } catch (std::exception const& error) {
            if (waiting.stopped()) break; // the connection may be gone
            next = connection.ready() ? settings.retry : std::min(settings.retry, std::chrono::milliseconds{1'000});
            if (connection.ready()) log::warning("audit_partitions_failed", {{"message", error.what()}});
        }
        co_await waiting.wait(next);
    }
}

// Two transactions: partitions ahead must be made even while an old one can't be dropped.
task<void> audit_partitions::state::round() {
    auto making = make_audit_partitions(settings.daily);
    auto const made = co_await connection.run(std::move(making));
    static_cast<void>(made);
    if (waiting.stopped()) co_return;
    auto dropping = drop_audit_partitions(settings.retention);
    auto const dropped = co_await connection.run(std::move(dropping));
    auto const count = dropped.back().integer(0, 0);
    if (count > 0) log::info("audit_partitions_dropped", {{"partitions", count}});
}

audit_partitions::audit_partitions(asio::io_context& context, pg::pipeline& connection,
                                   audit_partitions_settings settings)
    : state_(std::make_shared<state>(context, connection, settings)) {
    spawn(context, state_->work());
}

audit_partitions::~audit_partitions() { stop(); }

void audit_partitions::stop() { state_->waiting.stop(); }

} // namespace recruiting::auth_api
