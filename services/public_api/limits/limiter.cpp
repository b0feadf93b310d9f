#include "public_api/limits/limiter.hpp"

#include "core/log.hpp"
#include "public_api/limits/window.hpp"

#include <algorithm>
#include <utility>

namespace recruiting::public_api {
namespace {

// For clocks that differ: the window is part of a key's name, so a key that lives on changes no count.
constexpr std::chrono::seconds expiry_margin{60};

redis::batch increments(std::vector<counted_use const*> const& uses, timestamp now) {
    redis::batch commands;
    for (auto const* const use : uses) {
        auto const key = count_key(*use, now);
        auto const left = std::chrono::ceil<std::chrono::seconds>(window_at(now, use->window).ends_at - now);
        commands.add({"INCR", key});
        commands.add({"EXPIRE", key, std::to_string((left + expiry_margin).count())});
    }
    return commands;
}

std::vector<counted_use const*> shared_uses(std::vector<counted_use> const& uses,
                                            std::vector<local_count> const& counted) {
    std::vector<counted_use const*> shared;
    for (std::size_t i = 0; i < uses.size(); ++i)
        if (counted[i].is_shared) shared.push_back(&uses[i]);
    return shared;
}

// replies: an INCR's and an EXPIRE's of each shared count. An error reply (loading, read-only, out of memory) counts
// nothing; then the process' own count decides.
std::vector<std::int64_t> larger_counts(std::vector<local_count> const& counted,
                                        std::vector<redis::reply> const& replies) {
    std::vector<std::int64_t> counts;
    std::size_t at = 0;
    for (auto const& own : counted) {
        counts.push_back(own.count);
        if (!own.is_shared || at >= replies.size()) continue;
        if (replies[at].type == redis::reply::kind::integer) counts.back() = std::max(own.count, replies[at].integer);
        at += 2;
    }
    return counts;
}

std::vector<std::int64_t> own_counts(std::vector<local_count> const& counted) { return larger_counts(counted, {}); }

bool all_counted(std::vector<redis::reply> const& replies) {
    return !replies.empty() &&
           std::none_of(replies.begin(), replies.end(), [](redis::reply const& reply) { return reply.is_error(); });
}

} // namespace

limit_metrics::limit_metrics(metrics::registry& registry)
    : counted_locally(registry.add_counter("recruiting_public_api_booking_limits_local_total",
                                           "Requests whose booking limits were counted locally instead of in Redis.")),
      redis_connections(
          registry.add_gauge("recruiting_redis_connections",
                             "Connections to Redis, one per thread; a thread without one counts locally.")) {
    for (auto const name : limit_names)
        refused[name] = &registry.add_counter("recruiting_public_api_limited_requests_total",
                                              "Requests over a booking limit.", "limit=\"" + std::string(name) + '"');
}

limiter::limiter(asio::io_context& context, redis::address const& where, window_counts& counts, limit_metrics& counted)
    : counts_(counts), metrics_(counted), redis_(context, where, [this] {
          redis::options how;
          how.on_state = [this](bool up, std::string_view why) { redis_changed(up, why); };
          return how;
      }()) {}

task<limit_decision> limiter::count(std::vector<counted_use> const& uses, timestamp now) {
    auto const counted = counts_.add(uses, now);
    auto const own = own_counts(counted);
    if (refuse_over(uses, own, now)) co_return decide(uses, own, now);
    auto const shared = shared_uses(uses, counted);
    auto const replies = co_await count_in_redis(shared, now);
    if (shared.size() < uses.size() || !all_counted(replies)) metrics_.counted_locally.add();
    co_return decide(uses, larger_counts(counted, replies), now);
}

limit_decision limiter::decide(std::vector<counted_use> const& uses, std::vector<std::int64_t> const& counts,
                               timestamp now) {
    limit_decision out{refuse_over(uses, counts, now), false};
    for (std::size_t i = 0; i < uses.size(); ++i) {
        if (counts[i] <= uses[i].most) continue;
        metrics_.refused.at(uses[i].name)->add();
        out.is_excess |= uses[i].is_silent;
    }
    return out;
}

limit_refusal limiter::refuse(counted_use const& use, timestamp now) {
    metrics_.refused.at(use.name)->add();
    return refuse_over({use}, {use.most + 1}, now).value();
}

task<std::vector<redis::reply>> limiter::count_in_redis(std::vector<counted_use const*> const& uses, timestamp now) {
    if (uses.empty()) co_return std::vector<redis::reply>();
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
    else log::warning("redis_unavailable", {{"reason", why}, {"counting", "local"}});
}

} // namespace recruiting::public_api
