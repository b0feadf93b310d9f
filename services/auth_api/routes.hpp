// The API on one screen: every endpoint, the scope it needs, and where its code is (specification: Endpoints).
#pragma once
#include "auth_api/http/resource.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace recruiting::auth_api {

struct route {
    std::string_view method;
    std::string_view pattern;  // below /api/v1
    std::string_view scope;    // "": none beyond a valid key
    bind_function bind;        // of a read
    bool invokes_agent{false}; // no read: agent/invoke serves it
};

inline constexpr std::string_view base_path = "/api/v1";
inline constexpr std::string_view document_path = "/api/v1/openapi.json"; // needs no credential: not in the table

[[nodiscard]] std::span<route const> routes();

struct route_match {
    route const* found{nullptr}; // the path with this method
    route const* known{nullptr}; // the path with any method
    http::path_params params;
    std::string allow; // when the path is known but not with this method
};
/// path is the request's, still encoded. HEAD is GET without a body.
[[nodiscard]] route_match find_route(std::string_view method, std::string_view path);

} // namespace recruiting::auth_api
