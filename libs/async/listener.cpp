#include "async/listener.hpp"

#include "core/log.hpp"

#include <boost/asio/local/stream_protocol.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <linux/filter.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace recruiting {
namespace {

using reuse_port = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;
constexpr int backlog = 4096;
constexpr int accepts_per_pass = 64;
constexpr std::chrono::milliseconds accept_pause{50};
constexpr std::chrono::seconds forget_every{2};

socket_address resolve(endpoint const& where) {
    if (!where.unix_path.empty()) return asio::local::stream_protocol::endpoint(where.unix_path);
    boost::system::error_code error;
    auto const address = asio::ip::make_address(where.host, error);
    if (error) throw std::runtime_error("can't listen on " + to_string(where) + ": not an IP address");
    return asio::ip::tcp::endpoint(address, where.port);
}

[[noreturn]] void fail(endpoint const& where, std::string const& why) {
    throw std::runtime_error("can't listen on " + to_string(where) + ": " + why);
}

// A unix socket gets its name when it listens already: a predecessor's path never leads nowhere.
endpoint provisional(endpoint where) {
    if (!where.unix_path.empty()) where.unix_path += "." + std::to_string(::getpid());
    return where;
}

// No client can connect yet.
void bind_to(stream_acceptor& acceptor, endpoint const& where) {
    auto const address = resolve(provisional(where));
    if (!where.unix_path.empty()) ::unlink(provisional(where).unix_path.c_str());
    try {
        acceptor.open(address.protocol());
        if (where.unix_path.empty()) {
            acceptor.set_option(asio::socket_base::reuse_address(true));
            acceptor.set_option(reuse_port(true));
        }
        acceptor.bind(address);
    } catch (boost::system::system_error const& error) {
        fail(where, error.code().message());
    }
}

// The kernel spreads new connections over all sockets of the address again.
void reset_reuseport_selection(stream_acceptor& acceptor) noexcept {
    int const none = 0;
    ::setsockopt(acceptor.native_handle(), SOL_SOCKET, SO_DETACH_REUSEPORT_BPF, &none, sizeof none);
}

// From now on connections come, and must be taken. A unix socket's path is taken over in one step; it stays when the
// program ends, for a successor may have it by then.
void start_listening(stream_acceptor& acceptor, endpoint const& where) {
    boost::system::error_code error;
    acceptor.listen(backlog, error);
    if (error) fail(where, error.message());
    if (where.unix_path.empty()) return reset_reuseport_selection(acceptor);
    if (::rename(provisional(where).unix_path.c_str(), where.unix_path.c_str()) != 0) fail(where, std::strerror(errno));
}

// The kernel then gives new connections to the sockets that another process opened for the same address later, past the
// `own` ones of this process; without another process they still come here. The filter names the socket by its index in
// the group, which is the order of listening: own ones first. An index that no socket has makes the kernel choose as if
// there were no filter. TCP only; nothing happens where the kernel can't.
void select_sockets_after(stream_acceptor& acceptor, unsigned own) noexcept {
    sock_filter program[] = {{BPF_RET | BPF_K, 0, 0, own}};
    sock_fprog const all{1, program};
    ::setsockopt(acceptor.native_handle(), SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, &all, sizeof all);
}

} // namespace

listener::listener(asio::io_context& context, endpoint where, unsigned sockets, taker take)
    : context_(context), where_(std::move(where)), sockets_(sockets), take_(std::move(take)),
      acceptor_(std::make_shared<stream_acceptor>(context)) {
    bind_to(*acceptor_, where_);
}

void listener::start() {
    start_listening(*acceptor_, where_);
    listens_ = true;
    acceptor_->non_blocking(true);
    spawn(context_, accept_connections(acceptor_));
}

// accept() fails for a while when descriptors run out: it is tried again, the listener never ends by itself.
task<void> listener::accept_connections(std::shared_ptr<stream_acceptor> acceptor) {
    for (;;) {
        auto const [error] = co_await acceptor->async_wait(asio::socket_base::wait_read, use_task_tuple);
        if (error || !acceptor->is_open()) co_return;
        if (accept_waiting() != accepted::none) continue;
        co_await sleep_for(accept_pause);
        if (!acceptor->is_open()) co_return;
    }
}

// none: the system is short of something.
listener::accepted listener::accept_waiting() {
    for (int i = 0; i < accepts_per_pass; ++i) {
        stream_socket made(context_);
        socket_address remote;
        boost::system::error_code error;
        acceptor_->accept(made, remote, error);
        if (!error) {
            take_(std::move(made), remote);
        } else if (error == asio::error::would_block || error == asio::error::try_again) {
            return accepted::all;
        } else if (error != asio::error::interrupted && error != asio::error::connection_aborted) {
            log::warning("accept_failed", {{"message", error.message()}});
            return accepted::none;
        }
    }
    return accepted::some;
}

// The selection that a predecessor set with divert_new_connections outlives it and then names one of our sockets: it is
// reset now and then. So a program that diverts repeats it; in between, connections come to both. A single socket can't
// be named wrongly and forgets nothing: a readiness check never reaches the program that goes.
void listener::on_tick(coarse_clock::time_point now) noexcept {
    if (!listens_ || !is_open()) return;
    if (diverts_) return select_sockets_after(*acceptor_, sockets_);
    if (sockets_ == 1 || now < forget_at_) return;
    forget_at_ = now + forget_every;
    reset_reuseport_selection(*acceptor_);
}

void listener::divert_new_connections() noexcept {
    diverts_ = true;
    on_tick({});
}

void listener::stop() {
    while (listens_ && is_open() && accept_waiting() == accepted::some) {
    }
    close();
}

void listener::close() noexcept {
    boost::system::error_code ignored;
    acceptor_->close(ignored);
}

endpoint listener::local() const {
    auto where = where_;
    if (where.unix_path.empty()) where.port = tcp_endpoint_of(acceptor_->local_endpoint()).port();
    return where;
}

} // namespace recruiting
