// How a program's threads live: one io_context each, nothing shared on a request's path; SIGTERM and SIGINT drain in
// two steps, a second one closes what is left at once, SIGHUP reloads, systemd is notified (sd_notify(3)).
#pragma once
#include "async/ticker.hpp"
#include "telemetry/metrics.hpp"

#include <chrono>
#include <functional>
#include <memory>

namespace recruiting::http {

/// What one thread runs. Made, used and destroyed on that thread.
class thread_part {
public:
    virtual ~thread_part() = default;
    virtual void drain() = 0;                             // take nothing new
    [[nodiscard]] virtual bool idle() const noexcept = 0; // nothing is in progress
    virtual void close() = 0;                             // drop what is left; the loop then runs dry or is stopped
};

struct thread_options {
    unsigned threads{1};
    std::chrono::milliseconds drain_timeout{20'000};
    std::function<void()> reload{[] {}}; // on SIGHUP, beside the threads
};

/// Returns the exit code. A part that can't be made (a port taken) is reported on standard error: exit code 1.
[[nodiscard]] int
run_threads(thread_options const& options, metrics::registry& registry,
            std::function<std::unique_ptr<thread_part>(asio::io_context&, ticker&, unsigned index)> const& make);

} // namespace recruiting::http
