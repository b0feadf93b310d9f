#include "gateway/stream.hpp"

#include "core/log.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace recruiting::gateway {
namespace {

constexpr auto never = coarse_clock::time_point::max();

} // namespace

stream_watch::stream_watch(asio::io_context& context, ticker& clock)
    : context_(context), clock_(clock), poller_(context),
      subscription_(clock.subscribe([this](coarse_clock::time_point now) {
          for (auto* one : streams_) one->check(now);
      })) {}

// Who waits is owned by the coroutine that waits: it is forgotten here, so that both go.
void stream_watch::stop() noexcept {
    if (std::exchange(stopped_, true)) return;
    clock_.unsubscribe(subscription_);
    poller_.stop();
    std::vector<waiter> forgotten;
    for (auto* one : streams_) {
        forgotten.push_back(std::move(one->reading_.waiting));
        forgotten.push_back(std::move(one->writing_.waiting));
    }
}

stream::stream(int descriptor, stream_watch& watch)
    : watch_(watch), descriptor_(descriptor), listed_(watch.streams_.insert(watch.streams_.end(), this)) {
    try {
        if (!watch.stopped_) watch.poller_.add(descriptor, *this);
    } catch (...) {
        watch_.streams_.erase(listed_);
        ::close(descriptor_);
        throw;
    }
}

stream::~stream() {
    leave();
    watch_.streams_.erase(listed_);
}

void stream::leave() noexcept {
    if (descriptor_ < 0) return;
    watch_.poller_.remove(*this);
    ::close(std::exchange(descriptor_, -1));
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
        asio::post(watch_.context_, [who = std::move(writing_.waiting)]() mutable { who.resume(true); });
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

// Behind what is being done now: the caller may be in the middle of a list of streams.
void stream::resume_later(side& which) noexcept {
    which.by = never;
    if (!which.waiting) return;
    asio::post(watch_.context_, [who = std::move(which.waiting)]() mutable { who.resume(false); });
}

std::optional<read_outcome> stream::try_read(byte_buffer& into) {
    if (descriptor_ < 0) return read_outcome::closed;
    while (readable_) {
        auto const outcome = tls_ ? receive_tls(into) : receive(into);
        if (outcome) return outcome;
    }
    into.rest();
    return std::nullopt;
}

// nullopt: nothing was there, if readable_ is false now; else to be tried again.
std::optional<read_outcome> stream::receive(byte_buffer& into) {
    auto const room = into.prepare();
    auto const got = ::recv(descriptor_, room.data(), room.size(), MSG_DONTWAIT);
    if (got > 0) {
        into.commit(static_cast<std::size_t>(got));
        readable_ = ended_ || static_cast<std::size_t>(got) == room.size();
        return read_outcome::data;
    }
    cut_off_ = got < 0 && errno != EAGAIN && errno != EINTR;
    if (got == 0 || cut_off_) return read_outcome::closed;
    readable_ = errno == EINTR;
    return std::nullopt;
}

std::optional<read_outcome> stream::receive_tls(byte_buffer& into) {
    auto const room = into.prepare();
    auto const got = tls_.read(room.data(), room.size());
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
    tls_.attach(descriptor_, std::move(received));
    auto const until = watch_.now() + limit;
    for (;;) {
        auto const status = tls_.handshake();
        if (status == tls_status::done) break;
        if (status != tls_status::want_read && status != tls_status::want_write) co_return false;
        auto& needed = status == tls_status::want_read ? reading_ : writing_;
        needed.by = until;
        bool const ready = co_await needed.waiting.wait();
        if (!ready || descriptor_ < 0) co_return false;
    }
    readable_ = true;
    co_return true;
}

bool stream::try_write(gather& what) noexcept {
    if (descriptor_ < 0) return false;
    if (tls_) {
        auto const sent = tls_.write(what.rest());
        what.advance(sent.size);
        return sent.status == tls_status::done || sent.status == tls_status::want_write;
    }
    std::array<iovec, gather::most> pieces; // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
    std::size_t count = 0;
    for (auto const piece : what.rest()) pieces[count++] = {const_cast<char*>(piece.data()), piece.size()};
    msghdr message{};
    message.msg_iov = pieces.data();
    message.msg_iovlen = count;
    auto const sent = ::sendmsg(descriptor_, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) return errno == EAGAIN || errno == EINTR;
    what.advance(static_cast<std::size_t>(sent));
    return true;
}

task<bool> stream::write(gather& what, std::chrono::milliseconds limit) {
    while (!what.done()) {
        if (!try_write(what)) co_return false;
        if (what.done()) break;
        writing_.by = watch_.now() + limit;
        bool const ready = co_await writing_.waiting.wait();
        if (!ready) co_return false;
    }
    co_return true;
}

void stream::cancel() noexcept {
    resume_later(reading_);
    resume_later(writing_);
}

void stream::shutdown_send() noexcept {
    if (tls_ && descriptor_ >= 0) static_cast<void>(tls_.shut_down());
    ::shutdown(descriptor_, SHUT_WR);
}

void stream::close() noexcept {
    if (tls_ && descriptor_ >= 0) static_cast<void>(tls_.shut_down());
    leave();
    cancel();
}

bool stream::is_quiet() noexcept {
    char byte = 0;
    if (descriptor_ < 0 || ended_ || (tls_ && tls_.has_pending())) return false;
    bool const empty =
        ::recv(descriptor_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && (errno == EAGAIN || errno == EINTR);
    if (empty) readable_ = false;
    return empty;
}

} // namespace recruiting::gateway
