// A suspended coroutine waiting for a value: what connections and batchers queue.
#pragma once
#include "async/task.hpp"

#include <boost/asio/async_result.hpp>
#include <boost/asio/post.hpp>
#include <utility>

namespace recruiting {

/// Resumes its coroutine exactly once, through the executor, with a value or an exception. Dropped unused (its owner
/// went away), it resumes nothing: owners fail what they hold before they go.
template <class T>
class completion {
public:
    completion() = default;

    template <class Handler>
    completion(io_executor executor, Handler handler)
        : waiting_(std::make_unique<holder<Handler>>(executor, std::move(handler))) {}

    void succeed(T value) { std::exchange(waiting_, nullptr)->resume(nullptr, std::move(value)); }
    void fail(std::exception_ptr why) { std::exchange(waiting_, nullptr)->resume(std::move(why), T{}); }
    [[nodiscard]] explicit operator bool() const noexcept { return waiting_ != nullptr; }

private:
    struct base {
        virtual ~base() = default;
        virtual void resume(std::exception_ptr why, T value) = 0;
    };
    template <class Handler>
    struct holder final : base {
        holder(io_executor where, Handler what) : executor(where), handler(std::move(what)) {}
        void resume(std::exception_ptr why, T value) override {
            asio::post(executor, [h = std::move(handler), e = std::move(why), v = std::move(value)]() mutable {
                std::move(h)(std::move(e), std::move(v));
            });
        }
        io_executor executor;
        Handler handler;
    };
    std::unique_ptr<base> waiting_;
};

/// Suspends the calling coroutine; enqueue is called once with the completion that resumes it.
template <class T, class Enqueue>
[[nodiscard]] task<T> suspend(io_executor executor, Enqueue enqueue) {
    return asio::async_initiate<asio::use_awaitable_t<io_executor> const, void(std::exception_ptr, T)>(
        [executor](auto handler, Enqueue enqueue_now) { enqueue_now(completion<T>(executor, std::move(handler))); },
        use_task, std::move(enqueue));
}

} // namespace recruiting
