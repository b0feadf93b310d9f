#include "gateway/upstream/limited_socket.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <cerrno>

namespace recruiting::gateway {
namespace {

connect_result result_of(boost::system::error_code const& error, bool open) noexcept {
    if (!error && open) return connect_result::made;
    if (!open || error == asio::error::timed_out) return connect_result::late;
    switch (error.value()) {
    case EMFILE:
    case ENFILE:
    case ENOBUFS:
    case ENOMEM:
    case EADDRNOTAVAIL: return connect_result::lacking;
    default: return connect_result::refused;
    }
}

} // namespace

limited_socket::limited_socket(asio::io_context& context, std::chrono::milliseconds limit)
    : socket_(std::make_shared<socket_type>(context)), timer_(context, limit) {
    timer_.async_wait([watched = std::weak_ptr<socket_type>(socket_)](boost::system::error_code cancelled) {
        auto const socket = watched.lock();
        if (cancelled || !socket) return;
        boost::system::error_code ignored;
        socket->close(ignored);
    });
}

task<connect_result> limited_socket::connect(socket_address where) {
    boost::system::error_code failed;
    socket_->open(where.protocol(), failed);
    if (failed) co_return connect_result::lacking;
    auto const [error] = co_await socket_->async_connect(where, use_task_tuple);
    auto const result = result_of(error, socket_->is_open());
    if (result == connect_result::made && where.protocol().family() != AF_UNIX)
        socket_->set_option(asio::ip::tcp::no_delay(true), failed);
    co_return result;
}

task<std::optional<std::string>> limited_socket::handshake(tls_session& with) {
    with.attach(socket_->native_handle());
    for (;;) {
        auto const status = with.handshake();
        if (status == tls_status::done) co_return std::nullopt;
        if (status != tls_status::want_read && status != tls_status::want_write) co_return with.failure();
        auto const needed =
            status == tls_status::want_read ? asio::socket_base::wait_read : asio::socket_base::wait_write;
        auto const [error] = co_await socket_->async_wait(needed, use_task_tuple);
        if (error || !socket_->is_open()) co_return "it took too long";
    }
}

socket_type limited_socket::release() {
    timer_.cancel();
    return std::move(*socket_);
}

} // namespace recruiting::gateway
