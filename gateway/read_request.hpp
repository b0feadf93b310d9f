// What a request's head means: one target, one host, one length of its body, or a refusal. Pure.
#pragma once
#include "core/error.hpp"
#include "gateway/http1/strict_profile.hpp"
#include "gateway/request_context.hpp"

#include <optional>

namespace recruiting::gateway {

struct refusal {
    api_error error;
    bool close{false}; // the connection can't be used any more: what follows on it is in doubt
};

/// What Allow says at the edge; a service may allow less.
inline constexpr std::string_view allowed_methods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
inline constexpr std::string_view methods_of_documents = "GET, HEAD";

/// Is the request that these bytes begin for the public prefix? A guess for answers to heads that can't be read: it
/// adds CORS fields, so that a browser may read why; it decides nothing else.
[[nodiscard]] bool looks_public(std::string_view received, route_table const& routes = default_routes) noexcept;
/// What is answered to a head that can't be read.
[[nodiscard]] refusal refuse_head(head_fault fault);
/// x.head_text becomes a request that has one meaning only. Gives x its request id first.
[[nodiscard]] std::optional<refusal> read_request(request_context& x, head_limits const& limits,
                                                  route_table const& routes = default_routes);

} // namespace recruiting::gateway
