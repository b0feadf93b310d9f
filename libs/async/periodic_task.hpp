// Work that runs in rounds beside the requests: wait, do a round, decide when the next one begins, until stopped. The
// last round keeps the task's state alive until it has ended, so that its owner can go at any time.
#pragma once
#include "async/ticker.hpp"

#include <memory>

namespace recruiting {

/// The state of a task; a program's tasks derive from it.
class periodic_task : public std::enable_shared_from_this<periodic_task> {
public:
    virtual ~periodic_task() = default;
    periodic_task(periodic_task const&) = delete;
    periodic_task& operator=(periodic_task const&) = delete;

    /// Begins the first round after this wait. Called once, when a shared_ptr owns the task.
    void start(std::chrono::milliseconds first_wait = {});
    /// Ends the wait between rounds; a round in progress is the last.
    void stop();
    [[nodiscard]] bool is_stopped() const noexcept { return stopped_; }
    /// The last round has ended.
    [[nodiscard]] bool has_ended() const noexcept { return ended_; }

protected:
    explicit periodic_task(asio::io_context& context) : context_(context), timer_(context) {}

    /// Returns the wait before the next round; none means at once. Once stopped, what the task refers to may be gone as
    /// soon as the round waits for something: is_stopped() says so.
    [[nodiscard]] virtual task<std::chrono::milliseconds> round() = 0;
    /// Called within the handler of an exception that left a round, unless the task was stopped. Returns the wait
    /// before the next round, or throws: the program then ends.
    [[nodiscard]] virtual std::chrono::milliseconds failed(std::exception const& error) = 0;

private:
    [[nodiscard]] task<void> repeat(std::chrono::milliseconds wait);
    [[nodiscard]] task<void> pause(std::chrono::milliseconds duration);

    asio::io_context& context_;
    timer_type timer_;
    bool stopped_{false};
    bool ended_{false};
};

/// Starts a task, and stops it when this is destroyed.
class task_owner {
public:
    explicit task_owner(std::shared_ptr<periodic_task> owned, std::chrono::milliseconds first_wait = {})
        : task_(std::move(owned)) {
        task_->start(first_wait);
    }
    ~task_owner() { stop(); }
    task_owner(task_owner const&) = delete;
    task_owner& operator=(task_owner const&) = delete;
    void stop() { task_->stop(); }

private:
    std::shared_ptr<periodic_task> task_;
};

} // namespace recruiting
