// A thread's own listening socket: with SO_REUSEPORT the kernel spreads connections over the threads, and a new process
// can take over from an old one. TCP or a unix socket.
#pragma once
#include "async/ticker.hpp"
#include "core/settings.hpp"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <memory>

namespace recruiting {

using stream_acceptor = asio::basic_socket_acceptor<asio::generic::stream_protocol, io_executor>;

/// The address of a TCP socket, of either family.
[[nodiscard]] asio::ip::tcp::endpoint tcp_endpoint_of(asio::generic::stream_protocol::endpoint const& from);

/// Opens and binds; no client can connect yet. Throws std::runtime_error naming the address when it can't.
void bind_to(stream_acceptor& acceptor, endpoint const& where);
/// The step after: from now on connections come, and must be taken. A unix socket's path is taken over in one step; it
/// stays when the program ends, for a successor may have it by then.
void start_listening(stream_acceptor& acceptor, endpoint const& where);
/// Before this process stops listening: the kernel then gives new connections to the sockets that another process
/// opened for the same address later (a binary upgrade), past the `own` ones of this process. Without another process
/// they still come here. TCP only; nothing happens where the kernel can't.
void divert_new_connections(stream_acceptor& acceptor, unsigned own) noexcept;
/// The kernel spreads new connections over all sockets of the address again. The selection that another process set
/// with divert_new_connections outlives it and then names one of the sockets left: whoever goes on listening resets it
/// now and then.
void reset_reuseport_selection(stream_acceptor& acceptor) noexcept;

/// Accepts connections until it is stopped. Its owner calls on_tick at every tick of the thread.
class listener {
public:
    using socket = asio::basic_stream_socket<asio::generic::stream_protocol, io_executor>;
    using taker = std::function<void(socket connected, asio::generic::stream_protocol::endpoint const& remote)>;

    /// Has the address, but does not listen yet. sockets: of this program on that address, one a thread. Throws
    /// std::runtime_error when the address can't be had.
    listener(asio::io_context& context, endpoint where, unsigned sockets, taker take);
    /// New connections are reset from now on, and those in the kernel's queue too.
    ~listener() { close(); }
    listener(listener const&) = delete;
    listener& operator=(listener const&) = delete;

    /// Throws std::runtime_error.
    void start();
    void on_tick(coarse_clock::time_point now) noexcept;
    /// From now on connections go to another process that listens on the same address, if there is one. Those that come
    /// all the same are accepted.
    void divert_new_connections() noexcept;
    /// Takes the connections that the kernel has accepted already, because to their clients they are established, and
    /// closes.
    void stop();
    [[nodiscard]] bool is_open() const noexcept { return acceptor_->is_open(); }
    /// The address in use: the port when the setting said 0.
    [[nodiscard]] endpoint local() const;

private:
    enum class accepted { all, some, none };
    task<void> run(std::shared_ptr<stream_acceptor> acceptor);
    [[nodiscard]] accepted accept_waiting();
    void close() noexcept;

    asio::io_context& context_;
    endpoint const where_;
    unsigned const sockets_;
    taker const take_;
    std::shared_ptr<stream_acceptor> acceptor_;
    coarse_clock::time_point forget_at_{};
    bool diverts_{false};
};

} // namespace recruiting
