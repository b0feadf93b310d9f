// One request and its answer: the context every phase works on, in the order head, client, rate limit, route, forward,
// relay, log; and what a request's head means: one target, one host, one length of its body, or a refusal; then its
// client and trace. No Asio, so that phases and rewriting are tested without sockets.
#pragma once
#include "core/error.hpp"
#include "crypto/api_key_form.hpp"
#include "gateway/client_counts.hpp"
#include "gateway/route_table.hpp"
#include "http/message_head.hpp"
#include "http/request_target.hpp"
#include "http/strict_profile.hpp"
#include "telemetry/span.hpp"
#include "telemetry/trace_context.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::gateway {

using http::field_id;
using http::framing;

struct client_request {
    // Phase head
    std::string head_text; // the bytes that the views below refer to
    http::request_head head;
    http::target where;
    std::string_view host;
    framing body;
    bool keep_alive{false}; // may another request follow on the connection?
    bool expects_continue{false};
    std::string request_id;
    // Phase client
    ip_address client;
    bool https{false};                      // the client's connection: as it is, or as a trusted proxy reports it
    std::string_view hsts;                  // a field line for answers over TLS, or empty
    std::optional<tracing::context> caller; // where the trace comes from, if that is trusted
    tracing::context trace;                 // this request's span in it
    tracing::context call;                  // sent to the service: the attempt in progress, if that is recorded
    // Phase rate limit
    route const* to{nullptr};
    std::optional<decision> count; // none: not counted
    // Phase log
    std::chrono::steady_clock::time_point began{};
    unsigned status{0}; // 0: nothing was answered
    std::uint64_t received{0};
    std::uint64_t sent{0};
    bool truncated{false}; // the answer was cut off
    bool refused{false};   // answered by the gateway with an error
    bool cors{false};      // an answer of the gateway's own carries CORS fields

    /// Ready for the next request; storage is kept.
    void reset();
    [[nodiscard]] bool is_head() const noexcept { return head.method == "HEAD"; }
};

struct refusal {
    api_error error;
    bool close{false};                    // where the next request begins on the connection is not certain
    std::optional<exposed_key> exposed{}; // why: its owner has to replace it
};

/// What Allow says at the gateway; a service may allow less.
inline constexpr std::string_view allowed_methods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
inline constexpr std::string_view methods_of_documents = "GET, HEAD";

/// Is the request that these bytes begin for the public prefix? A guess for answers to heads that can't be read: it
/// adds CORS fields, so that a browser may read why; it decides nothing else.
[[nodiscard]] bool looks_public(std::string_view received, route_table const& routes = default_routes) noexcept;
/// What is answered to a head that can't be read.
[[nodiscard]] refusal refuse_head(http::head_fault fault);
/// request.head_text becomes a request that has one meaning only. Gives request its request id first.
[[nodiscard]] std::optional<refusal> read_request(client_request& request, route_table const& routes = default_routes);

/// Finds the client that is counted and that the service gets to know.
void find_client(client_request& request, ip_address const& peer, std::vector<ip_network> const& trusted);
/// The trace this request belongs to. Anyone may send a traceparent, and would decide with it what is recorded here:
/// only a trusted proxy's is read.
void enter_trace(client_request& request, ip_address const& peer, std::vector<ip_network> const& trusted,
                 tracing::tracer const& tracer);

} // namespace recruiting::gateway
