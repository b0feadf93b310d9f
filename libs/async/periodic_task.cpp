#include "async/periodic_task.hpp"

#include "core/error.hpp"
#include "core/log.hpp"

#include <typeinfo>

namespace recruiting {

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
