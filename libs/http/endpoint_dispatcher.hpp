// A request's path through a service, the same for every service: find the endpoint, answer, then X-Request-Id,
// metrics, access log and trace. A service derives from endpoint_dispatcher and gives the parts that differ.
#pragma once
#include "core/ids.hpp"
#include "core/ip.hpp"
#include "core/log.hpp"
#include "core/time.hpp"
#include "http/endpoint.hpp"
#include "http/handler.hpp"
#include "http/message.hpp"
#include "http/request_telemetry.hpp"

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::http {

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
