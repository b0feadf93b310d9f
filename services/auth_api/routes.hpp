// The API on one screen: every endpoint, where its code is, and the scope it needs.
#pragma once
#include "auth_api/http/resource.hpp"
#include "http/endpoint.hpp"

#include <span>
#include <string_view>

namespace recruiting::auth_api {

/// action binds a read. nullptr: no read; document_path is served without a credential, and invoke_path by the agent.
using route = http::route<bind_function>;
using route_match = http::route_match<bind_function>;

inline constexpr std::string_view base_path = "/api/v1";
inline constexpr std::string_view document_path = "/api/v1/openapi.json";
inline constexpr std::string_view invoke_path = "/api/v1/agent/invoke";

[[nodiscard]] std::span<route const> routes();
/// The OpenAPI 3.1 document of this API, as JSON.
[[nodiscard]] std::string_view openapi_document() noexcept;

[[nodiscard]] inline route_match find_route(std::string_view method, std::string_view path) {
    return http::find_route(routes(), method, path);
}

} // namespace recruiting::auth_api
