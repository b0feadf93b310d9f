// A request as part of a trace: what a service believes of it, and the span that is recorded of it. Nothing of the
// path, the query, the fields or the client is in it (proto-docs/tracing.md).
#pragma once
#include "core/ip.hpp"
#include "http/message.hpp"
#include "telemetry/span.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace recruiting::http {

/// One request's place in its trace, from its beginning to its end.
class request_trace {
public:
    /// A traceparent is believed when a trusted proxy sent it: the gateway, which has judged it.
    request_trace(tracing::tracer const& by, request const& req, std::vector<ip_network> const& trusted_proxies);

    /// Under which its parts are recorded.
    [[nodiscard]] tracing::parent const& own() const noexcept { return own_; }
    [[nodiscard]] tracing::trace_text id() const noexcept { return tracing::trace_text(own_.at); }
    /// route: a template such as /api/v1/jobs/{id}, or "" for none.
    void end(std::string_view route, std::string_view request_id, unsigned status);

private:
    tracing::parent own_;
    tracing::span span_;
    std::string_view method_; // a known one; a literal
};

} // namespace recruiting::http
