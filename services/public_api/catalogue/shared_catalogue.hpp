// Where the keeper puts each new snapshot and every thread finds it. Readers take no lock: each thread holds the
// snapshot it saw last, and looks at a number to learn of a newer one.
#pragma once
#include "public_api/catalogue/catalogue.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

namespace recruiting::public_api {

class shared_catalogue {
public:
    using snapshot = std::shared_ptr<catalogue const>;

    void publish(snapshot next) {
        std::lock_guard const lock(mutex_);
        current_ = std::move(next);
        version_.fetch_add(1, std::memory_order_release);
    }
    [[nodiscard]] snapshot get() const {
        std::lock_guard const lock(mutex_);
        return current_;
    }
    [[nodiscard]] std::uint64_t version() const noexcept { return version_.load(std::memory_order_acquire); }

private:
    mutable std::mutex mutex_;
    snapshot current_{std::make_shared<catalogue const>()};
    std::atomic<std::uint64_t> version_{0};
};

/// One thread's sight of it.
class catalogue_view {
public:
    explicit catalogue_view(shared_catalogue const& source) : source_(source) { look(source_.version()); }

    /// The newest snapshot. Whoever goes on after a co_await keeps a copy.
    [[nodiscard]] shared_catalogue::snapshot const& get() {
        auto const now = source_.version();
        if (now != seen_) look(now);
        return current_;
    }

private:
    // A reference count of the thread's own: copies made for each request then share no cache line between threads.
    void look(std::uint64_t version) {
        seen_ = version;
        auto shared = source_.get();
        auto const* const plain = shared.get();
        current_ = shared_catalogue::snapshot(plain, [held = std::move(shared)](catalogue const*) {});
    }

    shared_catalogue const& source_;
    std::uint64_t seen_{0};
    shared_catalogue::snapshot current_;
};

} // namespace recruiting::public_api
