#include "auth_api/background/booking/store.hpp"
#include "auth_api/background/tasks.hpp"
#include "pg/periodic_task.hpp"

namespace recruiting::auth_api::booking {
namespace {

constexpr std::chrono::milliseconds purge_interval = std::chrono::hours{1};
constexpr std::chrono::milliseconds retry_soon{1'000}; // PostgreSQL is unavailable
constexpr std::int64_t purged_at_once = 1'000;

struct unmatched_task final : pg::periodic_task {
    unmatched_task(asio::io_context& context, pg::pipeline& connection, std::chrono::milliseconds longest)
        : pg::periodic_task(context, connection, purge_interval, "unmatched_requests_purge_failed"),
          retention(longest) {}

    task<std::chrono::milliseconds> round() override;
    std::chrono::milliseconds failed(std::exception const& error) override;

    std::chrono::milliseconds retention;
};

task<std::chrono::milliseconds> unmatched_task::round() {
    auto segment = purge_unmatched(retention, purged_at_once);
    auto const answer = co_await run(std::move(segment));
    co_return answer.back().affected() < purged_at_once ? purge_interval : std::chrono::milliseconds{0};
}

std::chrono::milliseconds unmatched_task::failed(std::exception const& error) {
    auto const pause = pg::periodic_task::failed(error);
    return dynamic_cast<outage const*>(&error) != nullptr ? retry_soon : pause;
}

} // namespace

unmatched_retention::unmatched_retention(asio::io_context& context, pg::pipeline& connection,
                                         std::chrono::milliseconds retention)
    : task_owner(std::make_shared<unmatched_task>(context, connection, retention)) {}

} // namespace recruiting::auth_api::booking
