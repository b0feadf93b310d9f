// How often strangers may cause something costly: each client a few times, all together no more than can be borne.
// Clients that cause it repeatedly can't use up what is kept for the first time of others. Any thread may ask.
#pragma once
#include "core/ip.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>

namespace recruiting {

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

} // namespace recruiting
