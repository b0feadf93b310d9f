// How often strangers may cause something costly.
#pragma once
#include "core/ip.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string_view>
#include <unordered_set>

namespace recruiting {

/// Each client may a few times, all together no more than can be borne. Clients that come again can't use up what is
/// kept for the first time of others. Any thread may ask.
class fair_budget {
public:
    using clock = std::chrono::steady_clock;
    struct limits {
        std::int64_t each{20}; // of one client
        std::int64_t all{600}; // half of it is kept for clients' first ones
    };
    fair_budget(limits may, clock::duration window) : may_(may), window_(window) {}

    /// One more of this client: an IPv4 address, or an IPv6 /48, because its owner has any number of addresses.
    /// false: it is one too many.
    [[nodiscard]] bool take(ip_address const& client, clock::time_point now) {
        std::lock_guard const lock(mutex_);
        if (now >= ends_) {
            ends_ = now + window_;
            by_client_.clear();
            taken_ = repeated_ = 0;
        }
        if (taken_ >= may_.all) return false;
        auto const key = client.is_v4() ? client : first_bits(client, 48);
        auto const found = by_client_.find(key);
        if (found == by_client_.end()) {
            by_client_.emplace(key, 1);
        } else {
            if (found->second >= may_.each || repeated_ >= may_.all / 2) return false;
            ++found->second;
            ++repeated_;
        }
        ++taken_;
        return true;
    }

private:
    std::mutex mutex_;
    limits may_;
    clock::duration window_;
    clock::time_point ends_{};
    std::map<ip_address, std::int64_t> by_client_; // of this window: at most limits::all
    std::int64_t taken_{0};
    std::int64_t repeated_{0}; // of those, beyond a client's first
};

/// Whether something has been seen within the window: it keeps hashes only, at most `most`. When it is full it drops
/// the oldest, so that something counts as new twice rather than never. Not synchronized.
class recent_set {
public:
    using clock = std::chrono::steady_clock;

    recent_set(std::size_t most, clock::duration window) : most_(most), window_(window) {}

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
