#include "async/poller.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace recruiting {
namespace {

int make_epoll() {
    int const made = ::epoll_create1(EPOLL_CLOEXEC);
    if (made < 0) throw std::system_error(errno, std::generic_category(), "epoll_create1");
    return made;
}

} // namespace

poller::poller(asio::io_context& context) : epoll_(context, make_epoll()) { wait(); }

bool poller::add(int descriptor, watcher& watched) noexcept {
    epoll_event event{};
    event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
    event.data.ptr = &watched;
    return ::epoll_ctl(epoll_.native_handle(), EPOLL_CTL_ADD, descriptor, &event) == 0;
}

void poller::remove(watcher const& watched) noexcept {
    for (auto& event : pending_)
        if (event.data.ptr == &watched) event.data.ptr = nullptr;
}

void poller::stop() noexcept {
    boost::system::error_code ignored;
    epoll_.close(ignored);
    pending_ = {};
}

void poller::wait() {
    epoll_.async_wait(asio::posix::descriptor_base::wait_read, [this](boost::system::error_code error) {
        if (error) return; // stopped, and perhaps gone
        dispatch();
        if (epoll_.is_open()) wait();
    });
}

// A full array leaves the rest for the next run of the loop, behind what else the loop has to do.
void poller::dispatch() {
    int const count = ::epoll_wait(epoll_.native_handle(), events_.data(), static_cast<int>(events_.size()), 0);
    pending_ = std::span(events_).first(static_cast<std::size_t>(std::max(count, 0)));
    while (!pending_.empty()) {
        auto const event = pending_.front();
        pending_ = pending_.subspan(1);
        if (event.data.ptr != nullptr) static_cast<watcher*>(event.data.ptr)->on_events(event.events);
    }
}

} // namespace recruiting
