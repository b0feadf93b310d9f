// How a worker waits between its rounds: stop() ends the wait, so that a program going down never waits for it.
#pragma once
#include "async/ticker.hpp"

namespace recruiting::auth_api {

class pause {
public:
    explicit pause(asio::io_context& context) : timer_(context) {}

    /// Returns at once when stopped.
    [[nodiscard]] task<void> wait(std::chrono::milliseconds duration) {
        if (stopped_) co_return;
        timer_.expires_after(duration);
        auto const [error] = co_await timer_.async_wait(use_task_tuple);
        static_cast<void>(error);
    }
    void stop() {
        stopped_ = true;
        timer_.cancel();
    }
    [[nodiscard]] bool stopped() const noexcept { return stopped_; }

private:
    asio::basic_waitable_timer<coarse_clock, asio::wait_traits<coarse_clock>, io_executor> timer_;
    bool stopped_{false};
};

} // namespace recruiting::auth_api
