// The fixed window on the clock, and how many requests each client has made in it, as one process knows it: the rule
// that proto-docs/limits.md promises. No I/O.
#pragma once
#include "core/time.hpp"
#include "crypto/digest.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstring>
#include <mutex>
#include <utility>

namespace recruiting::rate_limit {

/// A fixed window. Its number is part of a count's key, so when a key expires can't change an answer.
struct window {
    std::int64_t number{0}; // windows since 1970: hours begin at :00, days at midnight UTC
    int seconds_left{60};   // 1 to the window's length
    bool operator==(window const&) const = default;
};
[[nodiscard]] inline window window_at(timestamp now, std::int64_t length = 60) noexcept {
    auto const seconds = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count();
    return {seconds / length, static_cast<int>(length - seconds % length)};
}

/// A request is its client's number-th of the window.
struct count {
    std::int64_t number{0};
    int seconds_left{60}; // of the window
};

/// One client's requests in one window, and how many of them were reported to Redis.
class client_count {
public:
    /// What is sent to Redis for n more requests, and what was known then.
    struct write {
        std::int64_t report{0};    // INCRBY: these, and those not reported before
        std::int64_t decided{0};   // requests of this process that have their number
        std::int64_t confirmed{0}; // of what was reported, what Redis has answered
        std::int64_t epoch{0};
        auto operator<=>(write const&) const = default;
    };
    [[nodiscard]] write take(std::int64_t n) noexcept {
        return {std::exchange(unreported_, 0) + n, decided_, confirmed_, epoch_};
    }
    struct numbered {
        std::int64_t base{0}; // the n requests are numbers base + 1 …
        bool has_lost{false}; // Redis: what it lost is to be reported again
    };
    /// Redis answered with its total. One without what this process had decided, or has decided alone meanwhile,
    /// numbers no request lower than the process itself would. Else totals are exact, in whatever order they come.
    [[nodiscard]] numbered answered(std::int64_t n, write const& sent, std::int64_t total) noexcept {
        bool const is_newest = sent.epoch == epoch_;
        auto const base = total - n;
        bool const lacks_requests = base < sent.decided || !is_newest;
        // Threads ask Redis over connections of their own, so it may not have executed yet what others sent before:
        // only what it has confirmed can be lost, and only the first to see it reports it again.
        auto const lost = is_newest ? std::max<std::int64_t>(0, sent.confirmed + sent.report - total) : 0;
        confirmed_ += sent.report - lost;
        unreported_ += lost;
        if (lost > 0) ++epoch_;
        return {decide(n, lacks_requests ? std::max(base, decided_) : base), lost > 0};
    }
    /// Redis did not answer in time, and may have counted them, so they are not reported again; or is_refused: it
    /// answered with an error. Gives the base.
    [[nodiscard]] std::int64_t failed(std::int64_t n, write const& sent, bool is_refused) noexcept {
        if (is_refused) unreported_ += sent.report;
        ++epoch_;
        return decide(n, decided_);
    }
    /// Redis is not asked. Gives the base.
    [[nodiscard]] std::int64_t count_locally(std::int64_t n) noexcept {
        unreported_ += n;
        ++epoch_;
        return decide(n, decided_);
    }
    auto operator<=>(client_count const&) const = default;

private:
    std::int64_t decide(std::int64_t n, std::int64_t base) noexcept {
        decided_ += n;
        return base;
    }
    std::int64_t unreported_{0};
    std::int64_t decided_{0};
    std::int64_t confirmed_{0};
    std::int64_t epoch_{0}; // changes when requests are decided without Redis, or Redis has lost some
};

/// Whose count: an address, or half a digest.
using client_key = std::array<std::uint8_t, 16>;

/// Multilinear hashing (Lemire and Kaser, "Strongly universal string hashing is fast", 2014) under random keys of this
/// process: two clients share a hash with a probability of 2^-32, even if one of them chose its address. Without
/// keys, the owner of many addresses could choose those that meet in one bucket of a table.
struct client_hash {
    [[nodiscard]] std::size_t operator()(client_key const& client) const noexcept {
        auto const words = std::bit_cast<std::array<std::uint32_t, 4>>(client);
        auto sum = keys.back();
        for (std::size_t i = 0; i < words.size(); ++i) sum += keys[i] * words[i];
        return sum >> 32U;
    }
    static inline std::array<std::uint64_t, 5> const keys = [] {
        std::array<std::uint64_t, 5> made{};
        auto const random = random_bytes(sizeof made);
        std::memcpy(made.data(), random.data(), sizeof made);
        return made;
    }();
};

/// The counts of all clients under one policy in the current window, shared by the process's threads.
class local_counts {
public:
    /// clients_limit: those that are reported to Redis, none of which is forgotten before the window ends. As many
    /// again are counted in this process alone; a further one replaces any of those. So no clients fill Redis or this
    /// memory (70 bytes each), and none has a say in whose count is dropped.
    explicit local_counts(std::size_t clients_limit) : part_limit_(clients_limit / parts_.size()) {}

    struct locked {
        std::unique_lock<std::mutex> lock;
        client_count* count;
        bool is_shared; // false: not reported to Redis
        bool has_ended; // a later window has begun, and nothing is shared: threads read the clock apart
    };
    [[nodiscard]] locked find_or_add(client_key const& client, std::int64_t window) {
        auto& in = part_of(client);
        locked out{std::unique_lock(in.mutex), nullptr, false, false};
        if (window > in.window || window < in.window - 1) { // clocks are also set back
            in.window = window;
            in.shared.clear();
            in.own.clear();
        }
        bool const has_room = in.shared.size() < part_limit_;
        auto const known = has_room ? in.shared.try_emplace(client).first : in.shared.find(client);
        out.has_ended = window < in.window;
        out.is_shared = known != in.shared.end() && !out.has_ended;
        bool const is_own = known == in.shared.end();
        if (is_own && in.own.size() >= part_limit_ && !in.own.contains(client)) in.own.erase(in.own.begin());
        out.count = is_own ? &in.own[client] : &known->second;
        return out;
    }
    /// For what comes late, maybe from a window long ended: adds no client and begins no window. count: nullptr, the
    /// client is not known now.
    [[nodiscard]] locked find(client_key const& client, std::int64_t window) {
        auto& in = part_of(client);
        locked out{std::unique_lock(in.mutex), nullptr, false, window != in.window};
        auto const known = in.shared.find(client);
        auto const own = known == in.shared.end() ? in.own.find(client) : in.own.end();
        out.is_shared = known != in.shared.end() && !out.has_ended;
        if (known != in.shared.end()) out.count = &known->second;
        else if (own != in.own.end()) out.count = &own->second;
        return out;
    }

private:
    using by_client = boost::unordered_flat_map<client_key, client_count, client_hash>;
    struct alignas(64) part {
        std::mutex mutex;
        std::int64_t window{-1};
        by_client shared, own;
    };
    [[nodiscard]] part& part_of(client_key const& client) noexcept {
        return parts_[client_hash{}(client) % parts_.size()];
    }
    std::array<part, 64> parts_;
    std::size_t part_limit_; // at least 1
};

} // namespace recruiting::rate_limit
