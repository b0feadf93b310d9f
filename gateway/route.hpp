// Which service answers a path, and under which ceiling: the edge's whole route table. Pure.
#pragma once
#include <array>
#include <cstddef>
#include <string_view>

namespace recruiting::gateway {

enum class service : std::size_t { auth_api, public_api };

struct route {
    std::string_view prefix;
    service to;
    std::string_view policy; // names its counts in Redis
    bool open_to_browsers;   // CORS on every answer, no credentials (design: Public API)
};

inline constexpr std::array routes = {
    route{"/api/v1", service::auth_api, "api", false},
    route{"/api/public/v1", service::public_api, "public", true},
};

/// path: normalised. nullptr: nothing is there.
[[nodiscard]] constexpr route const* find_route(std::string_view path) noexcept {
    for (auto const& row : routes) {
        if (!path.starts_with(row.prefix)) continue;
        if (path.size() == row.prefix.size() || path[row.prefix.size()] == '/') return &row;
    }
    return nullptr;
}

} // namespace recruiting::gateway
