#include "public_api/limits/limiter.hpp"

#include "core/log.hpp"
#include "public_api/limits/limit_names.hpp"

#include <algorithm>
#include <utility>

namespace recruiting::public_api {
namespace {

redis::batch increments(std::vector<counted_use> const& uses, timestamp now) {
    redis::batch commands;
    for (auto const& use : uses) {
        auto const key = count_key(use, now);
        commands.add({"INCR", key});
        commands.add({"EXPIRE", key, std::to_string(use.window.count())});
    }
    return commands;
}

// An error reply (loading, read-only, out of memory) counts nothing; then the process' own count decides.
void take_larger(std::vector<std::int64_t>& counts, std::vector<redis::reply> const& replies) {
    for (std::size_t i = 0; i < counts.size() && 2 * i < replies.size(); ++i)
        if (replies[2 * i].type == redis::reply::kind::integer) counts[i] = std::max(counts[i], replies[2 * i].integer);
}

bool all_counted(std::vector<redis::reply> const& replies) {
    return !replies.empty() &&
           std::none_of(replies.begin(), replies.end(), [](redis::reply const& reply) { return reply.is_error(); });
}

} // namespace

limit_metrics::limit_metrics(metrics::registry& registry)
    : counted_alone(registry.add_counter("recruiting_public_api_limits_counted_alone_total",
                                         "Requests whose limits Redis did not count: the process did.")),
      redis_connections(registry.add_gauge("recruiting_redis_connections",
                                           "Connections to Redis, one a thread; a thread without one counts alone.")) {
    for (auto const name : limit_names)
        refused[name] = &registry.add_counter("recruiting_public_api_limited_requests_total",
                                              "Requests refused by a limit.", "limit=\"" + std::string(name) + '"');
}

limiter::limiter(asio::io_context& context, settings const& config, window_counts& counts, limit_metrics& counted)
    : counts_(counts), metrics_(counted), redis_(context, config.redis, [this] {
          redis::options how;
          how.on_state = [this](bool up, std::string_view why) { redis_changed(up, why); };
          return how;
      }()) {}

task<std::optional<limit_refusal>> limiter::count(std::vector<counted_use> const& uses, timestamp now) {
    auto counts = counts_.add(uses, now);
    auto const replies = co_await count_in_redis(uses, now);
    if (!all_counted(replies)) metrics_.counted_alone.add();
    take_larger(counts, replies);
    for (std::size_t i = 0; i < uses.size(); ++i)
        if (counts[i] > uses[i].most) metrics_.refused.at(uses[i].name)->add();
    co_return refuse_over(uses, counts, now);
}

task<std::vector<redis::reply>> limiter::count_in_redis(std::vector<counted_use> const& uses, timestamp now) {
    auto commands = increments(uses, now);
    try {
        auto replies = co_await redis_.run(std::move(commands));
        co_return replies;
    } catch (outage const&) {
        co_return std::vector<redis::reply>(); // its loss is in the log already
    }
}

void limiter::stop() {
    metrics_.redis_connections.add(-static_cast<int>(std::exchange(redis_up_, false)));
    redis_.stop();
}

void limiter::redis_changed(bool up, std::string_view why) noexcept {
    metrics_.redis_connections.add(static_cast<int>(up) - static_cast<int>(redis_up_));
    redis_up_ = up;
    if (up) log::info("redis_connected");
    else log::warning("redis_lost", {{"reason", why}, {"counting", "alone"}});
}

} // namespace recruiting::public_api
