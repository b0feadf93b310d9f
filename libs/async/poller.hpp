// Readiness of one thread's sockets, each registered once for its whole life: an edge-triggered epoll, for which Asio
// waits as a whole. Asio's own wait costs an epoll_ctl each time (proto-docs/decisions/0081).
#pragma once
#include "async/task.hpp"

#include <array>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <sys/epoll.h>

namespace recruiting {

class poller {
public:
    class watcher {
    public:
        /// events: EPOLLIN, EPOLLOUT, EPOLLRDHUP, EPOLLHUP, EPOLLERR. May add and remove any watcher.
        virtual void on_events(std::uint32_t events) = 0;

    protected:
        ~watcher() = default;
    };

    /// Throws std::system_error when the system has no descriptors left.
    explicit poller(asio::io_context& context);
    poller(poller const&) = delete;
    poller& operator=(poller const&) = delete;

    /// Until the descriptor is closed. false: the system has no memory left for it.
    [[nodiscard]] bool add(int descriptor, watcher& watched) noexcept;
    /// Before the watcher goes: its events that were read and not dispatched yet are dropped. The descriptor is not
    /// touched.
    void remove(watcher const& watched) noexcept;
    /// Dispatches nothing any more.
    void stop() noexcept;

private:
    void wait();
    void dispatch();

    asio::posix::basic_stream_descriptor<io_executor> epoll_;
    std::array<epoll_event, 256> events_{};
    std::span<epoll_event> pending_;
};

} // namespace recruiting
