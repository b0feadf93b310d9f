#include "gateway/stream.hpp"

#include <array>
#include <boost/asio/buffer.hpp>
#include <cerrno>
#include <sys/socket.h>
#include <sys/uio.h>
#include <utility>

namespace recruiting::gateway {

stream_watch::stream_watch(ticker& clock)
    : clock_(clock), subscription_(clock.subscribe([this](coarse_clock::time_point now) {
          for (auto* one : streams_) one->check(now);
      })) {}

void stream_watch::stop() noexcept {
    if (!std::exchange(stopped_, true)) clock_.unsubscribe(subscription_);
}

stream::stream(socket_type socket, stream_watch& watch)
    : socket_(std::move(socket)), watch_(watch), listed_(watch.streams_.insert(watch.streams_.end(), this)) {}

stream::~stream() { watch_.streams_.erase(listed_); }

void stream::check(coarse_clock::time_point now) noexcept {
    if (now < read_by_ && now < write_by_) return;
    timed_out_ = true;
    read_by_ = write_by_ = coarse_clock::time_point::max();
    cancel();
}

task<read_outcome> stream::read(byte_buffer& into, std::chrono::milliseconds limit) {
    read_by_ = watch_.now() + limit;
    auto const room = into.prepare();
    auto const target = asio::buffer(room.data(), room.size());
    auto const [error, size] = co_await socket_.async_read_some(target, use_task_tuple);
    read_by_ = coarse_clock::time_point::max();
    into.commit(size);
    if (!error) co_return read_outcome::data;
    co_return timed_out_ ? read_outcome::timed_out : read_outcome::closed;
}

bool stream::try_write(gather& what) noexcept {
    std::array<iovec, 6> pieces; // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
    std::size_t count = 0;
    for (auto const piece : what.rest()) pieces[count++] = {const_cast<char*>(piece.data()), piece.size()};
    msghdr message{};
    message.msg_iov = pieces.data();
    message.msg_iovlen = count;
    auto const sent = ::sendmsg(socket_.native_handle(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) return errno == EAGAIN || errno == EINTR;
    what.advance(static_cast<std::size_t>(sent));
    return true;
}

task<bool> stream::write(gather& what, std::chrono::milliseconds limit) {
    while (!what.done()) {
        if (!try_write(what)) co_return false;
        if (what.done()) break;
        write_by_ = watch_.now() + limit;
        auto const [error] = co_await socket_.async_wait(asio::socket_base::wait_write, use_task_tuple);
        write_by_ = coarse_clock::time_point::max();
        if (error) co_return false;
    }
    co_return true;
}

void stream::cancel() noexcept {
    boost::system::error_code ignored;
    socket_.cancel(ignored);
}

void stream::shutdown_send() noexcept {
    boost::system::error_code ignored;
    socket_.shutdown(asio::socket_base::shutdown_send, ignored);
}

void stream::close() noexcept {
    boost::system::error_code ignored;
    socket_.close(ignored);
}

bool stream::is_quiet() noexcept {
    char byte = 0;
    return ::recv(socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 &&
           (errno == EAGAIN || errno == EINTR);
}

} // namespace recruiting::gateway
