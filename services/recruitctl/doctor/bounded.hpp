// Work with a bound on its time: a server or a program that hangs must not hang its doctor.
#pragma once
#include "recruitctl/doctor/finding.hpp"

#include <chrono>
#include <functional>
#include <future>
#include <map>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace recruiting::recruitctl::doctor {

template <class T>
class bounded_read {
public:
    /// Begins at once, on a thread of its own. That thread is left behind when it takes too long, so `at` must own all
    /// that it uses.
    explicit bounded_read(std::function<T()> at) {
        std::packaged_task<observed<T>()> work([read = std::move(at)]() -> observed<T> {
            try {
                return {read(), {}};
            } catch (std::exception const& error) {
                return {std::nullopt, error.what()};
            }
        });
        result_ = work.get_future();
        std::thread(std::move(work)).detach();
    }
    /// What it returned by then. What it threw, or its lateness, is why there is nothing.
    [[nodiscard]] observed<T> by(std::chrono::steady_clock::time_point deadline) {
        if (result_.wait_until(deadline) != std::future_status::ready) return {std::nullopt, "no reply in time"};
        return result_.get();
    }

private:
    std::future<observed<T>> result_;
};
template <class Read>
bounded_read(Read) -> bounded_read<std::invoke_result_t<Read>>;

/// A program that was run to its end, with a bound on its time and on its output.
struct ended_program {
    int code{-1};       // -1: it could not be started, was killed, or took too long; why names the reason
    std::string output; // standard output and error together, cut at 64 KiB
    std::string why;
};

/// environment is all that the program gets; directory is its working directory (empty: this process's). It is killed
/// when it takes longer than the limit.
[[nodiscard]] ended_program run_program(std::string const& path, std::vector<std::string> const& arguments,
                                        std::map<std::string, std::string> const& environment,
                                        std::chrono::milliseconds limit, std::string const& directory = {});

} // namespace recruiting::recruitctl::doctor
