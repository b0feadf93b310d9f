#include "gateway/listener.hpp"

#include "core/log.hpp"
#include "gateway/session.hpp"

#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace recruiting::gateway {
namespace {

constexpr int accepts_a_turn = 64;
constexpr std::chrono::milliseconds accept_pause{50};

// Clients on a unix socket are this machine's own. IPv4 in its mapped form, as core/ip has it.
ip_address address_of(sockaddr_storage const& remote) {
    ip_address out{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1}};
    if (remote.ss_family == AF_INET) {
        sockaddr_in v4{};
        std::memcpy(&v4, &remote, sizeof v4);
        std::memcpy(out.bytes.data() + 12, &v4.sin_addr, 4);
    } else if (remote.ss_family == AF_INET6) {
        sockaddr_in6 v6{};
        std::memcpy(&v6, &remote, sizeof v6);
        std::memcpy(out.bytes.data(), &v6.sin6_addr, 16);
    }
    return out;
}

task<void> serve(std::unique_ptr<session> connection) { co_await connection->run(); }

} // namespace

client_listener::client_listener(asio::io_context& context, listener_settings::listener const& how,
                                 std::shared_ptr<worker> of)
    : context_(context), where_(how.where), kind_(how.kind), worker_(std::move(of)),
      acceptor_(std::make_shared<stream_acceptor>(context)) {
    bind_to(*acceptor_, where_);
}

void client_listener::start() {
    start_listening(*acceptor_, where_);
    acceptor_->native_non_blocking(true);
    spawn(context_, run(acceptor_));
}

// accept() fails for a while when descriptors run out: it is tried again, the listener never ends by itself.
task<void> client_listener::run(std::shared_ptr<stream_acceptor> acceptor) {
    for (;;) {
        auto const [error] = co_await acceptor->async_wait(asio::socket_base::wait_read, use_task_tuple);
        if (error || !acceptor->is_open()) co_return;
        if (accept_waiting() != accepted::none) continue;
        co_await sleep_for(accept_pause);
        if (!acceptor->is_open()) co_return;
    }
}

// none: the system is short of something.
client_listener::accepted client_listener::accept_waiting() {
    for (int i = 0; i < accepts_a_turn; ++i) {
        sockaddr_storage remote{};
        socklen_t size = sizeof remote;
        int const made = ::accept4(acceptor_->native_handle(), reinterpret_cast<sockaddr*>(&remote), &size,
                                   SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (made >= 0) {
            begin(made, address_of(remote));
        } else if (errno == EAGAIN) {
            return accepted::all;
        } else if (errno != EINTR && errno != ECONNABORTED) {
            log::warning("accept_failed", {{"message", std::strerror(errno)}});
            return accepted::none;
        }
    }
    return accepted::some;
}

void client_listener::begin(int descriptor, ip_address const& peer) {
    if (!worker_->may_connect(peer) || !worker_->make_room()) {
        worker_->counters.refused_connections.add();
        ::close(descriptor);
        return;
    }
    int const on = 1;
    ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); // fails on unix sockets, which need none
    try {
        auto made = std::make_unique<session>(descriptor, peer, kind_, worker_);
        if (made->may_stay()) spawn(context_, serve(std::move(made)));
    } catch (std::system_error const& error) {
        log::warning("accept_failed", {{"message", error.what()}});
    }
}

// Connections in the kernel's queue would be reset: their clients were told that they are connected.
void client_listener::close() {
    while (acceptor_->is_open() && accept_waiting() == accepted::some) {
    }
    stop();
}

void client_listener::stop() noexcept {
    boost::system::error_code ignored;
    acceptor_->close(ignored);
}

} // namespace recruiting::gateway
