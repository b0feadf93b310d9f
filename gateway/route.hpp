// Which service answers a path, and under which ceiling: the edge's whole route table. Its prefixes are settings. Pure.
#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace recruiting::gateway {

enum class service : std::size_t { auth_api, public_api };

inline constexpr std::size_t route_count = 2;

struct route {
    std::string prefix;
    service to;
    std::string_view policy; // names its counts in Redis
    bool open_to_browsers;   // CORS on every answer, no credentials (design: Public API)
};

using route_table = std::array<route, route_count>; // by service

inline route_table const default_routes = {
    route{"/api/v1", service::auth_api, "api", false},
    route{"/api/public/v1", service::public_api, "public", true},
};

/// path: normalised. The longest prefix wins, should one lie below the other. nullptr: nothing is there.
[[nodiscard]] inline route const* find_route(std::string_view path,
                                             route_table const& routes = default_routes) noexcept {
    route const* found = nullptr;
    for (auto const& row : routes) {
        if (!path.starts_with(row.prefix)) continue;
        if (path.size() > row.prefix.size() && path[row.prefix.size()] != '/') continue;
        if (found == nullptr || found->prefix.size() < row.prefix.size()) found = &row;
    }
    return found;
}

} // namespace recruiting::gateway
