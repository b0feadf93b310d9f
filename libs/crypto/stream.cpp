#include "crypto/stream.hpp"

#include "core/log.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <unistd.h>
#include <utility>

namespace recruiting {
namespace {

using boost::system::error_code;

constexpr auto never = coarse_clock::time_point::max();

bool is_nothing_yet(error_code const& error) noexcept {
    return error == asio::error::would_block || error == asio::error::try_again || error == asio::error::interrupted;
}

connect_result result_of(error_code const& error, bool open) noexcept {
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

stream::stream(stream_socket connected, stream_watch& watch)
    : watch_(watch), socket_(std::move(connected)), self_(std::make_shared<stream*>(this)),
      listed_(watch.streams_.insert(watch.streams_.end(), this)) {
    if (socket_.is_open()) begin();
}

void stream::begin() {
    error_code ignored;
    auto const protocol = socket_.local_endpoint(ignored).protocol();
    int const descriptor = socket_.release();
    socket_ = stream_socket(watch_.never_run_);
    error_code lacking; // memory of the kernel
    socket_.assign(protocol, descriptor, lacking);
    if (lacking) {
        ::close(descriptor);
        return;
    }
    socket_.non_blocking(true, ignored);
    socket_.set_option(asio::ip::tcp::no_delay(true), ignored); // fails on unix sockets, which need none
    if (!watch_.stopped_ && !watch_.add(socket_.native_handle(), *this)) leave();
}

stream::~stream() {
    *self_ = nullptr;
    leave();
    watch_.streams_.erase(listed_);
}

void stream::leave() noexcept {
    if (!socket_.is_open()) return;
    watch_.remove(*this);
    error_code ignored;
    socket_.close(ignored);
}

stream_timeout::stream_timeout(stream& of, std::chrono::milliseconds limit) : timer_(of.socket_.get_executor(), limit) {
    timer_.async_wait([watched = of.self_](error_code cancelled) {
        if (!cancelled && *watched != nullptr) (*watched)->close();
    });
}

task<connect_result> stream::connect(socket_address where) {
    error_code failed;
    socket_.open(where.protocol(), failed);
    if (failed) co_return connect_result::lacking;
    auto const [error] = co_await socket_.async_connect(where, use_task_tuple);
    auto const result = result_of(error, socket_.is_open());
    if (result != connect_result::made) co_return result;
    begin();
    co_return socket_.is_open() ? result : connect_result::lacking;
}

// The last statement: a coroutine that runs on may end this stream.
void stream::on_events(std::uint32_t events) {
    broken_ = broken_ || (events & (EPOLLHUP | EPOLLERR)) != 0;
    ended_ = ended_ || (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;
    readable_ = readable_ || ended_ || (events & EPOLLIN) != 0;
    if (broken_ && works_for_this_ != nullptr) std::exchange(works_for_this_, nullptr)->close();
    bool const can_read = readable_ && reading_.waiting;
    bool const can_write = ((events & EPOLLOUT) != 0 || broken_) && writing_.waiting;
    if (can_read) reading_.by = never;
    if (can_write) writing_.by = never;
    if (can_read && can_write) // an upload and its answer: two coroutines, of which one would outlive this stream
        asio::post(watch_.context_, [waiting = std::move(writing_.waiting)]() mutable { waiting.resume(true); });
    if (can_read) return reading_.waiting.resume(true);
    if (can_write) writing_.waiting.resume(true);
}

void stream::check(coarse_clock::time_point now) noexcept {
    if (now >= reading_.by) {
        read_timed_out_ = true;
        resume_later(reading_);
    }
    if (now >= writing_.by) resume_later(writing_);
}

// Posted, because the caller may be in the middle of a list of streams.
void stream::resume_later(side& which) noexcept {
    which.by = never;
    if (!which.waiting) return;
    asio::post(watch_.context_, [waiting = std::move(which.waiting)]() mutable { waiting.resume(false); });
}

std::optional<read_outcome> stream::try_read(byte_buffer& into) {
    if (!socket_.is_open()) return read_outcome::closed;
    while (readable_) {
        auto const outcome = tls_ ? receive_tls(into) : receive(into);
        if (outcome) return outcome;
    }
    into.rest();
    return std::nullopt;
}

// nullopt: nothing was there, if readable_ is false now; else to be tried again.
std::optional<read_outcome> stream::receive(byte_buffer& into) {
    auto const space = into.prepare();
    error_code error;
    auto const got = socket_.read_some(asio::buffer(space.data(), space.size()), error);
    if (!error) {
        into.commit(got);
        readable_ = ended_ || got == space.size(); // less: the socket was emptied
        return read_outcome::data;
    }
    readable_ = error == asio::error::interrupted;
    if (is_nothing_yet(error)) return std::nullopt;
    readable_ = true; // the next read finds the end again
    cut_off_ = error != asio::error::eof;
    broken_ = broken_ || cut_off_;
    return read_outcome::closed;
}

std::optional<read_outcome> stream::receive_tls(byte_buffer& into) {
    auto const space = into.prepare();
    auto const got = tls_.read(space.data(), space.size());
    if (got.status == tls_status::done) {
        into.commit(got.size);
        readable_ = ended_ || tls_.may_have_more();
        return read_outcome::data;
    }
    if (got.status != tls_status::want_read && got.status != tls_status::want_write) {
        cut_off_ = got.status == tls_status::failed;
        if (cut_off_) log::debug("tls_failed", {{"message", tls_.failure()}});
        return read_outcome::closed;
    }
    readable_ = false;
    return std::nullopt;
}

task<read_outcome> stream::read(byte_buffer& into, std::chrono::milliseconds limit) {
    auto outcome = try_read(into);
    while (!outcome) {
        bool const ready = co_await readable(limit);
        outcome = ready ? try_read(into) : gave_up();
    }
    co_return *outcome;
}

task<bool> stream::readable(std::chrono::milliseconds limit) {
    reading_.by = watch_.now() + limit;
    return reading_.waiting.wait();
}

read_outcome stream::gave_up() noexcept {
    return std::exchange(read_timed_out_, false) ? read_outcome::timed_out : read_outcome::closed;
}

task<bool> stream::handshake(tls_session made, std::string received, std::chrono::milliseconds limit) {
    tls_ = std::move(made);
    tls_.attach(socket_.native_handle(), std::move(received));
    auto const until = watch_.now() + limit;
    for (;;) {
        auto const status = tls_.handshake();
        if (status == tls_status::done) break;
        if (status != tls_status::want_read && status != tls_status::want_write) co_return false;
        auto& needed = status == tls_status::want_read ? reading_ : writing_;
        needed.by = until;
        bool const ready = co_await needed.waiting.wait();
        if (!ready || !socket_.is_open()) co_return false;
    }
    readable_ = true;
    co_return true;
}

bool stream::try_write(gather& what) noexcept {
    if (!socket_.is_open()) return false;
    if (tls_) {
        auto const sent = tls_.write(what.rest());
        what.advance(sent.size);
        return sent.status == tls_status::done || sent.status == tls_status::want_write;
    }
    std::array<asio::const_buffer, gather::most> pieces;
    auto const rest = what.rest();
    std::transform(rest.begin(), rest.end(), pieces.begin(),
                   [](std::string_view piece) { return asio::buffer(piece); });
    error_code error;
    what.advance(socket_.write_some(std::span<asio::const_buffer const>(pieces.data(), rest.size()), error));
    return !error || is_nothing_yet(error);
}

task<bool> stream::writable(std::chrono::milliseconds limit) {
    writing_.by = watch_.now() + limit;
    return writing_.waiting.wait();
}

task<bool> stream::write(gather& what, std::chrono::milliseconds limit) {
    while (!what.done()) {
        if (!try_write(what)) co_return false;
        if (what.done()) break;
        bool const ready = co_await writable(limit);
        if (!ready) co_return false;
    }
    co_return true;
}

void stream::cancel() noexcept {
    resume_later(reading_);
    resume_later(writing_);
}

void stream::shutdown_send() noexcept {
    if (tls_ && socket_.is_open()) static_cast<void>(tls_.shut_down());
    error_code ignored;
    socket_.shutdown(asio::socket_base::shutdown_send, ignored);
}

void stream::close() noexcept {
    if (tls_ && socket_.is_open()) static_cast<void>(tls_.shut_down());
    leave();
    cancel();
}

bool stream::is_quiet() noexcept {
    char byte = 0;
    error_code error;
    if (is_broken() || ended_ || (tls_ && tls_.has_pending())) return false;
    socket_.receive(asio::buffer(&byte, 1), asio::socket_base::message_peek, error);
    bool const empty = is_nothing_yet(error);
    if (empty) readable_ = false;
    return empty;
}

} // namespace recruiting
