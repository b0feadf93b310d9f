#include "gateway/upstream_metrics.hpp"

namespace recruiting::gateway {
namespace {

constexpr auto refused_name = "recruiting_gateway_upstream_refused_total";
constexpr auto refused_help = "Requests answered 503 without being sent to their service.";

std::string labels(std::string const& service, std::string const& more = {}) {
    return "upstream=\"" + service + "\"" + more;
}

} // namespace

upstream_metrics::upstream_metrics(metrics::registry& registry, std::string const& service)
    : connects(registry.add_counter("recruiting_gateway_upstream_connects_total", "Connections made to a service.",
                                    labels(service))),
      connect_failures(registry.add_counter("recruiting_gateway_upstream_connect_failures_total",
                                            "Attempts to connect to a service that failed.", labels(service))),
      losses(registry.add_counter("recruiting_gateway_upstream_losses_total",
                                  "Requests whose service was lost, or broken, before its answer was whole.",
                                  labels(service))),
      retries(registry.add_counter("recruiting_gateway_upstream_retries_total",
                                   "Requests tried again, on another address or a new connection.", labels(service))),
      ejections(registry.add_counter("recruiting_gateway_upstream_ejections_total",
                                     "Addresses that a thread took out after failures in a row.", labels(service))),
      refused_down(registry.add_counter(refused_name, refused_help, labels(service, ",reason=\"down\""))),
      refused_full(registry.add_counter(refused_name, refused_help, labels(service, ",reason=\"queue_full\""))),
      refused_late(registry.add_counter(refused_name, refused_help, labels(service, ",reason=\"queue_timeout\""))),
      under_way(registry.add_gauge("recruiting_gateway_upstream_requests_in_flight", "Requests under way at a service.",
                                   labels(service))),
      waiting(registry.add_gauge("recruiting_gateway_upstream_requests_waiting", "Requests that wait for their turn.",
                                 labels(service))),
      up(registry.add_gauge("recruiting_gateway_upstream_up",
                            "Whether any address of a service answers its health checks.", labels(service))) {
    up.set(1);
}

address_metrics::address_metrics(metrics::registry& registry, std::string const& service, std::string const& address)
    : known(registry.add_gauge("recruiting_gateway_upstream_addresses", "Addresses an entry of the setting stands for.",
                               labels(service, ",address=\"" + address + "\""))),
      ready(registry.add_gauge("recruiting_gateway_upstream_addresses_ready",
                               "Those of them whose health check says ready.",
                               labels(service, ",address=\"" + address + "\""))),
      answering(registry.add_gauge("recruiting_gateway_upstream_addresses_answering",
                                   "Those of them that answer the health check, ready or not.",
                                   labels(service, ",address=\"" + address + "\""))) {}

} // namespace recruiting::gateway
