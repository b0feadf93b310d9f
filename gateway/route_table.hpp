// Which prefix is whose: the two APIs, the pages, the documentation and the console.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::gateway {

enum class service : std::size_t { auth_api, public_api };

inline constexpr std::size_t service_count = 2;

/// What the rate limit counts together.
enum class rate_policy : std::size_t { api, public_api, console };

inline constexpr std::size_t rate_policy_count = 3;

struct route {
    std::string prefix;
    service to;
    bool open_to_browsers;    // CORS on every answer, no credentials
    bool for_people;          // pages: the gateway's own answers can be read in a browser
    bool is_documents{false}; // the documentation: requests for it do not count towards the rate limit

    [[nodiscard]] bool takes_credentials() const noexcept { return to == service::auth_api; }
    /// A program that uses up the API's requests shuts nobody behind the same address out of the console.
    [[nodiscard]] rate_policy policy() const noexcept {
        if (!takes_credentials()) return rate_policy::public_api;
        return for_people ? rate_policy::console : rate_policy::api;
    }
};

using route_table = std::vector<route>; // the two APIs by service, then the pages
inline constexpr std::string_view documents_prefix = "/docs";
inline constexpr std::string_view console_prefix = "/console";

/// Pages count as the public API does: they are one service's, and a page is as dear as a call. Not so the
/// documentation, which is served from memory. The console is auth-api's, with its sessions' cookies, and has a count
/// of its own.
[[nodiscard]] inline route page_route(std::string prefix) {
    bool const is_documents = prefix == documents_prefix;
    auto const to = prefix == console_prefix ? service::auth_api : service::public_api;
    return {std::move(prefix), to, false, true, is_documents};
}

inline route_table const default_routes = {
    route{"/api/v1", service::auth_api, false, false},
    route{"/api/public/v1", service::public_api, true, false},
    page_route("/careers"),
    page_route("/interviews"),
    page_route("/widget"),
    page_route("/docs"),
    page_route("/console"),
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
