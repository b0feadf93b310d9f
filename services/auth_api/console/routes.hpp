// The console on one screen: every operation of /console/api, where its code is, and the scope that the member's role
// must let through.
#pragma once
#include "auth_api/routes.hpp"

#include <span>
#include <string_view>

namespace recruiting::auth_api::console {

inline constexpr std::string_view pages_path = "/console";
inline constexpr std::string_view api_path = "/console/api";

/// The last one is that of the pages: every path below /console that is not below /console/api.
[[nodiscard]] std::span<route const> routes();

/// "/console/api" and what is below it.
[[nodiscard]] inline bool is_api_path(std::string_view path) noexcept {
    return path.starts_with(api_path) && (path.size() == api_path.size() || path[api_path.size()] == '/');
}
/// "/console" and what is below it.
[[nodiscard]] inline bool is_console_path(std::string_view path) noexcept {
    return path.starts_with(pages_path) && (path.size() == pages_path.size() || path[pages_path.size()] == '/');
}

[[nodiscard]] inline route_match find_route(std::string_view method, std::string_view path) {
    auto const table = routes();
    return http::find_route(is_api_path(path) ? table.first(table.size() - 1) : table.last(1), method, path);
}

} // namespace recruiting::auth_api::console
