// One thread's listening socket for clients (SO_REUSEPORT: each thread has its own): accepts, and starts a session for
// each connection within the limits. Called by gateway_thread.
#pragma once
#include "async/listener.hpp"
#include "gateway/worker.hpp"

#include <memory>

namespace recruiting::gateway {

class client_listener {
public:
    /// Has the address, but does not listen yet. Throws std::runtime_error when it can't be had.
    client_listener(listener_settings::listener how, std::shared_ptr<worker> of);
    /// New connections are reset from now on, and those in the kernel's queue too.
    ~client_listener();
    client_listener(client_listener const&) = delete;
    client_listener& operator=(client_listener const&) = delete;

    /// Throws std::runtime_error.
    void start();
    /// New connections go to another process that listens on the same address, if there is one. Those that come all
    /// the same are accepted.
    void divert_new_connections() noexcept {
        recruiting::divert_new_connections(*acceptor_, worker_->settings.thread_count());
    }
    void reset_reuseport_selection() noexcept { recruiting::reset_reuseport_selection(*acceptor_); }
    /// Takes the connections that the kernel has accepted already: to their clients they are established.
    void accept_pending();

private:
    enum class accepted { all, some, none };
    task<void> run(std::shared_ptr<stream_acceptor> acceptor);
    [[nodiscard]] accepted accept_waiting();
    void begin(stream_socket connected, ip_address const& peer);

    listener_settings::listener const how_;
    std::shared_ptr<worker> worker_;
    std::shared_ptr<stream_acceptor> acceptor_;
};

/// While requests wait for a service's permits, closes the connections whose clients withhold theirs longest.
void free_permits(worker& by, coarse_clock::time_point now) noexcept;

} // namespace recruiting::gateway
