#include "public_api/limits/window_counts.hpp"

#include "public_api/limits/window.hpp"

namespace recruiting::public_api {

std::int64_t window_counts::add_one(counted_use const& use, timestamp now) {
    auto const [at, is_new] = counts_.try_emplace({window_at(now, use.window).ends_at, count_key(use, now)}, 0);
    auto const count = ++at->second;
    if (is_new && counts_.size() > most_) counts_.erase(counts_.begin());
    return count;
}

std::vector<std::int64_t> window_counts::add(std::vector<counted_use> const& uses, timestamp now) {
    std::lock_guard const lock(mutex_);
    while (!counts_.empty() && counts_.begin()->first.first <= now) counts_.erase(counts_.begin());
    std::vector<std::int64_t> counts;
    for (auto const& use : uses) counts.push_back(add_one(use, now));
    return counts;
}

std::size_t window_counts::size() const {
    std::lock_guard const lock(mutex_);
    return counts_.size();
}

} // namespace recruiting::public_api
