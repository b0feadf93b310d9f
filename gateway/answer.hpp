// The edge's own answers: the API's envelope or RFC 9457, with CORS on the public prefix (design: Public API). Pure.
#pragma once
#include "core/error.hpp"
#include "gateway/exchange.hpp"

#include <string>
#include <string_view>

namespace recruiting::gateway {

/// What Allow says at the edge; a service may allow less.
inline constexpr std::string_view allowed_methods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

/// Appends head and body, and notes the status in x. x.keep_alive decides the Connection field.
void append_answer(std::string& out, api_error const& error, exchange& x);

/// 204 with Allow: to OPTIONS that ends at the edge.
void append_options_answer(std::string& out, exchange& x);

/// Is the request that these bytes begin for the public prefix? A guess for answers to heads that can't be read: it
/// adds CORS fields, so that a browser may read why; it decides nothing else.
[[nodiscard]] bool looks_public(std::string_view received, route_table const& routes = default_routes) noexcept;

} // namespace recruiting::gateway
