#include "gateway/upstream_choice.hpp"

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

} // namespace recruiting::gateway
