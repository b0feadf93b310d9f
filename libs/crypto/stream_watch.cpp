#include "crypto/stream.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

namespace recruiting {
namespace {

int make_epoll() {
    int const made = ::epoll_create1(EPOLL_CLOEXEC);
    if (made < 0) throw std::system_error(errno, std::generic_category(), "epoll_create1");
    return made;
}

} // namespace

stream_watch::stream_watch(asio::io_context& context, ticker& clock)
    : context_(context), clock_(clock), epoll_(context, make_epoll()),
      subscription_(clock.subscribe([this](coarse_clock::time_point now) {
          for (auto* one : streams_) one->check(now);
      })) {
    // The first socket makes the descriptors of its context, which a later one might not get.
    stream_socket const first(never_run_);
    await_events();
}

// A waiter is owned by the coroutine that waits: it is forgotten here, so that both go.
void stream_watch::stop() noexcept {
    if (std::exchange(stopped_, true)) return;
    clock_.unsubscribe(subscription_);
    boost::system::error_code ignored;
    epoll_.close(ignored);
    undispatched_ = {};
    std::vector<waiter> forgotten;
    for (auto* one : streams_) {
        forgotten.push_back(std::move(one->reading_.waiting));
        forgotten.push_back(std::move(one->writing_.waiting));
    }
}

bool stream_watch::add(int descriptor, stream& watched) noexcept {
    epoll_event event{};
    event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
    event.data.ptr = &watched;
    return ::epoll_ctl(epoll_.native_handle(), EPOLL_CTL_ADD, descriptor, &event) == 0;
}

void stream_watch::remove(stream const& watched) noexcept {
    for (auto& event : undispatched_)
        if (event.data.ptr == &watched) event.data.ptr = nullptr;
}

void stream_watch::await_events() {
    epoll_.async_wait(asio::posix::descriptor_base::wait_read, [this](boost::system::error_code error) {
        if (error) return; // stopped, and perhaps gone
        dispatch_events();
        if (epoll_.is_open()) await_events();
    });
}

// A full array leaves the rest for the next turn of the loop, behind what else the loop has to do.
void stream_watch::dispatch_events() {
    int const count = ::epoll_wait(epoll_.native_handle(), events_.data(), static_cast<int>(events_.size()), 0);
    undispatched_ = std::span(events_).first(static_cast<std::size_t>(std::max(count, 0)));
    while (!undispatched_.empty()) {
        auto const event = undispatched_.front();
        undispatched_ = undispatched_.subspan(1);
        if (event.data.ptr != nullptr) static_cast<stream*>(event.data.ptr)->on_events(event.events);
    }
}

} // namespace recruiting
