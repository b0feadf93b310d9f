// A thread's own listening socket: with SO_REUSEPORT the kernel spreads connections over the threads, and a new process
// can take over from an old one. TCP or a unix socket.
#pragma once
#include "async/socket.hpp"
#include "async/ticker.hpp"
#include "core/settings.hpp"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <functional>
#include <memory>

namespace recruiting {

using stream_acceptor = asio::basic_socket_acceptor<asio::generic::stream_protocol, io_executor>;

/// Accepts connections until it is stopped. Its owner calls on_tick at every tick of the thread.
class listener {
public:
    using taker = std::function<void(stream_socket connected, socket_address const& remote)>;

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
    /// Before this process stops listening: from now on connections go to another process that listens on the same
    /// address (a binary upgrade), if there is one. Those that come all the same are accepted.
    void divert_new_connections() noexcept;
    /// Takes the connections that the kernel has accepted already, because to their clients they are established, and
    /// closes.
    void stop();
    [[nodiscard]] bool is_open() const noexcept { return acceptor_->is_open(); }
    /// The address in use: the port when the setting said 0.
    [[nodiscard]] endpoint local() const;

private:
    enum class accepted { all, some, none };
    task<void> accept_connections(std::shared_ptr<stream_acceptor> acceptor);
    [[nodiscard]] accepted accept_waiting();
    void close() noexcept;

    asio::io_context& context_;
    endpoint const where_;
    unsigned const sockets_;
    taker const take_;
    std::shared_ptr<stream_acceptor> acceptor_;
    coarse_clock::time_point forget_at_{};
    bool listens_{false};
    bool diverts_{false};
};

} // namespace recruiting
