#include "rate_limit/limiter.hpp"

#include "core/log.hpp"
#include "core/text.hpp"

#include <algorithm>

namespace recruiting::rate_limit {
namespace {

using std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto error_line_pause = 1min;
constexpr int lifetime_margin = 60; // seconds that a key outlives its window, for clocks that differ

} // namespace

shared_parts::shared_parts(options of, metrics::registry& registry)
    : how(std::move(of)),
      counted_locally(registry.add_counter("recruiting_rate_limit_local_total",
                                           "Requests that a limit counted locally instead of in Redis.")),
      redis_errors(registry.add_counter("recruiting_redis_errors_total", "Writes that got no reply, or an error.")),
      redis_connections(
          registry.add_gauge("recruiting_redis_connections",
                             "Connections to Redis, one per thread; a thread without one counts locally.")),
      redis_latency(registry.add_histogram("recruiting_redis_write_duration_seconds",
                                           "Time from a pipelined write to its last reply.")) {
    for (std::size_t i = 0; i < how.policies.size(); ++i) tables.emplace_back(how.clients_limit);
}

limiter::limiter(asio::io_context& context, shared_parts& shared)
    : context_(context), shared_(shared), over_(shared.how.policies.size()),
      redis_(context, shared.how.redis,
             {.response_limit = shared.how.response_limit,
              .on_state = [this](bool up, std::string_view why) { redis_changed(up, why); }}) {}

void limiter::stop() {
    redis_.stop();
    shared_.redis_connections.add(-static_cast<int>(std::exchange(connected_, false)));
}

void limiter::redis_changed(bool up, std::string_view why) {
    shared_.redis_connections.add(static_cast<int>(up) - static_cast<int>(std::exchange(connected_, up)));
    int const state = shared_.redis_connections.value() > 0 ? 1 : 0;
    if (shared_.logged_state.exchange(state) == state) return;
    auto const address = redis::to_string(shared_.how.redis);
    if (state > 0) log::info("redis_connected", {{"address", address}});
    else log::warning("redis_unavailable", {{"address", address}, {"reason", why}});
}

std::optional<count> limiter::at_once(std::size_t policy, client_key const& client, timestamp now) {
    auto const& limits = shared_.how.policies[policy];
    auto const when = window_at(now, limits.window_seconds);
    auto const& over = over_[policy];
    if (over.window == when.number && over.clients.contains(client)) return count{limits.limit + 1, when.seconds_left};
    if (redis_.ready()) return std::nullopt;
    shared_.counted_locally.add();
    return count_locally(policy, client, now);
}

count limiter::count_locally(std::size_t policy, client_key const& client, timestamp now) {
    auto const when = window_at(now, shared_.how.policies[policy].window_seconds);
    counted const of{client, when.number, policy};
    auto const number = find_or_add(of).count->count_locally(1) + 1;
    remember(of, number);
    return {number, when.seconds_left};
}

void limiter::join(std::size_t policy, client_key const& client, timestamp now, completion<count> done) {
    auto const when = window_at(now, shared_.how.policies[policy].window_seconds);
    open_group({client, when.number, policy}, when.seconds_left).waiting.push_back(std::move(done));
}

limiter::group& limiter::open_group(counted const& of, int seconds_left) {
    if (!open_) {
        if (spare_.empty()) spare_.push_back(std::make_unique<batch>());
        open_ = std::move(spare_.back());
        spare_.pop_back();
        open_->began = steady_clock::now();
        if (in_flight_ == 0 || round_trip_ >= quick) post_flush(); // else finish() does
    }
    auto& into = *open_;
    auto const [at, is_new] = into.index.try_emplace(of, into.used);
    if (!is_new) return into.groups[at->second];
    if (into.used == into.groups.size()) into.groups.emplace_back();
    auto& fresh = into.groups[into.used++];
    fresh.of = of;
    fresh.seconds_left = seconds_left;
    return fresh;
}

// Runs after everything that is ready in this iteration of the event loop, so that all of it shares one write.
void limiter::post_flush() {
    if (std::exchange(flush_posted_, true)) return;
    later([this] {
        flush_posted_ = false;
        flush();
    });
}

void limiter::flush() {
    if (!open_) return;
    auto now = std::move(open_);
    commands_.clear();
    for (std::size_t i = 0; i < now->used; ++i) {
        auto& one = now->groups[i];
        one.sent = take(one);
        if (one.sent) add_commands(one);
        else answer(one, count_alone(one));
    }
    if (commands_.empty()) return recycle(std::move(now));
    ++in_flight_;
    auto const late_at = now->began + shared_.how.response_limit;
    now->sent_at = steady_clock::now();
    auto* const sent = now.release(); // finish() takes it back: the connection calls every handler
    auto const done = [this, sent](redis::batch_status what, std::vector<redis::reply>& replies) {
        finish(sent, what, replies);
    };
    redis_.send(commands_, done, late_at);
}

// nullopt: Redis gets no report, or is unavailable.
std::optional<client_count::write> limiter::take(group const& one) {
    auto const known = find_or_add(one.of);
    if (!known.is_shared || !redis_.ready()) return std::nullopt;
    return known.count->take(one.size());
}

std::int64_t limiter::count_alone(group const& one) {
    auto const known = find_or_add(one.of);
    if (!known.has_ended) shared_.counted_locally.add(static_cast<std::uint64_t>(one.size()));
    return known.count->count_locally(one.size());
}

void limiter::add_commands(group const& one) {
    key_.assign(shared_.how.key_prefix).append(shared_.how.policies[one.of.policy].name) += ':';
    shared_.how.append_client(key_, one.of.client);
    key_ += ':';
    append_number(key_, one.of.window);
    commands_.add({"INCRBY", key_, std::to_string(one.sent->report)});
    commands_.add({"EXPIRE", key_, std::to_string(one.seconds_left + lifetime_margin)});
}

void limiter::finish(batch* sent, redis::batch_status what, std::vector<redis::reply> const& replies) {
    std::unique_ptr<batch> done(sent);
    --in_flight_;
    bool const is_answered = what == redis::batch_status::answered;
    if (is_answered) shared_.redis_latency.observe(round_trip_ = steady_clock::now() - done->sent_at);
    auto const error = std::ranges::find_if(replies, &redis::reply::is_error);
    if (!is_answered || error != replies.end()) note_error(is_answered ? error->text : "no answer");
    std::size_t next = 0; // the reply to a group's INCRBY
    for (std::size_t i = 0; i < done->used; ++i) {
        auto& one = done->groups[i];
        if (!one.sent) continue;
        answer(one, base_of(one, what, is_answered ? &replies[next] : nullptr));
        next += 2;
    }
    recycle(std::move(done));
    // The requests that were held are written after one more iteration of the loop, which adds others to the batch.
    if (open_) later([this] { post_flush(); });
}

// The number that was counted before the group's first request.
std::int64_t limiter::base_of(group const& one, redis::batch_status what, redis::reply const* total) {
    auto const known = shared_.tables[one.of.policy].find(one.of.client, one.of.window);
    if (total != nullptr && total->type == redis::reply::kind::integer) {
        if (!known.is_shared) return total->integer - one.size(); // its window has ended
        auto const [base, has_lost] = known.count->answered(one.size(), *one.sent, total->integer);
        // Reported now, for the other processes. What is lost once more waits for the client's next request.
        if (has_lost && one.size() > 0) static_cast<void>(open_group(one.of, one.seconds_left));
        return base;
    }
    shared_.counted_locally.add(static_cast<std::uint64_t>(one.size()));
    if (known.count == nullptr) return 0;
    if (!known.is_shared) return known.count->count_locally(one.size());
    return known.count->failed(one.size(), *one.sent, what != redis::batch_status::lost);
}

void limiter::answer(group& one, std::int64_t base) {
    for (auto& waiter : one.waiting) waiter.succeed({++base, one.seconds_left});
    remember(one.of, base);
}

void limiter::recycle(std::unique_ptr<batch> done) {
    for (std::size_t i = 0; i < done->used; ++i) done->groups[i].waiting.clear();
    done->index.clear();
    done->used = 0;
    spare_.push_back(std::move(done));
}

void limiter::remember(counted const& of, std::int64_t number) {
    auto& over = over_[of.policy];
    bool const has_ended = of.window < over.window; // its window, while it was in progress
    if (number < shared_.how.policies[of.policy].limit || has_ended) return;
    if (over.window != of.window) {
        over.window = of.window;
        over.clients.clear();
    }
    if (over.clients.size() < shared_.how.clients_limit) over.clients.insert(of.client);
}

void limiter::note_error(std::string_view why) {
    shared_.redis_errors.add();
    auto const now = steady_clock::now();
    auto due = shared_.error_line_due.load();
    if (now < due || !shared_.error_line_due.compare_exchange_strong(due, now + error_line_pause)) return;
    log::warning("rate_limit_counts_locally", {{"reason", why}});
}

} // namespace recruiting::rate_limit
