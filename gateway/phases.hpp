// The phases that only decide, in the order they run (session.cpp runs them). Each may refuse the request. Pure.
#pragma once
#include "core/error.hpp"
#include "gateway/request_context.hpp"
#include "gateway/settings.hpp"
#include "telemetry/span.hpp"

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
/// Phase head: x.head_text becomes a request that has one meaning only. Gives x its request id first.
[[nodiscard]] std::optional<refusal> read_request(request_context& x, head_limits const& limits,
                                                  route_table const& routes = default_routes);
/// Phase client: who is counted, and what the service is told of the client.
void find_client(request_context& x, ip_address const& peer, std::vector<ip_network> const& trusted);
/// Phase client: the trace this request belongs to. Anybody may write a traceparent, and would decide with it what is
/// recorded here: whose is believed is a setting.
void enter_trace(request_context& x, ip_address const& peer, gateway_settings const& settings,
                 tracing::tracer const& by);
/// Phase rate limit: everything under a prefix counts, but a browser's preflight of the public API, and the
/// documentation.
[[nodiscard]] bool is_counted(request_context const& x) noexcept;
[[nodiscard]] api_error over_limit(decision const& count);
/// Phase route: is this an OPTIONS request that ends at the edge, because it asks about the server or may go no
/// further?
[[nodiscard]] bool ends_here(request_context const& x) noexcept;
/// Phase route: may this request go to its service?
[[nodiscard]] std::optional<refusal> admit(request_context const& x, gateway_settings const& settings);

/// Phase forward: the service was lost before its answer began. What now?
enum class loss_action { retry, unavailable, outcome_unknown };
struct loss {
    bool sent{false};        // any byte of the request
    bool silent{false};      // the connection ended, without a byte of an answer
    bool body_gone{false};   // parts of the body were read from the client and are kept no more
    bool sent_before{false}; // on an earlier try
    std::int64_t tries_left{0};
};
/// Unsent, a request may go to another address whatever it is. Sent, it is repeated once at most, and only if its
/// method is safe (RFC 9110 section 9.2.2): a POST never, with an Idempotency-Key neither, its client does that.
[[nodiscard]] loss_action after_loss(request_context const& x, loss const& what) noexcept;
/// What the client gets when the action is not to retry: whether the service may have seen the request decides what it
/// may conclude.
[[nodiscard]] api_error error_after(request_context const& x, loss_action action, loss const& what);
/// May the same request be made twice (RFC 9110 section 9.2.2; an Idempotency-Key makes a POST to /api/v1 so)?
[[nodiscard]] bool is_repeatable(request_context const& x) noexcept;

} // namespace recruiting::gateway
