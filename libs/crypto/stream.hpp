// A connection over TCP or a unix socket, with TLS on it or without: an Asio socket that is read into a buffer and
// written with gather writes, each under a deadline of the thread's ticker. OpenSSL works on the socket itself, so that
// a connection that waits holds no buffers; asio::ssl::stream would keep 34 KiB.
#pragma once
#include "async/byte_buffer.hpp"
#include "async/socket.hpp"
#include "async/ticker.hpp"
#include "crypto/tls_session.hpp"

#include <array>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <sys/epoll.h>

namespace recruiting {

class stream;

/// Waits for all streams of a thread: for their sockets, and for their deadlines, which it checks with every tick. Each
/// socket is registered once, edge-triggered, with an epoll of this class, and Asio waits for that epoll as a whole.
/// Asio's own waiting makes an epoll_ctl call per wait, two per proxied request: the gateway then needs 15 % more CPU
/// for one (1.29 to 1.12, proto-docs/decisions/0081). What Asio still does with the sockets is to read, write and close
/// them. For that they must belong to an io_context, and it is one that never runs, because the one that does would
/// wake up for each event a second time.
class stream_watch {
public:
    /// Throws std::system_error when the system has no descriptors left.
    stream_watch(asio::io_context& context, ticker& clock);
    ~stream_watch() { stop(); }
    stream_watch(stream_watch const&) = delete;
    stream_watch& operator=(stream_watch const&) = delete;
    [[nodiscard]] coarse_clock::time_point now() const noexcept { return clock_.now(); }
    /// Before the ticker goes. Streams may live on a little; a coroutine that waits for one is not resumed.
    void stop() noexcept;

private:
    friend class stream;
    /// Until the descriptor is closed. false: the system has no memory left for it.
    [[nodiscard]] bool add(int descriptor, stream& watched) noexcept;
    /// Before the stream goes or closes its socket: its events that were read and not dispatched yet are dropped.
    void remove(stream const& watched) noexcept;
    void await_events();
    void dispatch_events();

    asio::io_context& context_;
    ticker& clock_;
    asio::io_context never_run_{1}; // owns the streams' sockets
    asio::posix::basic_stream_descriptor<io_executor> epoll_;
    std::array<epoll_event, 256> events_{};
    std::span<epoll_event> undispatched_; // of events_
    ticker::subscription subscription_;
    bool stopped_{false};
    std::list<stream*> streams_;
};

enum class read_outcome { data, closed, timed_out };
enum class connect_result {
    made,
    refused, // an error at once: to meet it again costs nothing
    late,
    lacking, // descriptors, ports or memory: the peer is not at fault
};

class stream {
public:
    /// Takes a connected socket over, or makes one to connect.
    stream(stream_socket connected, stream_watch& watch);
    explicit stream(stream_watch& watch) : stream(stream_socket(watch.context_), watch) {}
    ~stream();
    stream(stream const&) = delete;
    stream& operator=(stream const&) = delete;

    /// Called once, under a stream_timeout.
    [[nodiscard]] task<connect_result> connect(socket_address where);
    /// From now on the connection speaks TLS. received: bytes read from it before, which the session gets first. false:
    /// it failed or took longer than the limit, see tls().failure().
    [[nodiscard]] task<bool> handshake(tls_session made, std::string received, std::chrono::milliseconds limit);
    /// False as a bool without TLS.
    [[nodiscard]] tls_session const& tls() const noexcept { return tls_; }
    /// What can be had at once; nullopt: nothing yet. An empty buffer gives its storage back meanwhile.
    [[nodiscard]] std::optional<read_outcome> try_read(byte_buffer& into);
    [[nodiscard]] task<read_outcome> read(byte_buffer& into, std::chrono::milliseconds limit);
    /// What read does, for the busiest callers, who spare themselves a coroutine: while try_read has nothing, wait
    /// here. false: see gave_up().
    [[nodiscard]] task<bool> readable(std::chrono::milliseconds limit);
    [[nodiscard]] read_outcome gave_up() noexcept;
    /// A read in progress gets this limit, from now on, instead of its own.
    void limit_read(std::chrono::milliseconds limit) noexcept {
        if (reading_.waiting) reading_.by = watch_.now() + limit;
    }
    /// Writes what the kernel takes at once. false: the connection is gone. Ask what.done() whether write() must
    /// follow.
    [[nodiscard]] bool try_write(gather& what) noexcept;
    /// While try_write leaves a rest, wait here. false: the connection is gone, or took nothing for the limit.
    [[nodiscard]] task<bool> writable(std::chrono::milliseconds limit);
    /// Writes the rest. false: the connection is gone, or took nothing for the limit.
    [[nodiscard]] task<bool> write(gather& what, std::chrono::milliseconds limit);
    /// Ends a read or write in progress: it comes back as closed or false.
    void cancel() noexcept;
    [[nodiscard]] coarse_clock::time_point now() const noexcept { return watch_.now(); }
    void shutdown_send() noexcept;
    void close() noexcept;
    /// Neither closed by the peer nor holding what nobody asked for, as far as the kernel reported: costs nothing.
    [[nodiscard]] bool seems_quiet() noexcept { return readable_ ? is_quiet() : !is_broken(); }
    /// Asks the kernel now whether the peer has neither closed nor sent anything.
    [[nodiscard]] bool is_quiet() noexcept;
    /// Closed here, or reset by the peer: it can receive nothing. (A peer that only sent its end may still read.)
    [[nodiscard]] bool is_broken() const noexcept { return broken_ || !socket_.is_open(); }
    /// After the end: the connection was reset, or over TLS the peer did not say that this is the end. Something may be
    /// missing.
    [[nodiscard]] bool ended_abruptly() const noexcept { return cut_off_; }
    /// Closes the other when this one is broken: what comes from there could not be delivered. nullptr: closes none.
    void close_when_broken(stream* other) noexcept { works_for_this_ = other; }

private:
    friend class stream_watch;
    friend class stream_timeout;
    struct side { // of two: reading and writing
        waiter waiting;
        coarse_clock::time_point by{coarse_clock::time_point::max()};
    };
    void begin();
    void on_events(std::uint32_t events);
    void check(coarse_clock::time_point now) noexcept;
    void resume_later(side& which) noexcept;
    void leave() noexcept;
    [[nodiscard]] std::optional<read_outcome> receive(byte_buffer& into);
    [[nodiscard]] std::optional<read_outcome> receive_tls(byte_buffer& into);

    stream_watch& watch_;
    stream_socket socket_;
    std::shared_ptr<stream*> self_; // timers hold it, and find nullptr when the stream is gone
    bool readable_{true};           // there may be something to read
    bool ended_{false};             // the peer sends no more: reading ends with its end, not with an empty socket
    bool broken_{false};
    bool cut_off_{false};
    bool read_timed_out_{false};
    side reading_;
    side writing_;
    stream* works_for_this_{nullptr};
    tls_session tls_;
    std::list<stream*>::iterator listed_;
};

/// Closes a stream when time is up, for as long as this lives: for what is too rare or too short for the ticker.
class stream_timeout {
public:
    stream_timeout(stream& of, std::chrono::milliseconds limit);

private:
    timer_type timer_;
};

} // namespace recruiting
