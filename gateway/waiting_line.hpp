// Requests that wait for their turn at a service: first come, first served, for so long and so many at most. Of one
// thread.
#pragma once
#include "async/completion.hpp"
#include "async/ticker.hpp"

#include <deque>

namespace recruiting::gateway {

class waiting_line {
public:
    [[nodiscard]] std::size_t size() const noexcept { return waiting_.size(); }
    [[nodiscard]] bool empty() const noexcept { return waiting_.empty(); }
    void join(completion<bool> resume, coarse_clock::time_point until) {
        waiting_.push_back({std::move(resume), until});
    }
    /// The first one's turn has come.
    void call() {
        auto first = std::move(waiting_.front());
        waiting_.pop_front();
        first.resume.succeed(true);
    }
    /// Those whose time is up get no turn; how many they were.
    std::size_t dismiss_late(coarse_clock::time_point now) {
        std::size_t count = 0;
        for (; !waiting_.empty() && waiting_.front().until <= now; ++count) dismiss();
        return count;
    }
    void dismiss_all() {
        while (!waiting_.empty()) dismiss();
    }

private:
    struct entry {
        completion<bool> resume;
        coarse_clock::time_point until;
    };
    void dismiss() {
        auto first = std::move(waiting_.front());
        waiting_.pop_front();
        first.resume.succeed(false);
    }

    std::deque<entry> waiting_; // all wait equally long: the first is always the first to be late
};

} // namespace recruiting::gateway
