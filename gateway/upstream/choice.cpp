#include "gateway/upstream/choice.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace recruiting::gateway {
namespace {

bool is_open(candidate const& one, tried_addresses const& tried) noexcept {
    if (one.rank == address_rank::down || (one.rank == address_rank::trial && one.in_flight > 0)) return false;
    return !tried.holds(one.id);
}

} // namespace

candidate* choose(std::span<candidate* const> all, tried_addresses const& tried, std::uint32_t random) noexcept {
    auto best = address_rank::down;
    for (auto const* one : all)
        if (is_open(*one, tried)) best = std::min(best, one->rank);
    auto const is_best = [&](candidate const* one) { return one->rank == best && is_open(*one, tried); };
    auto const equals = static_cast<std::uint32_t>(std::count_if(all.begin(), all.end(), is_best));
    if (equals == 0) return nullptr;
    // An address that returns has nothing in progress, and would draw every request: it takes part in share/equals of
    // the choices, so that it gets share per cent of an equal part however much or little there is to do.
    auto const draw = (random >> 8) % (100 * equals);
    auto const cost = [&](candidate const& one) {
        bool const waits = one.share < 100 && draw >= one.share;
        return std::tuple(tried.avoids(one.id), waits, one.in_flight);
    };
    candidate* chosen = nullptr;
    std::size_t at = random % all.size();
    for (std::size_t i = 0; i < all.size(); ++i, at = at + 1 == all.size() ? 0 : at + 1)
        if (is_best(all[at]) && (chosen == nullptr || cost(*all[at]) < cost(*chosen))) chosen = all[at];
    return chosen;
}

bool address_health::note_failure(bool reached, time_point now) noexcept {
    trial_at_ = now + trial_pause;
    reached_ = reached;
    proven_ = proven_ && reached;
    if (ejected()) return false;
    if (++failures_ < policy_.failures && !returned_at_) return false;
    auto const doublings = std::min(ejections_++, 16U);
    ejected_until_ = now + std::min(policy_.time * (std::int64_t{1} << doublings), policy_.longest);
    returned_at_.reset();
    return true;
}

bool address_health::note_state(health_state found, time_point now) noexcept {
    auto const before = std::exchange(state_, found);
    if (found == before) return false;
    proven_ = false;
    if (found == health_state::ready && before != health_state::unknown) begin_return(now);
    return found > before && found != health_state::ready;
}

void address_health::begin_return(time_point now) noexcept {
    ejected_until_.reset();
    proven_ = true;
    failures_ = 0;
    returned_at_ = now;
}

void address_health::advance(time_point now) noexcept {
    if (ejected_until_ && now >= *ejected_until_) begin_return(now);
    if (!returned_at_ || now - *returned_at_ < policy_.slow_start) return;
    returned_at_.reset();
    ejections_ = 0;
}

address_rank address_health::rank(time_point now) const noexcept {
    if (state_ == health_state::silent) return address_rank::down; // a trial would wait for nothing
    bool const refuses = state_ == health_state::refused && !proven_;
    if (refuses || (ejected() && !reached_)) return now < trial_at_ ? address_rank::down : address_rank::trial;
    // One that loses requests may lose some only: better than none, when there is none.
    return ejected() || state_ == health_state::unready ? address_rank::doubtful : address_rank::healthy;
}

std::uint32_t address_health::share(time_point now) const noexcept {
    constexpr std::int64_t least = 10;
    if (!returned_at_ || policy_.slow_start.count() == 0) return 100;
    auto const passed = std::chrono::duration_cast<std::chrono::milliseconds>(now - *returned_at_);
    auto const grown = passed.count() * (100 - least) / policy_.slow_start.count();
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(least + grown, least, 100));
}

} // namespace recruiting::gateway
