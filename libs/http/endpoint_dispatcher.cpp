#include "http/endpoint_dispatcher.hpp"

#include <algorithm>

namespace recruiting::http {

request_metrics::request_metrics(metrics::registry& registry, std::string const& program,
                                 std::vector<std::string> routes) {
    routes.emplace_back("none");
    auto const name = "recruiting_" + program;
    for (auto const& route : routes) {
        auto& added = routes_.emplace_back();
        auto const label = "route=\"" + route + '"';
        for (std::size_t i = 0; i < statuses.size(); ++i) {
            auto const status = statuses[i] == 0 ? std::string("other") : std::to_string(statuses[i]);
            added.requests[i] =
                &registry.add_counter(name + "_requests_total", "Answered requests, by route and status.",
                                      label + ",status=\"" + status + '"');
        }
        added.seconds = &registry.add_histogram(name + "_request_duration_seconds",
                                                "Time from the complete request to the finished response.", label);
    }
}

void request_metrics::count(std::size_t route, unsigned status, std::chrono::nanoseconds duration) noexcept {
    auto& counted = routes_[std::min(route, routes_.size() - 1)];
    auto const at = std::find(statuses.begin(), statuses.end() - 1, status); // not found: "other", the last
    counted.requests[static_cast<std::size_t>(at - statuses.begin())]->add();
    counted.seconds->observe(duration);
}

namespace {

std::optional<tracing::context> trusted_caller(request const& req, std::vector<ip_network> const& trusted_proxies) {
    if (req.header_count("traceparent") != 1) return std::nullopt;
    auto const peer = parse_ip(req.peer);
    if (!peer || !any_contains(trusted_proxies, *peer)) return std::nullopt;
    return tracing::parse_traceparent(req.header("traceparent"));
}

} // namespace

request_trace::request_trace(tracing::tracer const& tracer, request const& req,
                             std::vector<ip_network> const& trusted_proxies) {
    auto const caller = trusted_caller(req, trusted_proxies);
    own_ = {&tracer, tracer.enter(caller)};
    if (!own_.records()) return;
    method_ = loggable_method(req.method, "_OTHER");
    span_ = tracing::span(own_, caller, tracing::span_kind::server, method_);
    span_.set("http.request.method", method_).set("url.scheme", "http").set("network.protocol.version", "1.1");
}

void request_trace::end(std::string_view route, std::string_view request_id, unsigned status) {
    if (!span_) return;
    if (!route.empty()) span_.rename(std::string(method_) + " " + std::string(route)).set("http.route", route);
    span_.set("recruiting.request_id", request_id).set("http.response.status_code", status);
    if (status >= 500) span_.fail(std::to_string(status));
    span_.end();
}

} // namespace recruiting::http
