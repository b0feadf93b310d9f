// What one thread of the gateway runs: a listening socket of its own (SO_REUSEPORT), its sessions, its worker; the
// first thread also answers the admin port.
#pragma once
#include "gateway/worker.hpp"
#include "http/run.hpp"

#include <memory>

namespace recruiting::gateway {

/// The process's parts that threads share.
struct shared_parts {
    explicit shared_parts(gateway_settings s) : settings(std::move(s)), counters(registry, settings.routes) {}
    gateway_settings settings;
    metrics::registry registry;
    gateway_metrics counters;
    count_table table;
};

/// Throws std::runtime_error when an address can't be listened on.
[[nodiscard]] std::unique_ptr<http::thread_part>
make_edge(asio::io_context& context, ticker& clock, shared_parts& shared, time_source const& time, bool with_admin);

} // namespace recruiting::gateway
