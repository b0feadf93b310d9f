// A connection as the edge uses it: reads into a buffer, gather writes, each with a deadline that the thread's ticker
// watches. Plain sockets today; TLS has its place behind the same four functions.
#pragma once
#include "async/ticker.hpp"
#include "gateway/byte_buffer.hpp"

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <chrono>
#include <list>

namespace recruiting::gateway {

using socket_type = asio::basic_stream_socket<asio::generic::stream_protocol, io_executor>;

class stream;

/// All streams of a thread. Looks at their deadlines at every tick.
class stream_watch {
public:
    explicit stream_watch(ticker& clock);
    ~stream_watch() { stop(); }
    stream_watch(stream_watch const&) = delete;
    stream_watch& operator=(stream_watch const&) = delete;
    [[nodiscard]] coarse_clock::time_point now() const noexcept { return clock_.now(); }
    /// Before the ticker goes: streams may live on a little, without deadlines.
    void stop() noexcept;

private:
    friend class stream;
    ticker& clock_;
    ticker::subscription subscription_;
    bool stopped_{false};
    std::list<stream*> streams_;
};

enum class read_outcome { data, closed, timed_out };

class stream {
public:
    stream(socket_type socket, stream_watch& watch);
    ~stream();
    stream(stream const&) = delete;
    stream& operator=(stream const&) = delete;

    [[nodiscard]] task<read_outcome> read(byte_buffer& into, std::chrono::milliseconds limit);
    /// Writes what the kernel takes at once. false: the connection is gone. Ask what.done() whether write() must
    /// follow.
    [[nodiscard]] bool try_write(gather& what) noexcept;
    /// Writes the rest. false: the connection is gone, or took nothing for the limit.
    [[nodiscard]] task<bool> write(gather& what, std::chrono::milliseconds limit);
    /// Ends a read or write under way: it comes back as closed or false.
    void cancel() noexcept;
    void shutdown_send() noexcept;
    void close() noexcept;
    /// Has the peer closed, or sent what nobody asked for? For connections that lie idle.
    [[nodiscard]] bool is_quiet() noexcept;
    [[nodiscard]] socket_type& socket() noexcept { return socket_; }

private:
    friend class stream_watch;
    void check(coarse_clock::time_point now) noexcept;

    socket_type socket_;
    stream_watch& watch_;
    std::list<stream*>::iterator listed_;
    coarse_clock::time_point read_by_{coarse_clock::time_point::max()};
    coarse_clock::time_point write_by_{coarse_clock::time_point::max()};
    bool timed_out_{false};
};

} // namespace recruiting::gateway
