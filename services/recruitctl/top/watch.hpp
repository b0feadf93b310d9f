// Scrapes periodically on a thread of its own, so that keys are answered while a program hangs.
#pragma once
#include "core/settings.hpp"
#include "recruitctl/top/figures.hpp"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace recruiting::recruitctl::top {

// Reads the programs' admin ports: /readyz and /metrics of each, all at once.

struct target {
    std::string program;
    endpoint where; // its admin port
};

/// In the order of the targets; takes as long as the slowest, at most the limit.
[[nodiscard]] std::vector<instance_scrape> scrape_all(std::vector<target> const& targets,
                                                      std::chrono::milliseconds limit);

struct two_scrapes {
    std::vector<instance_scrape> before, now; // before is empty after the first scrape
};

class watch {
public:
    /// on_scrapes is called on the watch's thread after each scrape.
    watch(std::vector<target> targets, std::chrono::milliseconds interval, std::function<void()> on_scrapes);
    watch(watch const&) = delete;
    watch& operator=(watch const&) = delete;

    /// Nothing new: nullopt.
    [[nodiscard]] std::optional<two_scrapes> take();

private:
    void work(std::stop_token const& stop);

    std::vector<target> targets_;
    std::chrono::milliseconds interval_;
    std::function<void()> on_scrapes_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    two_scrapes scrapes_;
    bool is_new_{false};
    std::jthread thread_; // last: it uses the others. Its end waits for the scrape in progress, an interval at most
};

} // namespace recruiting::recruitctl::top
