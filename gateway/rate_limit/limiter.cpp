#include "gateway/rate_limit/limiter.hpp"

#include "core/log.hpp"

namespace recruiting::gateway {
namespace {

using std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto quick = 3ms; // a Redis that answers so is worth waiting for
constexpr auto longest_hold = 5ms;
constexpr std::size_t over_clients_limit = 100'000; // clients remembered; more are asked for in Redis again

std::size_t policy_of(route const& to) noexcept { return static_cast<std::size_t>(to.policy()); }

} // namespace

limiter::limiter(asio::io_context& context, redis::connection& redis, limiter_shared& shared, time_source const& clock,
                 limiter_settings const& settings, limiter_metrics& counters)
    : context_(context), redis_(redis), shared_(shared), clock_(clock), settings_(settings), metrics_(counters),
      counter_(redis, shared, clock, settings, counters), batch_timer_(context) {}

window limiter::window_of(std::size_t policy) const {
    return window_at(clock_.now(), settings_.policy(policy).window_seconds);
}

void limiter::redis_changed(bool up, std::string_view why) {
    bool const first_up = up && !shared_.was_connected.exchange(true);
    bool const was_unavailable = unavailable_;
    bool const reported = shared_.unavailable.set(unavailable_, !up);
    auto const address = redis::to_string(settings_.redis);
    if (up && (reported || (first_up && !was_unavailable))) log::info("redis_connected", {{"address", address}});
    if (!up && reported) log::warning("redis_unavailable", {{"address", address}, {"reason", why}});
    counter_.connection_changed(up);
}

std::optional<decision> limiter::at_once(route const& to, ip_address const& address) {
    auto const policy = policy_of(to);
    auto const counted = count_address(address, settings_.ipv6_bits);
    auto const when = window_of(policy);
    auto const& over = over_[policy];
    if (over.window == when.number && over.known.contains(counted)) {
        metrics_.cached_rejections.add();
        return decide(policy, {counted, when.number}, settings_.policy(policy).limit + 1, when.seconds_left);
    }
    if (counter_.now()) return std::nullopt;
    metrics_.counted_locally.add();
    local_counts::client_key const client{counted, when.number};
    auto const base = shared_.tables[policy].count_locally(client, 1);
    return decide(policy, client, base + 1, when.seconds_left);
}

task<decision> limiter::in_batch(route const& to, ip_address const& address) {
    auto const policy = policy_of(to);
    auto const counted = count_address(address, settings_.ipv6_bits);
    auto const start = [this, policy, counted](completion<decision> resume) {
        join(policy, counted, std::move(resume));
    };
    return suspend<decision>(context_.get_executor(), start);
}

void limiter::join(std::size_t policy, ip_address const& counted, completion<decision> resume) {
    if (!open_) {
        if (spare_.empty()) spare_.push_back(std::make_unique<count_batch>());
        open_ = std::move(spare_.back());
        spare_.pop_back();
        open_->began = steady_clock::now();
        if (in_flight_ > 0 && round_trip_ < quick) hold();
        else post_flush();
    }
    open_->find_or_add(policy, counted, window_of(policy)).waiting.push_back(std::move(resume));
}

// Until the write in progress is answered. Should that take long after all, requests go on their own; one timer, armed
// again only when it fires, watches over all that are held.
void limiter::hold() {
    if (std::exchange(hold_armed_, true)) return;
    batch_timer_.expires_at(open_->began + longest_hold);
    batch_timer_.async_wait([this, alive = std::weak_ptr<void>(alive_)](auto cancelled) {
        if (cancelled || alive.expired()) return;
        hold_armed_ = false;
        if (!open_ || flush_posted_) return;
        if (steady_clock::now() >= open_->began + longest_hold) flush();
        else hold();
    });
}

// Runs after everything that is ready in this iteration of the event loop, so that all of it shares one write.
void limiter::post_flush() {
    if (std::exchange(flush_posted_, true)) return;
    asio::post(context_, [this, alive = std::weak_ptr<void>(alive_)] {
        if (alive.expired()) return;
        flush_posted_ = false;
        flush();
    });
}

void limiter::flush() {
    if (!open_) return;
    auto now = std::move(open_);
    if (!counter_.now()) return count_locally(*now);
    now->under = *counter_.now();
    commands_.clear();
    std::size_t expected = 0;
    for (std::size_t i = 0; i < now->used; ++i) {
        auto& one = now->groups[i];
        one.sent = shared_.tables[one.policy].take_delta(one.client, static_cast<std::int64_t>(one.waiting.size()),
                                                         now->under);
        expected += add_count(commands_, key_, settings_, one.policy, one.client, now->under, one.sent);
        one.total_at = expected - 1;
    }
    metrics_.redis_writes.add();
    ++in_flight_;
    auto const late_at = now->began + settings_.response_limit;
    now->sent_at = steady_clock::now();
    auto* const sent = now.release(); // finish() takes it back: the connection calls every handler
    auto const done = [this, sent](redis::batch_status what, std::vector<redis::reply>& replies) {
        finish(sent, what, replies);
    };
    redis_.send(commands_, done, late_at);
}

void limiter::finish(count_batch* sent, redis::batch_status what, std::vector<redis::reply>& replies) {
    std::unique_ptr<count_batch> done(sent);
    --in_flight_;
    if (what == redis::batch_status::answered) {
        round_trip_ = steady_clock::now() - done->sent_at;
        metrics_.redis_latency.observe(round_trip_);
    } else {
        fail("no answer");
    }
    for (std::size_t i = 0; i < done->used; ++i) {
        auto& one = done->groups[i];
        answer(one, base_of(one, done->under, what, replies));
    }
    done->reset();
    spare_.push_back(std::move(done));
    // The requests that were held are written after one more iteration of the loop, which adds others to the batch.
    if (!open_) return;
    asio::post(context_, [this, alive = std::weak_ptr<void>(alive_)] {
        if (!alive.expired()) post_flush();
    });
}

// Of the group's requests: the number before the first one's.
std::int64_t limiter::base_of(count_batch::group const& one, generation under, redis::batch_status what,
                              std::vector<redis::reply> const& replies) {
    auto& table = shared_.tables[one.policy];
    auto const n = static_cast<std::int64_t>(one.waiting.size());
    bool const answered = what == redis::batch_status::answered;
    if (!answered || replies[one.total_at].type != redis::reply::kind::integer) {
        if (answered) fail(replies[one.total_at].text);
        metrics_.counted_locally.add(static_cast<std::uint64_t>(n));
        return table.failed(one.client, n, under, one.sent, what == redis::batch_status::lost);
    }
    auto const ranked = table.answered(one.client, n, under, one.sent, replies[one.total_at].integer);
    bool const may_stay_for_ever = one.sent.fresh && replies[one.total_at - 1].is_error();
    if (ranked.counter_decreased || may_stay_for_ever) give_lifetime(one, under);
    if (ranked.counter_decreased) counter_.poll();
    return ranked.base;
}

void limiter::fail(std::string_view why) {
    metrics_.redis_errors.add();
    counter_.note_error(why);
}

// Redis lost the key, and our INCRBY made it anew: without a lifetime.
void limiter::give_lifetime(count_batch::group const& one, generation under) {
    std::string key;
    append_count_key(key, one.policy, one.client, settings_.ipv6_bits, under);
    redis::batch command;
    command.add({"EXPIRE", key, key_lifetime(settings_.policy(one.policy))});
    redis_.send(command, [](redis::batch_status, std::vector<redis::reply>&) {});
}

// Redis went away between the requests' joining and their write.
void limiter::count_locally(count_batch& done) {
    for (std::size_t i = 0; i < done.used; ++i) {
        auto& one = done.groups[i];
        auto const n = static_cast<std::int64_t>(one.waiting.size());
        metrics_.counted_locally.add(static_cast<std::uint64_t>(n));
        answer(one, shared_.tables[one.policy].count_locally(one.client, n));
    }
}

void limiter::answer(count_batch::group& one, std::int64_t base) {
    for (auto& waiter : one.waiting) waiter.succeed(decide(one.policy, one.client, ++base, one.seconds_left));
}

decision limiter::decide(std::size_t policy, local_counts::client_key const& client, std::int64_t rank,
                         int seconds_left) {
    auto const& limited = settings_.policy(policy);
    auto const decided = evaluate(rank, limited, seconds_left, settings_.shadow());
    auto const& counters = metrics_.by_policy[policy];
    if (decided.over) counters.count(decided);
    else counters.allowed.add();
    auto& over = over_[policy];
    if (rank < limited.limit || client.window < over.window) return decided; // in progress when its window ended
    if (over.window != client.window) {
        over.window = client.window;
        over.known.clear();
    }
    if (over.known.size() < over_clients_limit) over.known.insert(client.address);
    return decided;
}

} // namespace recruiting::gateway
