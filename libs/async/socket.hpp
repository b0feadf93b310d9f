// Sockets of either family, TCP or unix, bound to the concrete executor of their io_context.
#pragma once
#include "async/task.hpp"

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstring>

namespace recruiting {

using socket_address = asio::generic::stream_protocol::endpoint;
using stream_socket = asio::basic_stream_socket<asio::generic::stream_protocol, io_executor>;

/// The address of a TCP socket, of either IP version.
[[nodiscard]] inline asio::ip::tcp::endpoint tcp_endpoint_of(socket_address const& from) {
    asio::ip::tcp::endpoint tcp;
    tcp.resize(from.size());
    std::memcpy(tcp.data(), from.data(), from.size());
    return tcp;
}

} // namespace recruiting
