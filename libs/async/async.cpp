#include "async/periodic_task.hpp"
#include "core/error.hpp"
#include "core/log.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <cstdlib>
#include <typeinfo>

namespace recruiting {

void spawn(asio::io_context& context, task<void> work) {
    asio::co_spawn(context.get_executor(), std::move(work), [](std::exception_ptr why) {
        if (!why) return;
        try {
            std::rethrow_exception(why);
        } catch (std::exception const& error) {
            log::error("task_failed", {{"message", error.what()}});
        }
        log::flush(std::chrono::seconds{1}); // the line above is written by another thread
        std::abort(); // a task that must not end has ended: the supervisor starts the program afresh
    });
}

ticker::ticker(asio::io_context& context, std::chrono::milliseconds interval) : timer_(context), interval_(interval) {
    wait();
}

ticker::subscription ticker::subscribe(std::function<void(coarse_clock::time_point)> on_tick) {
    return subscribers_.insert(subscribers_.end(), std::move(on_tick));
}

void ticker::stop() {
    stopped_ = true;
    timer_.cancel();
}

void ticker::wait() {
    timer_.expires_after(interval_);
    timer_.async_wait([this](boost::system::error_code error) {
        if (error || stopped_) return;
        now_ = coarse_clock::now();
        for (auto at = subscribers_.begin(); at != subscribers_.end();) (*at++)(now_);
        wait();
    });
}

task<void> sleep_for(std::chrono::milliseconds duration) {
    auto const executor = co_await asio::this_coro::executor;
    timer_type timer(executor, duration);
    auto const [error] = co_await timer.async_wait(use_task_tuple);
    static_cast<void>(error);
}

void periodic_task::start(std::chrono::milliseconds first_wait) { spawn(context_, repeat(first_wait)); }

void periodic_task::stop() {
    stopped_ = true;
    timer_.cancel();
}

task<void> periodic_task::repeat(std::chrono::milliseconds wait) {
    auto const self = shared_from_this();
    while (true) {
        co_await pause(wait);
        if (stopped_) break;
        try {
            wait = co_await round();
        } catch (std::exception const& error) {
            if (!stopped_) wait = failed(error);
            else if (dynamic_cast<outage const*>(&error) == nullptr) // its text may quote a statement's values
                log::warning("periodic_task_failed_while_stopping", {{"exception", typeid(error).name()}});
        }
    }
    ended_ = true;
}

task<void> periodic_task::pause(std::chrono::milliseconds duration) {
    if (stopped_ || duration <= std::chrono::milliseconds{0}) co_return;
    timer_.expires_after(duration);
    auto const [error] = co_await timer_.async_wait(use_task_tuple);
    static_cast<void>(error);
}

} // namespace recruiting
