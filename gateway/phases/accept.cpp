#include "gateway/phases/accept.hpp"

#include "core/log.hpp"
#include "gateway/session.hpp"

#include <boost/asio/ip/tcp.hpp>

namespace recruiting::gateway {
namespace {

constexpr int accepts_a_turn = 64;
constexpr std::chrono::milliseconds accept_pause{50};

// Clients on a unix socket are this machine's own. IPv4 in its mapped form, as core/ip has it.
ip_address address_of(asio::generic::stream_protocol::endpoint const& remote) {
    ip_address out{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1}};
    int const family = remote.protocol().family();
    if (family != AF_INET && family != AF_INET6) return out;
    auto const address = tcp_endpoint_of(remote).address();
    auto const six =
        address.is_v6() ? address.to_v6() : asio::ip::make_address_v6(asio::ip::v4_mapped, address.to_v4());
    out.bytes = six.to_bytes();
    return out;
}

// For one more connection: closes another one when there are too many. false: none can be closed.
bool make_room(worker& by) noexcept {
    auto& sessions = by.sessions;
    evictable there{sessions.unfinished.size(), {}, sessions.idle.size()};
    if (there.unfinished > 0)
        there.oldest_unfinished = std::chrono::duration_cast<std::chrono::milliseconds>(
            by.watch.now() - sessions.unfinished.front()->unfinished_since);
    auto const chosen = choose_victim(by.shared.connections.total(), by.settings.connections_limit, there);
    if (chosen == victim::nobody) return true;
    if (chosen == victim::newcomer) return false;
    (chosen == victim::idle ? sessions.idle : sessions.unfinished).front()->evict();
    by.counters.evicted_connections.add();
    return true;
}

task<void> serve(std::unique_ptr<session> connection) { co_await connection->run(); }

} // namespace

client_listener::client_listener(listener_settings::listener how, std::shared_ptr<worker> of)
    : how_(std::move(how)), worker_(std::move(of)), acceptor_(std::make_shared<stream_acceptor>(worker_->context)) {
    bind_to(*acceptor_, how_.where);
}

client_listener::~client_listener() {
    boost::system::error_code ignored;
    acceptor_->close(ignored);
}

void client_listener::start() {
    start_listening(*acceptor_, how_.where);
    acceptor_->non_blocking(true);
    spawn(worker_->context, run(acceptor_));
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
        stream_socket made(worker_->context);
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
    if (!worker_->may_connect(peer) || !make_room(*worker_)) return worker_->counters.refused_connections.add();
    boost::system::error_code ignored;
    connected.set_option(asio::ip::tcp::no_delay(true), ignored); // fails on unix sockets, which need none
    auto made = std::make_unique<session>(std::move(connected), peer, how_.kind, worker_);
    if (made->may_stay()) spawn(worker_->context, serve(std::move(made)));
}

void client_listener::take_rest() {
    while (accept_waiting() == accepted::some) {
    }
}

} // namespace recruiting::gateway
