#include "gateway/upstream_policy.hpp"

#include <algorithm>

namespace recruiting::gateway {
namespace {

using namespace std::chrono_literals;

void declare_health(settings_reader& reader, upstream_policy& out) {
    reader.custom("RECRUITING_GATEWAY_HEALTH_PATH", out.health_path,
                  "What is asked of a service's health address: 2xx is ready, anything else is not.",
                  [&out](std::string_view value) -> std::optional<std::string> {
                      bool const good = value.starts_with('/') && std::all_of(value.begin(), value.end(), [](char c) {
                                            return c > ' ' && c < '\x7f';
                                        });
                      if (!good) return "must be a path such as /readyz";
                      out.health_path = value;
                      return std::nullopt;
                  });
    reader.duration("RECRUITING_GATEWAY_HEALTH_INTERVAL", out.health_interval, 10ms, 1min,
                    "Between two checks of an address, by one thread for all; less than the services' DRAIN_DELAY.");
    reader.duration("RECRUITING_GATEWAY_HEALTH_TIMEOUT", out.health_timeout, 10ms, 1min,
                    "For one check; two in a row without an answer take the address out.");
    reader.duration("RECRUITING_GATEWAY_RESOLVE_INTERVAL", out.resolve_interval, 100ms, 1h,
                    "Services' host names are resolved anew this often.");
    auto& ejection = out.ejection;
    reader.number("RECRUITING_GATEWAY_EJECT_AFTER", ejection.failures, 1, 1000,
                  "Failures in a row (no connection, no answer) that take an address out.");
    reader.duration("RECRUITING_GATEWAY_EJECTION_TIME", ejection.time, 100ms, 1h,
                    "For so long; twice as long each time it happens again.");
    reader.duration("RECRUITING_GATEWAY_EJECTION_LONGEST", ejection.longest, 100ms, 24h, "But never for longer.");
    reader.duration("RECRUITING_GATEWAY_SLOW_START", ejection.slow_start, 0ms, 1h,
                    "An address that returns gets a tenth of its part at first, all of it after this.");
}

} // namespace

void declare_upstream_policy(settings_reader& reader, upstream_policy& out) {
    reader.number(
        "RECRUITING_GATEWAY_UPSTREAM_TRIES", out.tries, 1, 16,
        "Addresses a request may be tried on. One that was sent is repeated once at most, and only when it is "
        "safe; a POST never.");
    reader.duration("RECRUITING_GATEWAY_CONNECT_TIMEOUT", out.connect_timeout, 10ms, 1min,
                    "For a connection to a service.");
    reader.duration("RECRUITING_GATEWAY_UPSTREAM_IDLE", out.idle_timeout, 250ms, 1h,
                    "A connection to a service is kept unused this long; less than the service keeps it.");
    reader.number("RECRUITING_GATEWAY_UPSTREAM_POOL", out.pool, 0, 65'536,
                  "Unused connections kept, for each address and thread.");
    reader.number("RECRUITING_GATEWAY_UPSTREAM_REQUESTS", out.requests, 1, 1'000'000,
                  "Requests under way, for each service and thread; more wait.");
    reader.number("RECRUITING_GATEWAY_UPSTREAM_WAITING", out.waiting, 0, 1'000'000,
                  "Requests that wait, for each service and thread; more are answered 503.");
    reader.duration("RECRUITING_GATEWAY_UPSTREAM_WAITING_TIMEOUT", out.waiting_timeout, 250ms, 10min,
                    "A request waits this long at most; then 503.");
    declare_health(reader, out);
}

} // namespace recruiting::gateway
