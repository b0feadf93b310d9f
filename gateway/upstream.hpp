// One thread's connections to one service: kept alive, handed out one request at a time.
#pragma once
#include "core/settings.hpp"
#include "gateway/stream.hpp"
#include "telemetry/metrics.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace recruiting::gateway {

struct upstream_connection {
    upstream_connection(socket_type socket, stream_watch& watch) : io(std::move(socket), watch) {}
    stream io;
    byte_buffer buffer;
    coarse_clock::time_point idle_since{};
    bool reused{false};
};

struct upstream_metrics {
    upstream_metrics(metrics::registry& registry, std::string const& service);
    metrics::counter& connects;
    metrics::counter& connect_failures;
    metrics::counter& losses;
    metrics::gauge& up; // 0 after a failed attempt to connect, until one succeeds
};

struct upstream_settings {
    endpoint address;
    std::chrono::milliseconds connect_timeout{2'000};
    std::chrono::milliseconds idle_timeout{30'000};
    std::size_t idle_most{128};
};

class upstream {
public:
    using handle = std::unique_ptr<upstream_connection>;

    upstream(asio::io_context& context, ticker& clock, stream_watch& watch, upstream_settings settings,
             upstream_metrics& counters);
    ~upstream() { stop(); }
    upstream(upstream const&) = delete;
    upstream& operator=(upstream const&) = delete;

    /// A connection that lay idle, the last used first; nullptr: none. checked: it was open a moment ago (one more
    /// system call, for requests that can't be repeated).
    [[nodiscard]] handle take_idle(bool checked);
    /// A new connection; nullptr: the service is away.
    [[nodiscard]] task<handle> connect();
    /// For the next request: nothing of an answer may be left in it.
    void give_back(handle connection);
    /// Before the ticker goes: closes what lies idle.
    void stop() noexcept;
    [[nodiscard]] std::string const& name() const noexcept { return name_; } // "127.0.0.1:8081"
    [[nodiscard]] upstream_metrics& counters() noexcept { return metrics_; }

private:
    void drop_stale(coarse_clock::time_point now);
    [[nodiscard]] task<bool> open(socket_type& socket);

    asio::io_context& context_;
    ticker& clock_;
    stream_watch& watch_;
    upstream_settings settings_;
    upstream_metrics& metrics_;
    std::string name_;
    ticker::subscription subscription_;
    std::vector<handle> idle_;
    bool stopped_{false};
};

} // namespace recruiting::gateway
