// Connecting to a Redis or a Sentinel, and a first exchange with it. The caller sets the time limit: it closes the
// socket and cancels the resolver. Called by connection and sentinels.
#pragma once
#include "async/task.hpp"
#include "core/settings.hpp"
#include "redis/address.hpp"
#include "redis/protocol.hpp"

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/basic_resolver.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <vector>

namespace recruiting::redis {

using socket_type = asio::basic_stream_socket<asio::generic::stream_protocol, io_executor>;
using resolver_type = asio::ip::basic_resolver<asio::ip::tcp, io_executor>;

/// Connects to the first address of the host that takes the connection; false when none does.
[[nodiscard]] task<bool> dial(socket_type& socket, resolver_type& resolver, endpoint const& where);

/// Sends the commands and adds their replies; false when the connection ends before the last.
[[nodiscard]] task<bool> exchange(socket_type& socket, batch const& commands, std::vector<reply>& replies);

/// AUTH, if there is a password.
void add_login(batch& commands, login const& as);

} // namespace recruiting::redis
