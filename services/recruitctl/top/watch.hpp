// Looks again and again on a thread of its own, so that keys are answered while a program hangs.
#pragma once
#include "core/settings.hpp"
#include "recruitctl/top/figures.hpp"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace recruiting::recruitctl::top {

// Reads what the programs' admin ports say: /readyz and /metrics of each, all at once.

struct target {
    std::string program;
    endpoint where; // its admin port
};

/// In the order of the targets; takes as long as the slowest, at most the limit.
[[nodiscard]] std::vector<reading> look_at(std::vector<target> const& targets, std::chrono::milliseconds limit);

struct two_readings {
    std::vector<reading> before, now; // before is empty after the first look
};

class watch {
public:
    /// told is called on the watch's thread after each look.
    watch(std::vector<target> targets, std::chrono::milliseconds interval, std::function<void()> told);
    /// Waits for the look that is under way: an interval at most.
    ~watch();
    watch(watch const&) = delete;
    watch& operator=(watch const&) = delete;

    /// Nothing new: nullopt.
    [[nodiscard]] std::optional<two_readings> take();

private:
    void work();

    std::vector<target> targets_;
    std::chrono::milliseconds interval_;
    std::function<void()> told_;
    std::mutex mutex_;
    std::condition_variable changed_;
    two_readings readings_;
    bool is_new_{false};
    bool stopping_{false};
    std::thread thread_; // last: it uses the others
};

} // namespace recruiting::recruitctl::top
