#include "gateway/upstream/pool.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace recruiting::gateway {

namespace {

using namespace std::chrono_literals;

constexpr auto connect_timeout = 2s;   // a lost SYN is sent again after one
constexpr auto idle_limit = 30s;       // shorter than the services' idle timeout (75 s)
constexpr std::size_t idle_most = 512; // of an address: more than a thread keeps busy
constexpr auto waiting_limit = 5s;     // for a permit: a client that waits longer has given up or tries again

bool takes_requests(candidate const& one, tried_addresses const& tried, coarse_clock::time_point now) noexcept {
    return one.state != health_state::silent && one.circuit.allows(now) && (one.id != tried.id || tried.was_stale);
}

} // namespace

candidate* choose(std::span<candidate* const> all, tried_addresses const& tried, coarse_clock::time_point now,
                  std::uint32_t random) noexcept {
    auto const cost = [&tried](candidate const& one) {
        return std::tuple(std::max(one.state, health_state::ready), one.id == tried.id, one.in_flight);
    };
    candidate* chosen = nullptr;
    for (std::size_t i = 0, at = all.empty() ? 0 : random % all.size(); i < all.size(); ++i, ++at) {
        auto* const one = all[at < all.size() ? at : at - all.size()];
        if (takes_requests(*one, tried, now) && (chosen == nullptr || cost(*one) < cost(*chosen))) chosen = one;
    }
    return chosen;
}

upstream::upstream(asio::io_context& context, ticker& clock, stream_watch& watch, upstream_directory& directory,
                   std::int64_t requests, upstream_metrics& counters, tls_client const* tls)
    : context_(context), clock_(clock), watch_(watch), directory_(directory), requests_(requests), metrics_(counters),
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
    return in_flight_ < requests_ && !may_know_more;
}

bool upstream::enter() noexcept {
    if (candidates_.empty() && directory_.epoch() != seen_epoch_) refresh();
    if (!line_.empty() || !has_capacity()) return false;
    ++in_flight_;
    return true;
}

task<bool> upstream::wait() {
    if (stopped_ || static_cast<std::int64_t>(line_.size()) >= requests_) {
        metrics_.rejected_full.add();
        co_return false;
    }
    auto const join = [this](completion<bool> resume) {
        line_.push_back({std::move(resume), clock_.now() + waiting_limit});
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
    return {*this, static_cast<upstream_address*>(choose(candidates_, tried, clock_.now(), random))};
}

void upstream::refresh() {
    seen_epoch_ = directory_.epoch(); // before the list: what changes meanwhile is seen next time
    auto const targets = directory_.targets();
    for (auto const& target : targets) {
        auto const is_it = [&target](auto const& one) { return one->target == target; };
        if (std::any_of(addresses_.begin(), addresses_.end(), is_it)) continue;
        addresses_.push_back(std::make_unique<upstream_address>(next_id_++, target));
    }
    candidates_.clear();
    for (auto& one : addresses_) {
        one->gone = std::find(targets.begin(), targets.end(), one->target) == targets.end();
        if (!one->gone) candidates_.push_back(one.get());
        auto const found = one->target->checked.load(std::memory_order_acquire);
        auto const before = std::exchange(one->state, found);
        if (found == health_state::ready && before != found) one->circuit.close();
        if (found == health_state::refused && before != found) one->circuit.note_failure(clock_.now());
        bool const worse = found > before && found != health_state::ready;
        if (worse || one->gone) one->idle.clear(); // its connections would be closed under the next requests
    }
    call_waiting();
}

void upstream::on_tick(coarse_clock::time_point now) {
    if (directory_.epoch() != seen_epoch_) refresh();
    for (auto& one : addresses_)
        std::erase_if(one->idle, [&](handle const& connection) { // also when the service closed it meanwhile
            return now - connection->idle_since > idle_limit || !connection->io.seems_quiet();
        });
    std::erase_if(addresses_, [](auto const& one) { return one->gone && one->in_flight == 0; });
    for (; !line_.empty() && line_.front().until <= now; metrics_.rejected_late.add()) answer_first(false);
    publish();
}

void upstream::publish() noexcept {
    auto const waiting = static_cast<std::int64_t>(line_.size());
    metrics_.in_flight.add(in_flight_ - std::exchange(reported_in_flight_, in_flight_));
    metrics_.waiting.add(waiting - std::exchange(reported_waiting_, waiting));
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
    if (of_.stopped_ || at_->gone || at_->idle.size() >= idle_most) return;
    connection->idle_since = of_.clock_.now();
    at_->idle.push_back(std::move(connection));
}

task<upstream::handle> upstream::lease::connect() {
    at_->circuit.note_try(of_.clock_.now());
    auto made = std::make_unique<upstream_connection>(of_.watch_, at_->target->host);
    auto const result = co_await connect_to(at_->target, made->io, of_.tls_, connect_timeout);
    bool const good = result == connect_result::made;
    if (!good) log_tls_failure(*at_->target, made->io);
    (good ? of_.metrics_.connects : of_.metrics_.connect_failures).add();
    if (good) {
        at_->circuit.close();
    } else if (result == connect_result::refused || result == connect_result::late) {
        at_->circuit.note_failure(coarse_clock::now());
        at_->idle.clear();
    }
    if (!good) made.reset();
    co_return made;
}

} // namespace recruiting::gateway
