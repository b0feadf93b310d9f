#include "gateway/upstream/choice.hpp"

#include <array>
#include <utility>

namespace recruiting::gateway {
namespace {

bool is_open(candidate const& one, tried_addresses const& tried) noexcept {
    if (one.rank == address_rank::down || (one.rank == address_rank::trial && one.under_way > 0)) return false;
    return !tried.holds(one.id);
}

} // namespace

candidate* choose(std::span<candidate* const> all, tried_addresses const& tried, std::uint32_t random) noexcept {
    auto best = address_rank::down;
    std::uint32_t equals = 0; // how many of the best rank
    for (auto const* one : all) {
        if (one->rank > best || !is_open(*one, tried)) continue;
        equals = one->rank == best ? equals + 1 : 1;
        best = one->rank;
    }
    if (equals == 0) return nullptr;
    // An address that returns has nothing under way, and would draw every request: it takes part in share/equals of the
    // choices, so that it gets share per cent of an equal part however much or little there is to do.
    auto const draw = (random >> 8) % (100 * equals);
    enum { taking_part, returning, avoided };
    std::array<candidate*, 3> least{};
    std::size_t at = random % all.size();
    for (std::size_t i = 0; i < all.size(); ++i, at = at + 1 == all.size() ? 0 : at + 1) {
        auto* const one = all[at];
        if (one->rank != best || !is_open(*one, tried)) continue;
        auto const as = one->share < 100 && draw >= one->share ? returning : taking_part;
        auto*& best_so_far = least[tried.avoids(one->id) ? avoided : as];
        if (best_so_far == nullptr || one->under_way < best_so_far->under_way) best_so_far = one;
    }
    return *std::find_if(least.begin(), least.end(), [](auto const* one) { return one != nullptr; });
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

bool address_health::note_state(health_state said, time_point now) noexcept {
    auto const before = std::exchange(state_, said);
    if (said == before) return false;
    proven_ = false;
    if (said == health_state::ready && before != health_state::unknown) begin_return(now);
    return said > before && said != health_state::ready;
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
