// A request's path through a service, the same for every service: find the endpoint, answer, then X-Request-Id,
// metrics, access log and trace. A service derives from endpoint_dispatcher and gives the parts that differ.
#pragma once
#include "core/ids.hpp"
#include "core/ip.hpp"
#include "core/log.hpp"
#include "core/time.hpp"
#include "http/endpoint.hpp"
#include "http/handler.hpp"
#include "telemetry/metrics.hpp"
#include "telemetry/span.hpp"

#include <array>
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::http {

/// Counts of answered requests by route and status, and how long they took.
class request_metrics {
public:
    /// program: as it stands in the metrics' names. routes: templates such as "/jobs/{id}"; a last one, "none", is
    /// added for what matched none of them.
    request_metrics(metrics::registry& registry, std::string const& program, std::vector<std::string> routes);

    /// route: index in routes; what lies beyond is "none". Any thread may call.
    void count(std::size_t route, unsigned status, std::chrono::nanoseconds duration) noexcept;

private:
    /// What our services answer; anything else is counted as "other".
    static constexpr std::array<unsigned, 24> statuses = {200, 201, 202, 204, 301, 302, 303, 304, 400, 401, 403, 404,
                                                          405, 408, 409, 413, 414, 415, 417, 429, 431, 500, 503, 0};
    struct of_route {
        std::array<metrics::counter*, statuses.size()> requests;
        metrics::histogram* seconds;
    };
    std::vector<of_route> routes_;
};

/// One request's position in its trace, from its beginning to its end. Nothing of the path, the query, the fields or
/// the client is in a span (proto-docs/tracing.md).
class request_trace {
public:
    /// A traceparent is trusted when a trusted proxy sent it: the gateway, which has checked it.
    request_trace(tracing::tracer const& tracer, request const& req, std::vector<ip_network> const& trusted_proxies);

    /// The span under which the request's parts are recorded.
    [[nodiscard]] tracing::parent const& own() const noexcept { return own_; }
    [[nodiscard]] tracing::trace_text id() const noexcept { return tracing::trace_text(own_.at); }
    /// route: a template such as /api/v1/jobs/{id}, or "" for none.
    void end(std::string_view route, std::string_view request_id, unsigned status);

private:
    tracing::parent own_;
    tracing::span span_;
    std::string_view method_; // a known one; a literal
};

/// What every service knows of a request while it is in progress.
template <class Action>
struct endpoint_request {
    /// found: of table.
    endpoint_request(request const& request, std::span<http::route<Action> const> table, route_match<Action> found,
                     tracing::tracer const& tracer, std::vector<ip_network> const& trusted_proxies)
        : req(request), began(std::chrono::steady_clock::now()), started_at(system_time().now()),
          client(client_address(request, trusted_proxies)), request_id(request_id_for(request.header("X-Request-Id"))),
          trace(tracer, request, trusted_proxies), route(std::move(found)),
          route_number(route.known == nullptr ? table.size() : static_cast<std::size_t>(route.known - table.data())) {}

    /// "/api/v1/jobs/{id}", or "" when the path is no endpoint's; points into the table.
    [[nodiscard]] std::string_view endpoint() const noexcept {
        return route.known == nullptr ? std::string_view() : route.known->path;
    }
    [[nodiscard]] std::chrono::nanoseconds elapsed() const { return std::chrono::steady_clock::now() - began; }

    request const& req;
    std::chrono::steady_clock::time_point began;
    timestamp started_at;
    std::optional<ip_address> client;
    std::string request_id;
    request_trace trace;
    route_match<Action> route;
    std::size_t route_number; // in the table; past its end when the path is no endpoint's
};

/// The access log: one line per request. more: fields that only this service has.
template <class Action, class... Fields>
void log_request(endpoint_request<Action> const& context, unsigned status, std::chrono::nanoseconds duration,
                 std::string_view client, std::string_view organization, Fields const&... more) {
    log::info("request", {{"requestId", context.request_id},
                          {"traceId", context.trace.id()},
                          {"method", loggable_method(context.req.method)},
                          {"endpoint", context.endpoint()},
                          {"status", status},
                          {"organizationId", organization},
                          {"client", client},
                          {"durationMs", std::chrono::duration<double, std::milli>(duration).count()},
                          more...});
}

/// One per thread. Context: the service's, derived from endpoint_request.
template <class Context>
class endpoint_dispatcher : public handler {
public:
    explicit endpoint_dispatcher(request_metrics& metrics) : metrics_(metrics) {}

    task<response> handle(request const& req) override {
        Context context = context_of(req);
        auto answered = answer_at_once(context);
        if (!answered) {
            auto made = co_await answer(context);
            answered = std::move(made);
        }
        complete(context, *answered);
        record(context, *answered);
        co_return std::move(*answered);
    }

    task<response> reject(request const& req, api_error const& error) override {
        Context context = context_of(req);
        auto answered = co_await answer_rejected(context, error);
        record(context, answered);
        co_return answered;
    }

protected:
    [[nodiscard]] virtual Context context_of(request const& req) = 0;
    /// The answer to a request that needs nothing but memory: no coroutine is made for it. nullopt: answer makes it.
    [[nodiscard]] virtual std::optional<response> answer_at_once(Context&) { return std::nullopt; }
    [[nodiscard]] virtual task<response> answer(Context& context) = 0;
    /// The answer to what the server rejects before it is a request (handler::reject), whole.
    [[nodiscard]] virtual task<response> answer_rejected(Context& context, api_error const& error) = 0;
    /// What every answer to a request carries: caching, compression, CORS.
    virtual void complete(Context& context, response& answered) = 0;
    /// Calls log_request, and counts what this service alone counts.
    virtual void log_answer(Context const& context, unsigned status, std::chrono::nanoseconds duration) = 0;

private:
    void record(Context& context, response& answered) {
        answered.add("X-Request-Id", context.request_id);
        auto const duration = context.elapsed();
        metrics_.count(context.route_number, answered.status, duration);
        log_answer(context, answered.status, duration);
        context.trace.end(context.endpoint(), context.request_id, answered.status);
    }

    request_metrics& metrics_;
};

} // namespace recruiting::http
