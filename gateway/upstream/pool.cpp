#include "gateway/upstream/pool.hpp"

#include "core/log.hpp"

#include <algorithm>
#include <utility>

namespace recruiting::gateway {

upstream::upstream(asio::io_context& context, ticker& clock, stream_watch& watch, upstream_directory& directory,
                   upstream_policy const& policy, upstream_metrics& counters, tls_client const* tls)
    : context_(context), clock_(clock), watch_(watch), directory_(directory), policy_(policy), metrics_(counters),
      tls_(tls), subscription_(clock.subscribe([this](coarse_clock::time_point now) { on_tick(now); })) {
    refresh();
}

void upstream::stop() noexcept {
    if (std::exchange(stopped_, true)) return;
    clock_.unsubscribe(subscription_);
    while (!line_.empty()) answer_first(false);
    for (auto& one : addresses_) one->idle.clear();
    publish();
}

bool upstream::has_capacity() const noexcept {
    bool const may_know_more = candidates_.empty() && !directory_.is_resolved();
    return in_flight_ < policy_.requests && !may_know_more;
}

bool upstream::enter() noexcept {
    if (candidates_.empty() && directory_.epoch() != seen_epoch_) refresh();
    if (!line_.empty() || !has_capacity()) return false;
    ++in_flight_;
    return true;
}

task<bool> upstream::wait() {
    if (stopped_ || static_cast<std::int64_t>(line_.size()) >= policy_.waiting) {
        metrics_.rejected_full.add();
        co_return false;
    }
    auto const join = [this](completion<bool> resume) {
        line_.push_back({std::move(resume), clock_.now() + policy_.waiting_timeout});
    };
    bool const called = co_await suspend<bool>(context_.get_executor(), join);
    co_return called;
}

void upstream::leave() {
    --in_flight_;
    call_waiting();
}

void upstream::call_waiting() {
    for (; !line_.empty() && has_capacity(); ++in_flight_) answer_first(true);
}

void upstream::answer_first(bool permitted) {
    auto first = std::move(line_.front());
    line_.pop_front();
    first.resume.succeed(permitted);
}

upstream::lease upstream::next(tried_addresses const& tried) {
    if (directory_.epoch() != seen_epoch_) refresh();
    auto const random = static_cast<std::uint32_t>(random_());
    return {*this, static_cast<upstream_address*>(choose(candidates_, tried, random))};
}

void upstream::refresh() {
    seen_epoch_ = directory_.epoch(); // before the list: what changes meanwhile is seen next time
    auto const targets = directory_.targets();
    for (auto const& target : targets) {
        auto const is_it = [&target](auto const& one) { return one->target == target; };
        if (std::any_of(addresses_.begin(), addresses_.end(), is_it)) continue;
        addresses_.push_back(std::make_unique<upstream_address>(next_id_++, target, policy_.ejection));
    }
    candidates_.clear();
    for (auto& one : addresses_) {
        one->gone = std::find(targets.begin(), targets.end(), one->target) == targets.end();
        if (!one->gone) candidates_.push_back(one.get());
        bool const worse =
            one->health.note_state(one->target->checked.load(std::memory_order_acquire), coarse_clock::now());
        if (worse || one->gone) one->idle.clear(); // its connections would be closed under the next requests
        evaluate(*one);
    }
    call_waiting();
}

void upstream::evaluate(upstream_address& one) {
    auto const now = coarse_clock::now();
    one.health.advance(now);
    one.rank = one.health.rank(now);
    one.share = one.health.share(now);
}

void upstream::on_tick(coarse_clock::time_point now) {
    if (directory_.epoch() != seen_epoch_) refresh();
    for (auto& one : addresses_) {
        evaluate(*one);
        std::erase_if(one->idle, [&](handle const& connection) { // also when the service closed it meanwhile
            return now - connection->idle_since > policy_.idle_timeout || !connection->io.seems_quiet();
        });
    }
    std::erase_if(addresses_, [](auto const& one) { return one->gone && one->in_flight == 0; });
    for (; !line_.empty() && line_.front().until <= now; metrics_.rejected_late.add()) answer_first(false);
    publish();
}

void upstream::publish() noexcept {
    auto const waiting = static_cast<std::int64_t>(line_.size());
    metrics_.in_flight.add(in_flight_ - std::exchange(reported_in_flight_, in_flight_));
    metrics_.waiting.add(waiting - std::exchange(reported_waiting_, waiting));
}

upstream::lease::lease(upstream& of, upstream_address* at) noexcept
    : of_(of), at_(at), trial_(at != nullptr && (at->rank == address_rank::trial || at->health.ejected())) {
    if (at_ != nullptr) ++at_->in_flight;
}

upstream::lease::~lease() {
    if (at_ != nullptr) --at_->in_flight;
}

upstream::handle upstream::lease::take_idle(bool checked) {
    auto& idle = at_->idle;
    while (!idle.empty()) {
        auto last = std::move(idle.back());
        idle.pop_back();
        if (checked ? !last->io.is_quiet() : !last->io.seems_quiet()) continue;
        last->reused = true;
        return last;
    }
    return nullptr;
}

void upstream::lease::give_back(handle connection) {
    if (of_.stopped_ || at_->gone || at_->idle.size() >= static_cast<std::size_t>(of_.policy_.pool)) return;
    connection->idle_since = of_.clock_.now();
    at_->idle.push_back(std::move(connection));
}

task<upstream::handle> upstream::lease::connect() {
    auto made = std::make_unique<upstream_connection>(of_.watch_, at_->target->host);
    auto const result = co_await connect_to(at_->target, made->io, of_.tls_, of_.policy_.connect_timeout);
    bool const good = result == connect_result::made;
    if (!good && made->io.tls()) {
        auto const why = made->io.is_broken() ? "it took too long" : made->io.tls().failure();
        log::warning("upstream_tls_failed", {{"address", at_->target->host}, {"message", why}});
    }
    (good ? of_.metrics_.connects : of_.metrics_.connect_failures).add();
    if (result == connect_result::refused || result == connect_result::late) note_failure(false);
    if (!good) made.reset();
    co_return made;
}

void upstream::lease::note_success() noexcept {
    at_->health.note_success(trial_, of_.clock_.now());
    if (trial_) of_.evaluate(*at_);
}

void upstream::lease::note_failure(bool reached) {
    bool const ejected = at_->health.note_failure(reached, coarse_clock::now());
    of_.evaluate(*at_);
    if (!ejected) return;
    at_->idle.clear();
    of_.metrics_.ejections.add();
    log::warning("upstream_ejected", {{"address", at_->target->host}});
}

} // namespace recruiting::gateway
