#include "gateway/upstream/choice.hpp"

#include <algorithm>
#include <utility>

namespace recruiting::gateway {
namespace {

struct field {
    address_rank rank{address_rank::down};
    std::uint32_t size{0};
};

bool is_open(candidate const& one, tried_addresses const& tried) noexcept {
    if (one.rank == address_rank::down || (one.rank == address_rank::trial && one.under_way > 0)) return false;
    return !tried.holds(one.id);
}

field best_of(std::span<candidate* const> all, tried_addresses const& tried) noexcept {
    field best;
    for (auto const* one : all) {
        if (one->rank > best.rank || !is_open(*one, tried)) continue;
        if (one->rank < best.rank) best = {one->rank, 0};
        ++best.size;
    }
    return best;
}

} // namespace

candidate* choose(std::span<candidate* const> all, tried_addresses const& tried, std::uint32_t random) noexcept {
    auto const best = best_of(all, tried);
    if (best.size == 0) return nullptr;
    // An address that returns has nothing under way, and would draw every request: it takes part in share/size of the
    // choices, so that it gets share per cent of an equal part however much or little there is to do.
    auto const draw = (random >> 8) % (100 * best.size);
    candidate* chosen = nullptr;
    candidate* returning = nullptr;
    candidate* avoided = nullptr;
    std::size_t at = random % all.size();
    for (std::size_t i = 0; i < all.size(); ++i, at = at + 1 == all.size() ? 0 : at + 1) {
        auto* const one = all[at];
        if (one->rank != best.rank || !is_open(*one, tried)) continue;
        auto*& better = one->share < 100 && draw >= one->share ? returning : chosen;
        auto*& least = tried.avoids(one->id) ? avoided : better;
        if (least == nullptr || one->under_way < least->under_way) least = one;
    }
    if (chosen != nullptr) return chosen;
    return returning != nullptr ? returning : avoided;
}

health_state evaluate(health_state before, check_result found, unsigned& in_row) noexcept {
    constexpr unsigned silent_in_row = 2;
    in_row = found == check_result::silent ? in_row + 1 : 0;
    switch (found) {
    case check_result::ready: return health_state::ready;
    case check_result::unready: return health_state::unready;
    case check_result::refused: return health_state::refused;
    case check_result::silent: break;
    }
    return in_row >= silent_in_row ? health_state::silent : before;
}

bool address_health::note_failure(bool reached, time_point now) noexcept {
    trial_at_ = now + trial_pause;
    reached_ = reached;
    proven_ = proven_ && reached;
    if (ejected_) return false;
    if (++failures_ < policy_.failures && !returning_) return false;
    auto const doublings = std::min(ejections_++, 16U);
    ejected_until_ = now + std::min(policy_.time * (std::int64_t{1} << doublings), policy_.longest);
    ejected_ = true;
    returning_ = false;
    return true;
}

bool address_health::note_state(health_state said, time_point now) noexcept {
    auto const before = std::exchange(state_, said);
    if (said == before) return false;
    proven_ = false;
    if (said == health_state::ready && before != health_state::unknown) begin_return(now);
    return said > before && said != health_state::ready;
}

void address_health::begin_return(time_point now) noexcept {
    ejected_ = false;
    proven_ = true;
    failures_ = 0;
    returning_ = true;
    returned_at_ = now;
}

void address_health::advance(time_point now) noexcept {
    if (ejected_ && now >= ejected_until_) begin_return(now);
    if (!returning_ || now - returned_at_ < policy_.slow_start) return;
    returning_ = false;
    ejections_ = 0;
}

address_rank address_health::rank(time_point now) const noexcept {
    if (state_ == health_state::silent) return address_rank::down; // a trial would wait for nothing
    bool const refuses = state_ == health_state::refused && !proven_;
    if (refuses || (ejected_ && !reached_)) return now < trial_at_ ? address_rank::down : address_rank::trial;
    // One that loses requests may lose some only: better than none, when there is none.
    return ejected_ || state_ == health_state::unready ? address_rank::doubtful : address_rank::healthy;
}

std::uint32_t address_health::share(time_point now) const noexcept {
    constexpr std::int64_t least = 10;
    if (!returning_ || policy_.slow_start.count() == 0) return 100;
    auto const passed = std::chrono::duration_cast<std::chrono::milliseconds>(now - returned_at_);
    auto const grown = passed.count() * (100 - least) / policy_.slow_start.count();
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(least + grown, least, 100));
}

} // namespace recruiting::gateway
