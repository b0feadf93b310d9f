#include "gateway/phases/accept.hpp"

#include "core/log.hpp"
#include "gateway/session.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <cstring>

namespace recruiting::gateway {
namespace {

constexpr int accepts_a_turn = 64;
constexpr std::chrono::milliseconds accept_pause{50};

// Clients on a unix socket are this machine's own. IPv4 in its mapped form, as core/ip has it.
ip_address address_of(asio::generic::stream_protocol::endpoint const& remote) {
    ip_address out{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1}};
    int const family = remote.protocol().family();
    if (family != AF_INET && family != AF_INET6) return out;
    asio::ip::tcp::endpoint tcp;
    tcp.resize(remote.size());
    std::memcpy(tcp.data(), remote.data(), remote.size());
    auto const address = tcp.address();
    auto const six =
        address.is_v6() ? address.to_v6() : asio::ip::make_address_v6(asio::ip::v4_mapped, address.to_v4());
    out.bytes = six.to_bytes();
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
    acceptor_->non_blocking(true);
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
        stream_socket made(context_);
        asio::generic::stream_protocol::endpoint remote;
        boost::system::error_code error;
        acceptor_->accept(made, remote, error);
        if (!error) {
            begin(std::move(made), address_of(remote));
        } else if (error == asio::error::would_block || error == asio::error::try_again) {
            return accepted::all;
        } else if (error != asio::error::interrupted && error != asio::error::connection_aborted) {
            log::warning("accept_failed", {{"message", error.message()}});
            return accepted::none;
        }
    }
    return accepted::some;
}

void client_listener::begin(stream_socket connected, ip_address const& peer) {
    if (!worker_->may_connect(peer) || !worker_->make_room()) return worker_->counters.refused_connections.add();
    boost::system::error_code ignored;
    connected.set_option(asio::ip::tcp::no_delay(true), ignored); // fails on unix sockets, which need none
    auto made = std::make_unique<session>(std::move(connected), peer, kind_, worker_);
    if (made->may_stay()) spawn(context_, serve(std::move(made)));
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
