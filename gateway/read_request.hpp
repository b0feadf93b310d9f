// What a request's head means: one target, one host, one length of its body, or a refusal; then its client and trace.
// Pure.
#pragma once
#include "core/error.hpp"
#include "gateway/http1/strict_profile.hpp"
#include "gateway/request_context.hpp"
#include "telemetry/span.hpp"

#include <optional>
#include <vector>

namespace recruiting::gateway {

struct gateway_settings;

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

/// Finds the client that is counted and that the service gets to know.
void find_client(request_context& x, ip_address const& peer, std::vector<ip_network> const& trusted);
/// The trace this request belongs to. Anyone may send a traceparent, and would decide with it what is recorded here: a
/// setting says whose is trusted.
void enter_trace(request_context& x, ip_address const& peer, gateway_settings const& settings,
                 tracing::tracer const& by);

} // namespace recruiting::gateway
