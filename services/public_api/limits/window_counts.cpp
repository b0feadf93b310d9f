#include "public_api/limits/window_counts.hpp"

#include "public_api/limits/window.hpp"

#include <iterator>

namespace recruiting::public_api {
namespace {

// Keys are digests, so the next one is any one: nobody chooses whose count is forgotten.
template <class Counts>
void forget_neighbour(Counts& counts, typename Counts::iterator added) {
    auto const next = std::next(added);
    counts.erase(next == counts.end() ? counts.begin() : next);
}

} // namespace

local_count window_counts::add_one(counted_use const& use, timestamp now) {
    auto& held = tables_[use.name];
    auto const window = window_at(now, use.window).number;
    // A thread whose clock was read just before the window began counts in the new one.
    if (window > held.window) held = {window, {}, {}};
    if (auto const known = held.shared.find(use.key); known != held.shared.end()) return {++known->second, true};
    if (held.shared.size() < most_) {
        held.shared.emplace(use.key, 1);
        return {1, true};
    }
    auto const [at, is_new] = held.own.try_emplace(use.key, 0);
    auto const count = ++at->second;
    if (is_new && held.own.size() > most_) forget_neighbour(held.own, at);
    return {count, false};
}

std::vector<local_count> window_counts::add(std::vector<counted_use> const& uses, timestamp now) {
    std::lock_guard const lock(mutex_);
    std::vector<local_count> counts;
    bool is_refused = false;
    for (auto const& use : uses) {
        auto const counted = use.is_silent && is_refused ? local_count{} : add_one(use, now);
        is_refused |= !use.is_silent && counted.count > use.most;
        counts.push_back(counted);
    }
    return counts;
}

std::size_t window_counts::size() const {
    std::lock_guard const lock(mutex_);
    std::size_t all = 0;
    for (auto const& [limit, held] : tables_) all += held.shared.size() + held.own.size();
    return all;
}

} // namespace recruiting::public_api
