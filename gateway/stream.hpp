// A connection as the edge uses it: reads into a buffer, gather writes, each with a deadline that the thread's ticker
// watches. Owns a connected, non-blocking socket, with TLS on it or without; waits for it on the thread's poller.
#pragma once
#include "async/ticker.hpp"
#include "async/waiter.hpp"
#include "crypto/tls_session.hpp"
#include "gateway/http1/byte_buffer.hpp"
#include "gateway/poller.hpp"

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <chrono>
#include <list>
#include <optional>

namespace recruiting::gateway {

using socket_type = asio::basic_stream_socket<asio::generic::stream_protocol, io_executor>;

class stream;

/// All streams of a thread: their readiness, and their deadlines, looked at with every tick.
class stream_watch {
public:
    stream_watch(asio::io_context& context, ticker& clock);
    ~stream_watch() { stop(); }
    stream_watch(stream_watch const&) = delete;
    stream_watch& operator=(stream_watch const&) = delete;
    [[nodiscard]] coarse_clock::time_point now() const noexcept { return clock_.now(); }
    /// Before the ticker goes. Streams may live on a little; whoever waits for one is not resumed any more.
    void stop() noexcept;

private:
    friend class stream;
    asio::io_context& context_;
    ticker& clock_;
    poller poller_;
    ticker::subscription subscription_;
    bool stopped_{false};
    std::list<stream*> streams_;
};

enum class read_outcome { data, closed, timed_out };

class stream final : poller::watcher {
public:
    /// Takes a connected socket over. Throws std::system_error when it can't be watched.
    stream(int descriptor, stream_watch& watch);
    stream(socket_type connected, stream_watch& watch) : stream(connected.release(), watch) {}
    ~stream();
    stream(stream const&) = delete;
    stream& operator=(stream const&) = delete;

    /// From now on the connection speaks TLS. received: bytes read from it before, which the session gets first. false:
    /// it failed or took longer than the limit, see tls().failure().
    [[nodiscard]] task<bool> handshake(tls_session made, std::string received, std::chrono::milliseconds limit);
    /// The same, with a handshake that is done.
    void use(tls_session established) noexcept { tls_ = std::move(established); }
    /// False as a bool without TLS.
    [[nodiscard]] tls_session const& tls() const noexcept { return tls_; }
    /// What can be had at once; nullopt: nothing yet. An empty buffer gives its storage back meanwhile.
    [[nodiscard]] std::optional<read_outcome> try_read(byte_buffer& into);
    [[nodiscard]] task<read_outcome> read(byte_buffer& into, std::chrono::milliseconds limit);
    /// What read does, for the busiest callers, who spare themselves a coroutine: while try_read has nothing, wait
    /// here. false: see gave_up().
    [[nodiscard]] task<bool> readable(std::chrono::milliseconds limit);
    [[nodiscard]] read_outcome gave_up() noexcept;
    /// Writes what the kernel takes at once. false: the connection is gone. Ask what.done() whether write() must
    /// follow.
    [[nodiscard]] bool try_write(gather& what) noexcept;
    /// Writes the rest. false: the connection is gone, or took nothing for the limit.
    [[nodiscard]] task<bool> write(gather& what, std::chrono::milliseconds limit);
    /// Ends a read or write under way: it comes back as closed or false.
    void cancel() noexcept;
    [[nodiscard]] coarse_clock::time_point now() const noexcept { return watch_.now(); }
    void shutdown_send() noexcept;
    void close() noexcept;
    /// Neither closed by the peer nor holding what nobody asked for, as far as the kernel told: costs nothing.
    [[nodiscard]] bool seems_quiet() noexcept { return !readable_ ? !ended_ && !broken_ : is_quiet(); }
    /// The same, asked of the kernel now.
    [[nodiscard]] bool is_quiet() noexcept;
    /// Closed here, or reset by the peer: nothing can reach it any more. (One that only sent its end may still read.)
    [[nodiscard]] bool is_broken() const noexcept { return broken_ || descriptor_ < 0; }
    /// After the end: the connection was reset, or over TLS the peer did not say that this is the end. Something may be
    /// missing.
    [[nodiscard]] bool was_cut_off() const noexcept { return cut_off_; }
    /// Closes the other when this one is broken: what comes from there would reach nobody. nullptr: none any more.
    void close_when_broken(stream* other) noexcept { works_for_this_ = other; }

private:
    friend class stream_watch;
    struct side { // of two: reading and writing
        waiter waiting;
        coarse_clock::time_point by{coarse_clock::time_point::max()};
    };
    void on_events(std::uint32_t events) override;
    void check(coarse_clock::time_point now) noexcept;
    void resume_later(side& which) noexcept;
    void leave() noexcept;
    [[nodiscard]] std::optional<read_outcome> receive(byte_buffer& into);
    [[nodiscard]] std::optional<read_outcome> receive_tls(byte_buffer& into);

    stream_watch& watch_;
    int descriptor_;
    bool readable_{true}; // there may be something to read
    bool ended_{false};   // the peer sends no more: reading ends with its end, not with an empty socket
    bool broken_{false};
    bool cut_off_{false};
    bool read_timed_out_{false};
    side reading_;
    side writing_;
    stream* works_for_this_{nullptr};
    tls_session tls_;
    std::list<stream*>::iterator listed_;
};

} // namespace recruiting::gateway
