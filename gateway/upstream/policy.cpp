#include "gateway/upstream/policy.hpp"

#include "gateway/listener_settings.hpp"

#include <algorithm>
#include <map>

namespace recruiting::gateway {
namespace {

using namespace std::chrono_literals;

void declare_health(settings_reader& reader, upstream_policy& out) {
    reader.custom("RECRUITING_GATEWAY_HEALTH_PATH", out.health_path,
                  "Path of the health check: 2xx means ready, any other response does not.",
                  [&out](std::string_view value) -> std::optional<std::string> {
                      bool const good = value.starts_with('/') && std::all_of(value.begin(), value.end(), [](char c) {
                                            return c > ' ' && c < '\x7f';
                                        });
                      if (!good) return "must be a path such as /readyz";
                      out.health_path = value;
                      return std::nullopt;
                  });
    reader.duration(
        "RECRUITING_GATEWAY_HEALTH_INTERVAL", out.health_interval, 10ms, 1min,
        "Interval between two health checks of an address. It must be shorter than the services' DRAIN_DELAY.");
    reader.duration("RECRUITING_GATEWAY_HEALTH_TIMEOUT", out.health_timeout, 10ms, 1min,
                    "Timeout of one health check; two consecutive timeouts eject the address.");
    reader.duration("RECRUITING_GATEWAY_RESOLVE_INTERVAL", out.resolve_interval, 100ms, 1h,
                    "Interval at which host names of services are resolved.");
    auto& ejection = out.ejection;
    reader.number("RECRUITING_GATEWAY_EJECT_AFTER", ejection.failures, 1, 1000,
                  "Consecutive failures (no connection, no response) that eject an address.");
    reader.duration("RECRUITING_GATEWAY_EJECTION_TIME", ejection.time, 100ms, 1h,
                    "Time an address stays ejected; it doubles with each further ejection.");
    reader.duration("RECRUITING_GATEWAY_EJECTION_LONGEST", ejection.longest, 100ms, 24h,
                    "Maximum time that an address stays ejected.");
    reader.duration("RECRUITING_GATEWAY_SLOW_START", ejection.slow_start, 0ms, 1h,
                    "Time in which an address that returns is given its full share of requests, from a tenth.");
}

} // namespace

void declare_upstream_policy(settings_reader& reader, upstream_policy& out) {
    reader.number("RECRUITING_GATEWAY_UPSTREAM_TRIES", out.tries, 1, 16,
                  "Maximum addresses tried per request. A sent request is repeated at most once, and only if it is "
                  "safe; a POST is never repeated.");
    reader.duration("RECRUITING_GATEWAY_CONNECT_TIMEOUT", out.connect_timeout, 10ms, 1min,
                    "Timeout for connecting to a service.");
    reader.duration(
        "RECRUITING_GATEWAY_UPSTREAM_IDLE", out.idle_timeout, 250ms, 1h,
        "Maximum idle time of a connection to a service. It must be shorter than the service's idle timeout.");
    reader.number("RECRUITING_GATEWAY_UPSTREAM_POOL", out.pool, 0, 65'536,
                  "Maximum idle connections per address and thread.");
    reader.number("RECRUITING_GATEWAY_UPSTREAM_REQUESTS", out.requests, 1, 1'000'000,
                  "Maximum requests in progress per service and thread; further ones wait.");
    reader.number("RECRUITING_GATEWAY_UPSTREAM_WAITING", out.waiting, 0, 1'000'000,
                  "Maximum waiting requests per service and thread; further ones get 503.");
    reader.duration("RECRUITING_GATEWAY_UPSTREAM_WAITING_TIMEOUT", out.waiting_timeout, 250ms, 10min,
                    "Maximum time that a request waits; then 503.");
    declare_health(reader, out);
}

namespace {

constexpr auto rejected_name = "recruiting_gateway_upstream_rejected_total";
constexpr auto rejected_help = "Requests answered 503 without being sent to their service.";

std::string label_of(std::string const& service) { return "upstream=\"" + service + '"'; }
std::string address_label(std::string const& label, service_address const& of) {
    return label + ",address=\"" + to_string(of.where) + '"';
}

} // namespace

upstream_metrics::upstream_metrics(metrics::registry& in, std::string const& service)
    : label(label_of(service)), connects(in.add_counter("recruiting_gateway_upstream_connects_total",
                                                        "Connections that were opened to a service.", label)),
      connect_failures(in.add_counter("recruiting_gateway_upstream_connect_failures_total",
                                      "Connection attempts to a service that failed.", label)),
      requests_lost(in.add_counter("recruiting_gateway_upstream_requests_lost_total",
                                   "Requests whose connection to the service ended before the response was complete.",
                                   label)),
      retries(in.add_counter("recruiting_gateway_upstream_retries_total",
                             "Requests that were retried on another address or a new connection.", label)),
      ejections(in.add_counter("recruiting_gateway_upstream_ejections_total",
                               "Addresses that a thread ejected after consecutive failures.", label)),
      rejected_down(in.add_counter(rejected_name, rejected_help, label + ",reason=\"down\"")),
      rejected_full(in.add_counter(rejected_name, rejected_help, label + ",reason=\"queue_full\"")),
      rejected_late(in.add_counter(rejected_name, rejected_help, label + ",reason=\"queue_timeout\"")),
      in_flight(in.add_gauge("recruiting_gateway_upstream_requests_in_flight",
                             "Requests that the service is processing.", label)),
      waiting(in.add_gauge("recruiting_gateway_upstream_requests_waiting",
                           "Requests that wait in the queue of the gateway.", label)) {}

void declare_address_metrics(metrics::registry& registry, std::string const& service, upstream_directory const& of) {
    auto const label = label_of(service);
    auto const add = [&](std::string name, std::string help, bool (*counts)(health_state state)) {
        registry.add_readings(std::move(name), std::move(help), "gauge", [&of, label, counts] {
            std::map<std::string, double> found;
            for (auto const& one : of.configured()) found[address_label(label, one)] = 0;
            for (auto const& one : of.targets())
                found[address_label(label, of.configured()[one->configured])] += counts(one->checked) ? 1 : 0;
            return metrics::registry::labelled_values(found.begin(), found.end());
        });
    };
    add("recruiting_gateway_upstream_addresses", "Addresses that an entry of the setting resolves to.",
        [](health_state) { return true; });
    add("recruiting_gateway_upstream_addresses_ready", "Addresses of an entry whose health check reports ready.",
        [](health_state state) { return state == health_state::ready; });
    add("recruiting_gateway_upstream_addresses_responding",
        "Addresses of an entry that respond to the health check, ready or not.", answers);
    registry.add_readings("recruiting_gateway_upstream_up",
                          "Whether any address of a service answers its health checks.", "gauge", [&of, label] {
                              return metrics::registry::labelled_values{{label, of.is_up() ? 1 : 0}};
                          });
}

namespace {

using wrong = std::optional<std::string>;

constexpr std::size_t longest_name = 253; // RFC 1035 section 2.3.4, without the last dot and the root's length

wrong read_own(std::string_view value, tls_files& out) {
    std::vector<tls_files> files;
    auto fault = read_certificates(value, files);
    if (fault || files.size() > 1) return "must be CHAIN.pem:KEY.pem, or empty";
    out = files.empty() ? tls_files{} : std::move(files.front());
    return std::nullopt;
}

wrong check_combination(upstream_tls_settings const& s, std::span<service_addresses const> services) {
    auto const& [ca_file, own, name] = s.client;
    bool const says_more = !ca_file.empty() || !own.certificates.empty() || !name.empty();
    if (!s.on && says_more)
        return "RECRUITING_GATEWAY_UPSTREAM_CA_FILE, _CERTIFICATE and _SERVER_NAME need "
               "RECRUITING_GATEWAY_UPSTREAM_TLS";
    for (auto const& service : services)
        for (auto const& one : service)
            if (s.on && name.empty() && one.where.host.empty())
                return "RECRUITING_GATEWAY_UPSTREAM_TLS over unix sockets needs "
                       "RECRUITING_GATEWAY_UPSTREAM_SERVER_NAME";
    if (name.size() > longest_name) return "RECRUITING_GATEWAY_UPSTREAM_SERVER_NAME must have 253 characters at most";
    return std::nullopt;
}

} // namespace

void declare_upstream_tls(settings_reader& reader, upstream_tls_settings& out,
                          std::span<service_addresses const> services) {
    reader.flag(
        "RECRUITING_GATEWAY_UPSTREAM_TLS", out.on,
        "Whether to connect to services over TLS and verify their certificates. Health checks stay plain HTTP.");
    reader.text("RECRUITING_GATEWAY_UPSTREAM_CA_FILE", out.client.ca_file,
                "CA certificates (PEM) that verify services; empty: the system's. SIGHUP reloads them.");
    reader.custom(
        "RECRUITING_GATEWAY_UPSTREAM_CERTIFICATE", "",
        "PEM files CHAIN:KEY of the gateway's client certificate for mutual TLS with services. SIGHUP reloads them.",
        [&out](std::string_view value) { return read_own(value, out.client.own); });
    reader.text("RECRUITING_GATEWAY_UPSTREAM_SERVER_NAME", out.client.server_name,
                "Name that services' certificates must contain; empty: the configured host name or address.");
    reader.rule([&out, services] { return check_combination(out, services); });
}

} // namespace recruiting::gateway
