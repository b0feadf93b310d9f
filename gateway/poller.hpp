// Readiness of one thread's sockets: an epoll of the edge's own, edge-triggered, in which a socket is registered once
// for its whole life. Asio's reactor tries every read before it waits for it, and a proxy's read nearly always comes
// before the bytes; here a socket that was read empty is known to be empty until the kernel says otherwise
// (proto-docs/decisions/0035). Asio waits for the epoll as a whole.
#pragma once
#include "async/task.hpp"

#include <array>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <sys/epoll.h>

namespace recruiting::gateway {

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

    /// Until the descriptor is closed. Throws std::system_error.
    void add(int descriptor, watcher& who);
    /// Before who goes: events of this turn that are still to be told are not. The descriptor is not touched.
    void remove(watcher const& who) noexcept;
    /// Tells nothing any more.
    void stop() noexcept;

private:
    void wait();
    void tell();

    asio::posix::basic_stream_descriptor<io_executor> epoll_;
    std::array<epoll_event, 256> events_{};
    std::span<epoll_event> untold_;
};

} // namespace recruiting::gateway
