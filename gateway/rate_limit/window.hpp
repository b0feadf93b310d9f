// The fixed window on the clock, a minute unless set otherwise (proto-docs/limits.md). Its number is
// part of the key, so when a key expires can't change an answer. Pure.
#pragma once
#include "core/time.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace recruiting::gateway {

struct window {
    std::int64_t number{0}; // windows since 1970
    int seconds_left{60};   // 1 to the window's length
    bool operator==(window const&) const = default;
};

[[nodiscard]] inline window window_at(timestamp now, std::int64_t length = 60) noexcept {
    auto const seconds = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count();
    return {seconds / length, static_cast<int>(length - seconds % length)};
}

/// The rate limit's decision about one request. rank: its position among the client's requests of the window, from 1
/// on.
struct decision {
    bool allowed{true};
    std::int64_t limit{0};
    std::int64_t remaining{0};
    int seconds_left{60};
    int window_seconds{60};
    bool shadow{false};          // only counted: nothing is refused or announced
    bool over{false};            // refused, or would be
    std::string_view name{"ip"}; // of the limit, as RateLimit has it
    bool operator==(decision const&) const = default;
    [[nodiscard]] std::string_view text() const noexcept {
        return !over ? "allowed" : shadow ? "shadow_rejected" : "rejected";
    }
};

/// How one prefix is limited.
struct limit_policy {
    std::int64_t limit{600};
    std::int64_t window_seconds{60};
};

[[nodiscard]] inline decision evaluate(std::int64_t rank, limit_policy const& policy, int seconds_left,
                                       bool shadow = false) noexcept {
    bool const over = rank > policy.limit;
    auto const remaining = std::max<std::int64_t>(0, policy.limit - rank);
    return {!over || shadow, policy.limit, remaining, seconds_left, static_cast<int>(policy.window_seconds),
            shadow,          over};
}

/// Which memory of counts Redis holds. A restart, a failover or FLUSHALL can take counts away, wholly or in part; so
/// each begins a new generation, whose number is part of every key, and the gateways add what they counted to fresh
/// keys (proto-docs/decisions/0031). All gateways read the same number.
using generation = std::uint32_t;

/// Any gateway makes it when it is missing, with a random value: FLUSHALL and an empty restart so end a generation.
inline constexpr std::string_view generation_key = "rl:generation";

/// info: the answer to INFO replication; its master_replid changes with every restart and failover. mark: the value of
/// generation_key. Either may be empty, when this user may not read it.
[[nodiscard]] constexpr generation generation_of(std::string_view info, std::string_view mark) noexcept {
    constexpr std::string_view name = "master_replid:";
    auto const at = info.find(name);
    auto const id = at == std::string_view::npos ? std::string_view() : info.substr(at + name.size(), 40);
    std::uint32_t hash = 2166136261U; // FNV-1a
    for (auto const part : {id, mark})
        for (char const c : part) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    return hash;
}

} // namespace recruiting::gateway
