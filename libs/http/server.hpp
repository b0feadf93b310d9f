// An HTTP/1.1 server for one thread's io_context: own listening socket (SO_REUSEPORT), keep-alive, deadlines by the
// thread's ticker. Requests are read by the parser of the gateway; answers are written with one gather write.
#pragma once
#include "async/ticker.hpp"
#include "core/settings.hpp"
#include "http/handler.hpp"
#include "http/program_settings.hpp"

#include <memory>

namespace recruiting::http {

class server {
public:
    /// Has the address, but does not listen yet; throws std::runtime_error naming the address when it can't be had.
    server(asio::io_context& context, ticker& clock, server_settings settings, handler& app);
    ~server();

    /// Connections come from now on. Throws std::runtime_error.
    void listen();
    /// From now on new connections go to another process that listens on the same address, if there is one: an
    /// upgrade starts the successor first. Part of drain().
    void divert_new_connections() noexcept;
    /// The first step of a stop. For settings.drain_delay all goes on as before, save that each answer is its
    /// connection's last: a load balancer has the time to see that this server is going, and loses nothing. Then
    /// no new connection is taken, idle ones are closed, busy ones after their answer.
    void drain();
    /// Is that done?
    [[nodiscard]] bool drained() const noexcept;
    /// The second step: whatever is still open is closed.
    void close();
    [[nodiscard]] std::size_t connections() const noexcept;
    /// The address in use: the port when the setting said 0.
    [[nodiscard]] endpoint local() const;

private:
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace recruiting::http
