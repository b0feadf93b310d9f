// Prometheus metrics (text format 0.0.4). Made once at start, then lock-free: any thread may count.
#pragma once
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::metrics {

class counter {
public:
    void add(std::uint64_t n = 1) noexcept { value_.fetch_add(n, std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t value() const noexcept { return value_.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> value_{0};
};

class gauge {
public:
    void set(std::int64_t v) noexcept { value_.store(v, std::memory_order_relaxed); }
    void add(std::int64_t n) noexcept { value_.fetch_add(n, std::memory_order_relaxed); }
    [[nodiscard]] std::int64_t value() const noexcept { return value_.load(std::memory_order_relaxed); }

private:
    std::atomic<std::int64_t> value_{0};
};

/// Durations in seconds, from 0.5 ms to 10 s.
class histogram {
public:
    static constexpr std::array<double, 14> bounds = {0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05,
                                                      0.1,    0.2,   0.5,   1,     2,    5,    10};
    void observe(std::chrono::nanoseconds duration) noexcept;
    void render(std::string& out, std::string_view name, std::string_view labels) const;

private:
    std::array<std::atomic<std::uint64_t>, bounds.size() + 1> buckets_{};
    std::atomic<std::uint64_t> nanoseconds_{0};
};

/// Holds every metric of a program. Asked for again by the same name and labels, it gives the same metric, so that
/// every thread may ask. labels is what stands between the braces: R"(route="/jobs",status="200")".
class registry {
public:
    counter& add_counter(std::string name, std::string help, std::string labels = {});
    gauge& add_gauge(std::string name, std::string help, std::string labels = {});
    histogram& add_histogram(std::string name, std::string help, std::string labels = {});
    [[nodiscard]] std::string render() const;

private:
    struct entry {
        std::string name;
        std::string help;
        std::string labels;
        char const* type;
        void* metric;
        std::function<void(std::string&, entry const&)> write;
    };
    void enlist(entry added);
    [[nodiscard]] void* find(std::string_view name, std::string_view labels) const;

    mutable std::mutex mutex_;
    std::deque<counter> counters_;
    std::deque<gauge> gauges_;
    std::deque<histogram> histograms_;
    std::vector<entry> entries_; // those of one name side by side
};

} // namespace recruiting::metrics
