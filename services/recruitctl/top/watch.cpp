#include "recruitctl/top/watch.hpp"

#include <algorithm>
#include <utility>

namespace recruiting::recruitctl::top {
namespace {

constexpr std::chrono::milliseconds longest_look{5'000};

} // namespace

watch::watch(std::vector<target> targets, std::chrono::milliseconds interval, std::function<void()> told)
    : targets_(std::move(targets)), interval_(interval), told_(std::move(told)), thread_([this] { work(); }) {}

watch::~watch() {
    {
        std::lock_guard const lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

std::optional<two_readings> watch::take() {
    std::lock_guard const lock(mutex_);
    if (!is_new_) return std::nullopt;
    is_new_ = false;
    return readings_;
}

void watch::work() {
    for (auto next = std::chrono::steady_clock::now();; next += interval_) {
        auto found = look_at(targets_, std::min(interval_, longest_look));
        {
            std::lock_guard const lock(mutex_);
            readings_.before = std::exchange(readings_.now, std::move(found));
            is_new_ = true;
        }
        told_();
        next = std::max(next, std::chrono::steady_clock::now() - interval_); // late looks are not made up for
        std::unique_lock lock(mutex_);
        if (changed_.wait_until(lock, next + interval_, [this] { return stopping_; })) return;
    }
}

} // namespace recruiting::recruitctl::top
