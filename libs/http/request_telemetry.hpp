// What a service records of requests: counts by route and status, how long they took, and one span each. Nothing of the
// path, the query, the fields or the client is in a span (proto-docs/tracing.md).
#pragma once
#include "core/ip.hpp"
#include "http/message.hpp"
#include "telemetry/metrics.hpp"
#include "telemetry/span.hpp"

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::http {

class request_metrics {
public:
    /// program: as it stands in the metrics' names. routes: templates such as "/jobs/{id}"; a last one, "none", is
    /// added for what matched none of them.
    request_metrics(metrics::registry& registry, std::string const& program, std::vector<std::string> routes);

    /// route: index in routes; what lies beyond is "none". Any thread may call.
    void count(std::size_t route, unsigned status, std::chrono::nanoseconds duration) noexcept;

private:
    /// What our services answer; anything else is counted as "other".
    static constexpr std::array<unsigned, 22> statuses = {200, 201, 202, 204, 303, 304, 400, 401, 403, 404, 405,
                                                          408, 409, 413, 414, 415, 417, 429, 431, 500, 503, 0};
    struct of_route {
        std::array<metrics::counter*, statuses.size()> requests;
        metrics::histogram* seconds;
    };
    std::vector<of_route> routes_;
};

/// One request's position in its trace, from its beginning to its end.
class request_trace {
public:
    /// A traceparent is trusted when a trusted proxy sent it: the gateway, which has checked it.
    request_trace(tracing::tracer const& tracer, request const& req, std::vector<ip_network> const& trusted_proxies);

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
