#include "http/threads.hpp"

#include "async/ticker.hpp"
#include "core/log.hpp"
#include "http/admin_client.hpp"
#include "http/opening.hpp"
#include "http/supervisor.hpp"
#include "telemetry/metrics.hpp"

#include <algorithm>
#include <atomic>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <iostream>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <optional>
#include <thread>
#include <unistd.h>
#include <vector>

namespace recruiting::http {
namespace {

// What is reported of a program's threads: how late their loops are, and how the program came and goes.
struct thread_metrics {
    thread_metrics(metrics::registry& registry, unsigned threads)
        : draining(registry.add_gauge("recruiting_draining", "1 from SIGTERM until the program ends.")),
          lag(registry.add_histogram("recruiting_event_loop_lag_seconds",
                                     "Delay of a timer that each thread runs every 250 ms.")),
          took_over(registry.add_gauge("recruiting_took_over",
                                       "1 if the program replaced a running process of its address.")) {
        registry.add_gauge("recruiting_threads", "Threads that serve requests, each with its own connections.")
            .set(threads);
    }

    /// On the thread whose clock it is, which ends before this does.
    void watch(ticker& clock) {
        static_cast<void>(
            clock.subscribe([this, &clock, before = coarse_clock::now()](coarse_clock::time_point now) mutable {
                lag.observe(std::max(coarse_clock::duration::zero(), now - before - clock.interval()));
                before = now;
            }));
    }

    metrics::gauge& draining;
    metrics::histogram& lag;
    metrics::gauge& took_over;
};

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
    supervisor::pulse pulse;
    std::jthread thread;
    std::atomic<bool> failed{false};
};
using worker_list = std::vector<std::unique_ptr<worker>>;

// After drain: checks every 50 ms whether the thread's work is done, and closes the rest when time is up.
void wait_until_idle(worker& w, std::atomic<coarse_clock::time_point> const& deadline) {
    auto timer = std::make_shared<timer_type>(w.context, std::chrono::milliseconds{50});
    timer->async_wait([&w, &deadline, timer](boost::system::error_code) {
        if (!w.part->idle() && coarse_clock::now() < deadline.load()) return wait_until_idle(w, deadline);
        w.part->close();
        w.ticks->stop();
        w.context.stop();
    });
}

void report_failed_start(std::string const& why) {
    std::cerr << why << '\n';
    log::error("start_failed", {{"message", why}});
}

void run_worker(worker& w, unsigned index, auto const& make, std::atomic<unsigned>& started, thread_metrics& measured) {
    try {
        w.ticks = std::make_unique<ticker>(w.context);
        w.part = make(w.context, *w.ticks, index);
        // From here on: what a part waits for at its start is no delay of the loop.
        w.pulse.beat(coarse_clock::now());
        static_cast<void>(w.ticks->subscribe([&w](coarse_clock::time_point now) { w.pulse.beat(now); }));
        measured.watch(*w.ticks);
    } catch (std::exception const& error) {
        report_failed_start(error.what());
        w.failed = true;
    }
    started.fetch_add(1);
    started.notify_all();
    if (!w.failed) w.context.run();
    w.pulse.end();
}

// Beside the threads: the supervisor hears of a living program only while every loop of it turns. One that hangs is
// noticed within half of the supervisor's timeout, and the program then ended by it.
class watcher {
public:
    watcher(asio::io_context& context, worker_list const& workers, std::chrono::microseconds interval)
        : workers_(workers), beat_limit_(interval / 2), timer_(context) {
        check();
    }

private:
    void check() {
        auto const now = coarse_clock::now();
        auto const beats = [&](auto const& w) { return w->pulse.beats(now, beat_limit_); };
        bool const all = std::all_of(workers_.begin(), workers_.end(), beats);
        if (all) supervisor::alive();
        else if (healthy_) log::error("thread_hangs", {{"patienceMs", milliseconds_of(beat_limit_)}});
        healthy_ = all;
        timer_.expires_after(beat_limit_ / 2);
        timer_.async_wait([this](boost::system::error_code error) {
            if (!error) check();
        });
    }
    static std::int64_t milliseconds_of(coarse_clock::duration duration) {
        return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
    }

    worker_list const& workers_;
    coarse_clock::duration beat_limit_;
    timer_type timer_;
    bool healthy_{true};
};

// Beside the threads: SIGHUP reloads, the first SIGTERM or SIGINT drains, the next one closes what is left.
class signal_handler {
public:
    signal_handler(asio::io_context& context, thread_options const& options, worker_list const& workers,
                   metrics::gauge& draining)
        : options_(options), workers_(workers), drains_(draining), signals_(context, SIGTERM, SIGINT, SIGHUP) {}

    void wait() {
        signals_.async_wait([this](boost::system::error_code error, int signal) {
            if (error) return;
            if (signal == SIGHUP) reload();
            else stop(signal);
            wait();
        });
    }
    [[nodiscard]] bool draining() const noexcept { return deadline_.load() != coarse_clock::time_point::max(); }
    void drain() {
        supervisor::stopping(options_.drain_timeout);
        drains_.set(1);
        deadline_ = coarse_clock::now() + options_.drain_timeout;
        for (auto const& w : workers_) {
            if (w->failed) continue;
            asio::post(w->context, [this, &w = *w] {
                w.part->drain();
                wait_until_idle(w, deadline_);
            });
        }
    }

private:
    void reload() const {
        log::info("reloading");
        supervisor::reloading();
        options_.reload();
        supervisor::ready();
    }
    void stop(int signal) {
        bool const hurried = draining();
        log::info(hurried ? "closing" : "draining", {{"signal", signal}});
        if (hurried) deadline_ = coarse_clock::now();
        else drain();
    }

    thread_options const& options_;
    worker_list const& workers_;
    metrics::gauge& drains_;
    asio::signal_set signals_;
    std::atomic<coarse_clock::time_point> deadline_{coarse_clock::time_point::max()}; // read by the threads
};

} // namespace

int run_threads(thread_options const& options, metrics::registry& registry,
                std::function<std::unique_ptr<thread_part>(asio::io_context&, ticker&, unsigned)> const& make) {
    thread_metrics measured(registry, options.threads);
    keep_freed_memory();
    std::signal(SIGPIPE, SIG_IGN); // hiredis and libpq write without MSG_NOSIGNAL
    asio::io_context signals_context{1};
    worker_list workers;
    signal_handler signals(signals_context, options, workers, measured.draining);
    std::atomic<unsigned> started{0};
    std::atomic<unsigned> left{options.threads};
    bool failed = false;
    auto const predecessor =
        options.admin.port == 0 && options.admin.unix_path.empty() ? std::nullopt : readiness_at(options.admin);
    measured.took_over.set(predecessor ? 1 : 0);
    for (unsigned i = 0; i < options.threads && !failed; ++i) {
        auto& w = *workers.emplace_back(std::make_unique<worker>());
        w.thread = std::jthread([&, i] {
            run_worker(w, i, make, started, measured);
            if (left.fetch_sub(1) == 1) signals_context.stop();
        });
        started.wait(i);
        failed = w.failed;
    }
    if (failed) {
        signals.drain();
    } else {
        std::optional<watcher> watch;
        if (auto const interval = supervisor::watch_interval()) watch.emplace(signals_context, workers, *interval);
        std::vector<thread_to_open> threads;
        for (auto const& w : workers) threads.push_back({w->context, *w->part});
        auto const is_wanted = [&signals] { return !signals.draining(); };
        auto const opened = [&](std::string const& why_not) {
            if (signals.draining()) return;
            failed = !why_not.empty();
            if (failed) {
                report_failed_start(why_not);
                return signals.drain();
            }
            supervisor::ready();
            log::info("started", {{"threads", options.threads}, {"pid", static_cast<int>(::getpid())}});
        };
        open_when_usable(signals_context, std::move(threads), predecessor.value_or(false), {is_wanted, opened});
        signals.wait();
        signals_context.run();
    }
    for (auto const& w : workers) w->thread.join();
    for (auto const& w : workers) w->part.reset(); // before its io_context and ticker
    log::info("stopped");
    return failed ? 1 : 0;
}

} // namespace recruiting::http
