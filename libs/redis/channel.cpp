#include "redis/channel.hpp"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <sys/socket.h>

namespace recruiting::redis {
namespace {

stream_socket::wait_type awaited(tls_status status) noexcept {
    return status == tls_status::want_write ? stream_socket::wait_write : stream_socket::wait_read;
}

bool must_wait(tls_status status) noexcept {
    return status == tls_status::want_read || status == tls_status::want_write;
}

} // namespace

tls_session session_source::make(std::string const& host) {
    auto seen = marks_of({files_.ca_file, files_.own.certificates, files_.own.key});
    if (!client_ || seen != marks_) client_.emplace(files_);
    marks_ = std::move(seen);
    return client_->connect_session(host);
}

channel::channel(asio::io_context& context, std::shared_ptr<session_source> tls)
    : source_(std::move(tls)), socket_(context), resolver_(context) {}

task<bool> channel::connect(endpoint const& where) {
    given_up_ = false;
    failure_.clear();
    bool const reached = co_await reach(where);
    if (!reached || !source_) co_return reached;
    bool const trusted = co_await shake_hands(where.host);
    co_return trusted;
}

task<bool> channel::reach(endpoint const& where) {
    boost::system::error_code ignored;
    if (!where.unix_path.empty()) {
        socket_address const there = asio::local::stream_protocol::endpoint(where.unix_path);
        auto const [error] = co_await socket_.async_connect(there, use_task_tuple);
        co_return !error && !given_up_;
    }
    auto const port = std::to_string(where.port);
    auto const [resolve_error, found] = co_await resolver_.async_resolve(where.host, port, use_task_tuple);
    if (resolve_error || given_up_) co_return false;
    for (auto const& entry : found) {
        socket_.close(ignored);
        socket_address const there = entry.endpoint();
        auto const [error] = co_await socket_.async_connect(there, use_task_tuple);
        if (given_up_) co_return false;
        if (error) continue;
        socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
        co_return true;
    }
    co_return false;
}

bool channel::begin_tls(std::string const& host) {
    try {
        tls_ = source_->make(host);
        tls_.attach(socket_.native_handle());
        return true;
    } catch (std::exception const& wrong) {
        failure_ = wrong.what();
        return false;
    }
}

task<bool> channel::shake_hands(std::string const& host) {
    if (!begin_tls(host)) co_return false;
    for (;;) {
        auto const status = tls_.handshake();
        if (status == tls_status::done) co_return true;
        if (!must_wait(status)) {
            failure_ = "TLS: " + tls_.failure();
            co_return false;
        }
        auto const [error] = co_await socket_.async_wait(awaited(status), use_task_tuple);
        if (given_up_) failure_ = "TLS: no handshake in time";
        if (error || given_up_) co_return false;
    }
}

task<bool> channel::exchange(batch const& commands, std::vector<reply>& replies) {
    bool const sent = co_await write_all(commands.bytes());
    if (!sent) co_return false;
    reply_reader reader;
    std::array<char, 4096> input{};
    auto const expected = replies.size() + commands.size();
    while (replies.size() < expected) {
        auto const [error, size] = co_await read_some(input);
        if (error) co_return false;
        try {
            reader.feed({input.data(), size});
            for (auto next = reader.next(); next; next = reader.next()) replies.push_back(std::move(*next));
        } catch (protocol_error const&) {
            co_return false;
        }
    }
    co_return true;
}

task<bool> channel::write_all(std::string_view bytes) {
    while (!bytes.empty()) {
        auto const sent = write_some(bytes);
        if (!sent) co_return true; // why is read: a server that rejects our certificate sends an alert and closes
        bytes.remove_prefix(*sent);
        if (bytes.empty()) break;
        auto const [error] = co_await socket_.async_wait(stream_socket::wait_write, use_task_tuple);
        if (error || !is_open()) co_return false;
    }
    co_return true;
}

// No coroutine: without TLS it costs what the socket's own read does.
task<channel::read_result> channel::read_some(std::span<char> into) {
    if (tls_) return read_tls(into);
    return socket_.async_read_some(asio::buffer(into.data(), into.size()), use_task_tuple);
}

task<channel::read_result> channel::read_tls(std::span<char> into) {
    for (;;) {
        auto const got = tls_.read(into.data(), into.size());
        if (got.status == tls_status::done) co_return read_result{boost::system::error_code{}, got.size};
        if (!must_wait(got.status)) {
            failure_ =
                got.status == tls_status::closed ? "TLS: the server closed the connection" : "TLS: " + tls_.failure();
            co_return read_result{asio::error::eof, 0};
        }
        auto const [error] = co_await socket_.async_wait(awaited(got.status), use_task_tuple);
        if (error) co_return read_result{error, 0};
        if (!tls_) co_return read_result{asio::error::operation_aborted, 0}; // closed when it had become readable
    }
}

std::optional<std::size_t> channel::write_some(std::string_view bytes) noexcept {
    if (tls_) {
        auto const sent = tls_.write({&bytes, 1});
        if (sent.status == tls_status::done || sent.status == tls_status::want_write) return sent.size;
        return std::nullopt;
    }
    auto const sent = ::send(socket_.native_handle(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) return static_cast<std::size_t>(sent);
    return errno == EAGAIN || errno == EINTR ? std::optional<std::size_t>(0) : std::nullopt;
}

void channel::close() {
    boost::system::error_code ignored;
    given_up_ = true;
    resolver_.cancel();
    if (tls_ && socket_.is_open()) static_cast<void>(tls_.shut_down());
    tls_ = {};
    socket_.close(ignored);
}

std::string channel::failure(boost::system::error_code const& error) const {
    if (!failure_.empty()) return failure_;
    return error ? error.message() : "connection refused or timed out";
}

} // namespace recruiting::redis
