// A coroutine that waits for one thing which happens on its own thread: resumed by a plain call, without an allocation
// and without a trip through the io_context's queue. Where the caller is not the loop itself, use completion.
#pragma once
#include "async/task.hpp"

#include <boost/asio/async_result.hpp>
#include <cstddef>
#include <new>
#include <utility>

namespace recruiting {

class waiter {
public:
    waiter() = default;
    ~waiter() { run(forget); }
    waiter(waiter&& other) noexcept { take(other); }
    waiter& operator=(waiter&& other) noexcept {
        if (this == &other) return *this;
        run(forget);
        take(other);
        return *this;
    }

    [[nodiscard]] explicit operator bool() const noexcept { return act_ != nullptr; }
    /// The coroutine runs on until it waits again, within this call. Nothing happens when nobody waits.
    void resume(bool value) { run(value ? resume_true : resume_false); }
    /// Suspends the calling coroutine until resume, whose value it gets. One at a time.
    [[nodiscard]] task<bool> wait() {
        return asio::async_initiate<asio::use_awaitable_t<io_executor> const, void(bool)>(
            [this](auto handler) { hold(std::move(handler)); }, use_task);
    }

private:
    enum action { forget, resume_false, resume_true, move_to };
    using act_function = void (*)(void* held, action what, void* target);
    static constexpr std::size_t room = 64;

    template <class Handler>
    void hold(Handler handler) {
        static_assert(sizeof(Handler) <= room && alignof(Handler) <= alignof(std::max_align_t));
        ::new (static_cast<void*>(storage_)) Handler(std::move(handler));
        act_ = [](void* held, action what, void* target) {
            auto* const at = static_cast<Handler*>(held);
            Handler mine(std::move(*at));
            at->~Handler();
            if (what == move_to) ::new (target) Handler(std::move(mine));
            else if (what != forget) std::move(mine)(what == resume_true);
        };
    }
    void run(action what) {
        if (auto const act = std::exchange(act_, nullptr)) act(storage_, what, nullptr);
    }
    void take(waiter& other) noexcept {
        act_ = std::exchange(other.act_, nullptr);
        if (act_ != nullptr) act_(other.storage_, move_to, storage_);
    }

    alignas(std::max_align_t) std::byte storage_[room];
    act_function act_{nullptr};
};

} // namespace recruiting
