// The API on one screen: every endpoint, where its code is, and the scope it needs.
#pragma once
#include "async/task.hpp"
#include "auth_api/http/resource.hpp"
#include "http/endpoint.hpp"

#include <span>
#include <string_view>

namespace recruiting::auth_api {

namespace console {
struct change_input;
class session_endpoints;
struct session_call;
} // namespace console

/// A change that a member makes in the console (console/endpoints.hpp).
using change_function = result<http::response> (*)(console::change_input&);
/// An operation of sign-in and sessions (console/session_endpoints.hpp).
using session_function = task<result<http::response>> (console::session_endpoints::*)(console::session_call const&);

/// What carries an endpoint out: one of the first five, or nothing for a document.
struct action {
    bind_function read{nullptr};
    change_function change{nullptr};
    session_function session{nullptr};
    bool invokes_agent{false}; // reads its body itself, and writes its audit row as a read does
    bool speaks_mcp{false};    // the same
    bool takes_body{false};    // of the console: JSON
    bool is_open{false};       // of the console: needs no session
    bool takes_query{false};   // of session: reads its parameters itself
};

constexpr action reads(bind_function bind) { return {.read = bind}; }
constexpr action invokes_agent() { return {.invokes_agent = true, .takes_body = true}; }
constexpr action speaks_mcp() { return {.speaks_mcp = true, .takes_body = true}; }

using route = http::route<action>;
using route_match = http::route_match<action>;

inline constexpr std::string_view base_path = "/api/v1";
inline constexpr std::string_view document_path = "/api/v1/openapi.json";

[[nodiscard]] std::span<route const> routes();
/// The OpenAPI 3.1 document of this API, as JSON.
[[nodiscard]] std::string_view openapi_document() noexcept;

[[nodiscard]] inline route_match find_route(std::string_view method, std::string_view path) {
    return http::find_route(routes(), method, path);
}

} // namespace recruiting::auth_api
