// Looks at something for no longer than a while, whatever it does: a server that hangs must not hang its doctor.
#pragma once
#include "recruitctl/doctor/finding.hpp"

#include <chrono>
#include <functional>
#include <future>
#include <thread>

namespace recruiting::recruitctl::doctor {

template <class T>
class look {
public:
    /// Begins at once, on a thread of its own. That thread is left behind when it takes too long, so `at` must own all
    /// that it uses.
    explicit look(std::function<T()> at) {
        std::packaged_task<looked<T>()> work([see = std::move(at)]() -> looked<T> {
            try {
                return {see(), {}};
            } catch (std::exception const& error) {
                return {std::nullopt, error.what()};
            }
        });
        result_ = work.get_future();
        std::thread(std::move(work)).detach();
    }
    /// What it saw by then. What it threw, or its lateness, is why there is nothing.
    [[nodiscard]] looked<T> by(std::chrono::steady_clock::time_point deadline) {
        if (result_.wait_until(deadline) != std::future_status::ready) return {std::nullopt, "no answer in time"};
        return result_.get();
    }

private:
    std::future<looked<T>> result_;
};

} // namespace recruiting::recruitctl::doctor
