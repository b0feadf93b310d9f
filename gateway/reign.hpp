// Which memory of counts Redis holds. A restart, a failover or FLUSHALL can take counts away, wholly or in part; so
// each begins a new reign, whose number is part of every key, and the gateways add what they counted to fresh keys
// (proto-docs/decisions/0031). All gateways read the same number. Pure.
#pragma once
#include <cstdint>
#include <string_view>

namespace recruiting::gateway {

using reign = std::uint32_t;

/// Any gateway makes it when it is missing, with a random value: FLUSHALL and an empty restart so end a reign.
inline constexpr std::string_view reign_key = "rl:reign";

/// info: the answer to INFO replication; its master_replid changes with every restart and failover. mark: the value of
/// reign_key. Either may be empty, when Redis does not tell this user.
[[nodiscard]] constexpr reign reign_of(std::string_view info, std::string_view mark) noexcept {
    constexpr std::string_view name = "master_replid:";
    auto const at = info.find(name);
    auto const id = at == std::string_view::npos ? std::string_view() : info.substr(at + name.size(), 40);
    std::uint32_t hash = 2166136261U; // FNV-1a
    for (auto const part : {id, mark})
        for (char const c : part) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    return hash;
}

} // namespace recruiting::gateway
