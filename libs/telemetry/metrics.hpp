// Prometheus metrics (text format 0.0.4). Made once at start, then lock-free: any thread may count.
// Names and labels are a contract: proto-docs/metrics.md.
#pragma once
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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
    /// Not shown until it is set again (one that is added to must never be forgotten): what could not be read has
    /// no value, and no old one either.
    void forget() noexcept { set(unknown); }
    [[nodiscard]] bool known() const noexcept { return value() != unknown; }
    [[nodiscard]] std::int64_t value() const noexcept { return value_.load(std::memory_order_relaxed); }

private:
    static constexpr auto unknown = std::numeric_limits<std::int64_t>::min();
    std::atomic<std::int64_t> value_{0};
};

/// Upper bounds in seconds: of requests and all that is quick, up to the longest a client may wait.
inline constexpr std::array<double, 17> quick_bounds = {0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2,
                                                        0.5,    1,     2,     5,     10,   30,   60,   120};
/// Bounds for agent runs and calls of models, in seconds.
inline constexpr std::array<double, 13> slow_bounds = {0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300};

/// Durations.
class histogram {
public:
    explicit histogram(std::span<double const> bounds) : bounds_(bounds), buckets_(bounds.size() + 1) {}
    void observe(std::chrono::nanoseconds duration) noexcept;
    void render(std::string& out, std::string_view name, std::string_view labels) const;

private:
    std::span<double const> bounds_; // of static storage
    std::vector<std::atomic<std::uint64_t>> buckets_;
    std::atomic<std::uint64_t> nanoseconds_{0};
};

/// Holds every metric of a program. Asked for again by the same name and labels, it gives the same metric, so that
/// every thread may ask. labels is what stands between the braces: R"(route="/jobs",status="200")".
class registry {
public:
    counter& add_counter(std::string name, std::string help, std::string labels = {});
    gauge& add_gauge(std::string name, std::string help, std::string labels = {});
    histogram& add_histogram(std::string name, std::string help, std::string labels = {},
                             std::span<double const> bounds = quick_bounds);
    /// A value that is read whenever somebody asks for the metrics. type: "counter" or "gauge".
    void add_reading(std::string name, std::string help, char const* type, std::function<double()> read);
    /// Several, each with its labels, which may be others every time. read must not add metrics.
    using labelled_values = std::vector<std::pair<std::string, double>>;
    void add_readings(std::string name, std::string help, char const* type, std::function<labelled_values()> read);
    [[nodiscard]] std::string render() const;

private:
    struct sample {
        std::string labels;
        void* metric;
        std::function<void(std::string& out, std::string_view name, std::string_view labels)> write;
    };
    struct family {
        std::string help;
        char const* type;
        std::vector<sample> samples;
    };
    template <class Metric, class... Arguments>
    Metric& add(std::deque<Metric>& all, char const* type, std::string name, std::string help, std::string labels,
                Arguments... arguments);

    mutable std::mutex mutex_;
    std::deque<counter> counters_;
    std::deque<gauge> gauges_;
    std::deque<histogram> histograms_;
    std::map<std::string, family, std::less<>> families_;
};

/// What /proc/self/stat tells of a process (proc(5)).
struct process_usage {
    double cpu_seconds{0};
    double threads{0};
    double started_after_boot_seconds{0};
    double virtual_bytes{0};
    double resident_bytes{0};
};
[[nodiscard]] process_usage read_stat(std::string_view stat, double ticks_a_second, double page_bytes);

/// What every program reports of itself: its version, and what its process uses (named as Prometheus' own clients name
/// it). program: "gateway", "auth-api" or "public-api".
void add_process_metrics(registry& to, std::string const& program);

} // namespace recruiting::metrics
