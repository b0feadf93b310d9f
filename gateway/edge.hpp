// What one thread of the gateway runs: a listening socket of its own (SO_REUSEPORT), its sessions, its worker; the
// first thread also answers the admin port.
#pragma once
#include "gateway/worker.hpp"
#include "http/run.hpp"

#include <memory>

namespace recruiting::gateway {

/// Throws std::runtime_error when an address can't be listened on.
[[nodiscard]] std::unique_ptr<http::thread_part>
make_edge(asio::io_context& context, ticker& clock, shared_parts& shared, time_source const& time, bool with_admin);

} // namespace recruiting::gateway
