// How a program's threads live: one io_context each, nothing shared on a request's path; they begin to serve together
// (opening.hpp); SIGTERM and SIGINT drain in two steps, a second one closes what is left at once, SIGHUP reloads,
// systemd is notified (sd_notify(3)).
#pragma once
#include "async/ticker.hpp"
#include "core/settings.hpp"
#include "http/thread_part.hpp"
#include "telemetry/metrics.hpp"

#include <chrono>
#include <functional>
#include <memory>

namespace recruiting::http {

struct thread_options {
    unsigned threads{1};
    std::chrono::milliseconds drain_timeout{20'000};
    std::function<void()> reload{[] {}}; // on SIGHUP, beside the threads
    endpoint admin{};                    // where a predecessor's readiness is asked; without a port: there is none
};

/// Returns the exit code. A part that can't be made (a port taken) is reported on standard error: exit code 1.
[[nodiscard]] int
run_threads(thread_options const& options, metrics::registry& registry,
            std::function<std::unique_ptr<thread_part>(asio::io_context&, ticker&, unsigned index)> const& make);

} // namespace recruiting::http
