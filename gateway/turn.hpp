// The requests that share one write to Redis, by client. Its storage is used again and again.
#pragma once
#include "async/completion.hpp"
#include "gateway/count_table.hpp"
#include "gateway/window.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <vector>

namespace recruiting::gateway {

struct turn {
    struct group { // the requests of one client
        std::size_t policy{0};
        count_table::client who;
        int seconds_left{0};
        count_table::claim sent;
        std::size_t total_at{0}; // among the replies
        std::vector<completion<verdict>> waiting;
        std::uint32_t next{0}; // of the same bucket: index + 1, or 0
    };
    std::vector<group> groups; // the first `used` of them
    std::size_t used{0};
    reign under{0};
    std::chrono::steady_clock::time_point began{}; // when the first joined
    std::chrono::steady_clock::time_point sent_at{};

    group& find_or_add(std::size_t policy, ip_address const& address, window const& when) {
        auto& head = buckets_[std::hash<ip_address>{}(address) % buckets_.size()];
        for (auto at = head; at != 0; at = groups[at - 1].next) {
            auto& one = groups[at - 1];
            if (one.who.address == address && one.policy == policy && one.who.window == when.number) return one;
        }
        if (used == groups.size()) groups.emplace_back();
        auto& fresh = groups[used++];
        fresh.policy = policy;
        fresh.who = {address, when.number};
        fresh.seconds_left = when.seconds_left;
        fresh.next = std::exchange(head, static_cast<std::uint32_t>(used));
        return fresh;
    }

    void reset() noexcept {
        for (std::size_t i = 0; i < used; ++i) groups[i].waiting.clear();
        used = 0;
        buckets_.fill(0);
    }

private:
    std::array<std::uint32_t, 128> buckets_{}; // index + 1, or 0
};

} // namespace recruiting::gateway
