// A thread's own listening socket: with SO_REUSEPORT the kernel spreads connections over the threads, and a new process
// can take over from an old one. TCP or a unix socket.
#pragma once
#include "async/task.hpp"
#include "core/settings.hpp"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace recruiting {

using stream_acceptor = asio::basic_socket_acceptor<asio::generic::stream_protocol, io_executor>;

/// The address of a TCP socket, of either family.
[[nodiscard]] asio::ip::tcp::endpoint tcp_endpoint_of(asio::generic::stream_protocol::endpoint const& from);

/// Opens and binds; no client can connect yet. Throws std::runtime_error naming the address when it can't.
void bind_to(stream_acceptor& acceptor, endpoint const& where);
/// The step after: from now on connections come, and must be taken. A unix socket's path is taken over in one step; it
/// stays when the program ends, for a successor may have it by then.
void start_listening(stream_acceptor& acceptor, endpoint const& where);
/// Both.
void listen_on(stream_acceptor& acceptor, endpoint const& where);

/// Before this process stops listening: the kernel then gives new connections to the sockets that another process
/// opened for the same address later (a binary upgrade), past the `own` ones of this process. Without another process
/// they still come here. TCP only; nothing happens where the kernel can't.
void divert_new_connections(stream_acceptor& acceptor, unsigned own) noexcept;
/// The kernel spreads new connections over all sockets of the address again. The selection that another process set
/// with divert_new_connections outlives it and then names one of the sockets left: whoever goes on listening resets it
/// now and then.
void reset_reuseport_selection(stream_acceptor& acceptor) noexcept;

} // namespace recruiting
