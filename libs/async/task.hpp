// The coroutine type of every program: bound to one io_context's concrete executor (measured: any_io_executor costs a
// third more). g++ 12 miscompiles some uses of co_await: one a statement, of a plain call with named arguments, its
// result bound to a named local (scripts/checks/coroutines).
#pragma once
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <utility>

namespace recruiting {

namespace asio = boost::asio;
using io_executor = asio::io_context::executor_type;

template <class T>
using task = asio::awaitable<T, io_executor>;

inline constexpr asio::use_awaitable_t<io_executor> use_task{};
/// co_await gives [error, value] instead of throwing.
inline constexpr auto use_task_tuple = asio::as_tuple(use_task);

/// Runs a task to its end, owned by the io_context; an exception that leaves it ends the program with a log line.
void spawn(asio::io_context& context, task<void> work);

// A suspended coroutine waiting for a value: what connections and batchers queue.

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

// A coroutine that waits for one thing which happens on its own thread: resumed by a plain call, without an allocation
// and without a trip through the io_context's queue. Where the caller is not the loop itself, use completion.
class waiter {
public:
    waiter() = default;
    ~waiter() { act(forget); }
    waiter(waiter&& other) noexcept { take(other); }
    waiter& operator=(waiter&& other) noexcept {
        if (this == &other) return *this;
        act(forget);
        take(other);
        return *this;
    }

    [[nodiscard]] explicit operator bool() const noexcept { return act_ != nullptr; }
    /// The coroutine runs on until it waits again, within this call. Nothing happens when nobody waits.
    void resume(bool value) { act(value ? resume_true : resume_false); }
    /// Suspends the calling coroutine until resume, whose value it gets. One at a time.
    [[nodiscard]] task<bool> wait() {
        return asio::async_initiate<asio::use_awaitable_t<io_executor> const, void(bool)>(
            [this](auto handler) { keep(std::move(handler)); }, use_task);
    }

private:
    enum action { forget, resume_false, resume_true, move_to };
    using act_function = void (*)(void* held, action what, void* target);
    static constexpr std::size_t capacity = 64;

    template <class Handler>
    void keep(Handler handler) {
        static_assert(sizeof(Handler) <= capacity && alignof(Handler) <= alignof(std::max_align_t));
        ::new (static_cast<void*>(storage_)) Handler(std::move(handler));
        act_ = [](void* held, action what, void* target) {
            auto* const at = static_cast<Handler*>(held);
            Handler mine(std::move(*at));
            at->~Handler();
            if (what == move_to) ::new (target) Handler(std::move(mine));
            else if (what != forget) std::move(mine)(what == resume_true);
        };
    }
    void act(action what) {
        if (auto const held = std::exchange(act_, nullptr)) held(storage_, what, nullptr);
    }
    void take(waiter& other) noexcept {
        act_ = std::exchange(other.act_, nullptr);
        if (act_ != nullptr) act_(other.storage_, move_to, storage_);
    }

    alignas(std::max_align_t) std::byte storage_[capacity];
    act_function act_{nullptr};
};

} // namespace recruiting
