#include "gateway/ceiling.hpp"

#include "core/log.hpp"

namespace recruiting::gateway {
namespace {

using std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto quick = 3ms; // a Redis that answers so is worth waiting for
constexpr auto longest_hold = 5ms;

std::size_t policy_of(route const& to) noexcept { return static_cast<std::size_t>(to.to); }

} // namespace

ceiling::ceiling(asio::io_context& context, redis::connection& redis, ceiling_shared& shared, time_source const& clock,
                 ceiling_settings settings, ceiling_metrics& counters)
    : context_(context), redis_(redis), shared_(shared), clock_(clock), settings_(std::move(settings)),
      metrics_(counters), reigns_(context, redis, shared, clock, settings_, counters), held_too_long_(context) {}

window ceiling::window_of(std::size_t policy) const {
    return window_at(clock_.now(), settings_.policies[policy].window_seconds);
}

void ceiling::redis_changed(bool up, std::string_view why) {
    bool const first_up = up && !shared_.was_connected.exchange(true);
    bool const was_away = away_;
    bool const told = shared_.away.set(away_, !up);
    if (up && (told || (first_up && !was_away))) log::info("redis_connected", {{"address", settings_.redis}});
    if (!up && told) log::warning("redis_away", {{"address", settings_.redis}, {"reason", why}});
    reigns_.connection_changed(up);
}

std::optional<verdict> ceiling::at_once(route const& to, ip_address const& client) {
    auto const policy = policy_of(to);
    auto const counted = count_address(client, settings_.ipv6_bits);
    auto const when = window_of(policy);
    auto const& over = over_[policy];
    if (over.window == when.number && over.known.contains(counted)) {
        metrics_.refused_from_memory.add();
        return decide(policy, {counted, when.number}, settings_.policies[policy].limit + 1, when.seconds_left);
    }
    if (reigns_.now()) return std::nullopt;
    metrics_.counted_alone.add();
    count_table::client const who{counted, when.number};
    auto const base = shared_.tables[policy].count_alone(who, 1);
    return decide(policy, who, base + 1, when.seconds_left);
}

task<verdict> ceiling::in_turn(route const& to, ip_address const& client) {
    auto const policy = policy_of(to);
    auto const counted = count_address(client, settings_.ipv6_bits);
    auto const start = [this, policy, counted](completion<verdict> resume) {
        join(policy, counted, std::move(resume));
    };
    return suspend<verdict>(context_.get_executor(), start);
}

void ceiling::join(std::size_t policy, ip_address const& counted, completion<verdict> resume) {
    if (!open_) {
        if (spare_.empty()) spare_.push_back(std::make_unique<turn>());
        open_ = std::move(spare_.back());
        spare_.pop_back();
        open_->began = steady_clock::now();
        if (may_hold()) hold();
        else post_flush();
    }
    open_->find_or_add(policy, counted, window_of(policy)).waiting.push_back(std::move(resume));
}

bool ceiling::may_hold() const noexcept { return under_way_ > 0 && round_trip_ < quick; }

// Until the write under way is answered. Should that take long after all, requests go on their own; one timer, armed
// again only when it fires, watches over all that are held.
void ceiling::hold() {
    if (std::exchange(hold_armed_, true)) return;
    held_too_long_.expires_at(open_->began + longest_hold);
    held_too_long_.async_wait([this, alive = std::weak_ptr<void>(alive_)](auto cancelled) {
        if (cancelled || alive.expired()) return;
        hold_armed_ = false;
        if (!open_ || flush_posted_) return;
        if (steady_clock::now() >= open_->began + longest_hold) flush();
        else hold();
    });
}

// Runs behind everything this turn of the loop has ready, so all of it shares one write.
void ceiling::post_flush() {
    if (std::exchange(flush_posted_, true)) return;
    asio::post(context_, [this, alive = std::weak_ptr<void>(alive_)] {
        if (alive.expired()) return;
        flush_posted_ = false;
        flush();
    });
}

void ceiling::flush() {
    if (!open_) return;
    auto now = std::move(open_);
    if (!reigns_.now()) return count_alone(*now);
    now->under = *reigns_.now();
    commands_.clear();
    std::size_t expected = 0;
    for (std::size_t i = 0; i < now->used; ++i) {
        auto& one = now->groups[i];
        one.sent =
            shared_.tables[one.policy].claim_for(one.who, static_cast<std::int64_t>(one.waiting.size()), now->under);
        expected += add_count(commands_, key_, settings_, one.policy, one.who, now->under, one.sent);
        one.total_at = expected - 1;
    }
    metrics_.redis_writes.add();
    ++under_way_;
    auto const late_at = now->began + settings_.answer_limit;
    now->sent_at = steady_clock::now();
    auto* const sent = now.release(); // settle() takes it back: the connection calls every handler
    auto const done = [this, sent](redis::outcome what, std::vector<redis::reply>& replies) {
        settle(sent, what, replies);
    };
    redis_.send(commands_, done, late_at);
}

} // namespace recruiting::gateway
