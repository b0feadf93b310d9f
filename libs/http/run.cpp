#include "http/run.hpp"

#include "core/log.hpp"

#include <atomic>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace recruiting::http {
namespace {

// sd_notify(3) without its library: one datagram to $NOTIFY_SOCKET.
void notify_supervisor(std::string_view state) {
    char const* const path = std::getenv("NOTIFY_SOCKET");
    if (path == nullptr || (path[0] != '/' && path[0] != '@')) return;
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    auto const size = std::strlen(path);
    if (size >= sizeof address.sun_path) return;
    std::memcpy(address.sun_path, path, size);
    if (path[0] == '@') address.sun_path[0] = '\0';
    int const fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return;
    ::sendto(fd, state.data(), state.size(), MSG_NOSIGNAL, reinterpret_cast<sockaddr const*>(&address),
             static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + size));
    ::close(fd);
}

// Answers of some ten KiB come and go with every request: giving their pages back to the kernel each time costs more
// than filling them.
void keep_freed_memory() {
#ifdef __GLIBC__
    ::mallopt(M_TRIM_THRESHOLD, 64 * 1024 * 1024);
    ::mallopt(M_MMAP_THRESHOLD, 4 * 1024 * 1024);
    ::mallopt(M_ARENA_MAX, 64);
#endif
}

struct worker {
    asio::io_context context{1};
    std::unique_ptr<ticker> ticks;
    std::unique_ptr<thread_part> part;
    std::jthread thread;
    std::atomic<bool> failed{false};
};

// After drain: looks every 50 ms whether the thread's work is done, closes the rest when time is up.
void wait_until_idle(worker& w, std::atomic<coarse_clock::time_point> const& deadline) {
    using timer_type = asio::basic_waitable_timer<coarse_clock, asio::wait_traits<coarse_clock>, io_executor>;
    auto timer = std::make_shared<timer_type>(w.context, std::chrono::milliseconds{50});
    timer->async_wait([&w, &deadline, timer](boost::system::error_code) {
        if (!w.part->idle() && coarse_clock::now() < deadline.load()) return wait_until_idle(w, deadline);
        w.part->close();
        w.ticks->stop();
        w.context.stop();
    });
}

void run_worker(worker& w, unsigned index, auto const& make, std::atomic<unsigned>& started) {
    try {
        w.ticks = std::make_unique<ticker>(w.context);
        w.part = make(w.context, *w.ticks, index);
    } catch (std::exception const& error) {
        std::cerr << error.what() << '\n';
        log::error("start_failed", {{"message", error.what()}});
        w.failed = true;
    }
    started.fetch_add(1);
    started.notify_all();
    if (!w.failed) w.context.run();
}

} // namespace

unsigned default_threads() noexcept { return std::max(1U, std::thread::hardware_concurrency()); }

int run_threads(run_options const& options,
                std::function<std::unique_ptr<thread_part>(asio::io_context&, ticker&, unsigned)> const& make) {
    keep_freed_memory();
    std::signal(SIGPIPE, SIG_IGN); // hiredis and libpq write without MSG_NOSIGNAL
    asio::io_context signals_context{1};
    asio::signal_set signals(signals_context, SIGTERM, SIGINT, SIGHUP);

    std::vector<std::unique_ptr<worker>> workers;
    std::atomic<unsigned> started{0};
    std::atomic<unsigned> left{options.threads};
    bool failed = false;
    // One after the other: when the first has no place, no other has taken connections from a program that runs
    // already.
    for (unsigned i = 0; i < options.threads && !failed; ++i) {
        auto& w = *workers.emplace_back(std::make_unique<worker>());
        w.thread = std::jthread([&, i] {
            run_worker(w, i, make, started);
            if (left.fetch_sub(1) == 1) signals_context.stop();
        });
        started.wait(i);
        failed = w.failed;
    }

    std::atomic<coarse_clock::time_point> deadline{coarse_clock::time_point::max()};
    auto const begin_drain = [&] {
        notify_supervisor("STOPPING=1");
        deadline = coarse_clock::now() + options.drain_timeout;
        for (auto const& w : workers) {
            if (w->failed) continue;
            asio::post(w->context, [&w = *w, &deadline] {
                w.part->drain();
                wait_until_idle(w, deadline);
            });
        }
    };
    std::function<void()> wait_for_signal = [&] {
        signals.async_wait([&](boost::system::error_code error, int signal) {
            if (error) return;
            if (signal == SIGHUP) {
                log::info("reloading");
                options.reload();
                return wait_for_signal();
            }
            bool const hurried = deadline.load() != coarse_clock::time_point::max();
            log::info(hurried ? "closing" : "draining", {{"signal", signal}});
            if (hurried) deadline = coarse_clock::now();
            else begin_drain();
            wait_for_signal();
        });
    };
    if (failed) {
        begin_drain();
    } else {
        notify_supervisor("READY=1");
        log::info("started", {{"threads", options.threads}, {"pid", static_cast<int>(::getpid())}});
        wait_for_signal();
        signals_context.run();
    }
    for (auto const& w : workers) w->thread.join();
    for (auto const& w : workers) w->part.reset(); // before its io_context and ticker
    log::info("stopped");
    return failed ? 1 : 0;
}

} // namespace recruiting::http
