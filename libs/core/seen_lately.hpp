// Has this been seen in the last while? In bounded memory, and without keeping what was seen: hashes only. When it is
// full the oldest is forgotten, so that something is rather seen twice than never.
#pragma once
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <string_view>
#include <unordered_set>

namespace recruiting {

class seen_lately {
public:
    using clock = std::chrono::steady_clock;

    seen_lately(std::size_t most, clock::duration window) : most_(most), window_(window) {}

    /// false: it was seen less than the window ago. now must not go back.
    [[nodiscard]] bool is_new(std::string_view what, clock::time_point now) {
        while (!order_.empty() && order_.front().at + window_ <= now) forget_oldest();
        auto const hash = std::hash<std::string_view>{}(what);
        if (hashes_.contains(hash)) return false;
        if (order_.size() >= most_) forget_oldest();
        hashes_.insert(hash);
        order_.push_back({hash, now});
        return true;
    }

private:
    struct sighting {
        std::size_t hash;
        clock::time_point at;
    };
    void forget_oldest() {
        hashes_.erase(order_.front().hash);
        order_.pop_front();
    }
    std::size_t most_;
    clock::duration window_;
    std::deque<sighting> order_; // the oldest first
    std::unordered_set<std::size_t> hashes_;
};

} // namespace recruiting
