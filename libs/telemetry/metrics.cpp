#include "telemetry/metrics.hpp"

#include "core/commit.hpp"
#include "core/log.hpp"
#include "core/settings.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/resource.h>
#include <unistd.h>

namespace recruiting::metrics {
namespace {

void append_sample(std::string& out, std::string_view name, std::string_view labels, auto value) {
    out += name;
    if (!labels.empty()) {
        out += '{';
        out += labels;
        out += '}';
    }
    out += ' ';
    append_number(out, value);
    out += '\n';
}

void write(counter const& from, std::string& out, std::string_view name, std::string_view labels) {
    append_sample(out, name, labels, from.value());
}

void write(gauge const& from, std::string& out, std::string_view name, std::string_view labels) {
    if (from.known()) append_sample(out, name, labels, from.value());
}

void write(histogram const& from, std::string& out, std::string_view name, std::string_view labels) {
    from.render(out, name, labels);
}

} // namespace

void histogram::observe(std::chrono::nanoseconds duration) noexcept {
    auto const seconds = std::chrono::duration<double>(duration).count();
    auto const bucket = std::lower_bound(bounds_.begin(), bounds_.end(), seconds) - bounds_.begin();
    buckets_[static_cast<std::size_t>(bucket)].fetch_add(1, std::memory_order_relaxed);
    nanoseconds_.fetch_add(static_cast<std::uint64_t>(duration.count()), std::memory_order_relaxed);
}

void histogram::render(std::string& out, std::string_view name, std::string_view labels) const {
    std::string const prefix = labels.empty() ? std::string() : std::string(labels) + ",";
    auto const bucket_name = std::string(name) + "_bucket";
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
        total += buckets_[i].load(std::memory_order_relaxed);
        std::string bound = "+Inf";
        if (i < bounds_.size()) append_number(bound = {}, bounds_[i]);
        append_sample(out, bucket_name, prefix + "le=\"" + bound + "\"", total);
    }
    auto const seconds = static_cast<double>(nanoseconds_.load(std::memory_order_relaxed)) / 1e9;
    append_sample(out, std::string(name) + "_sum", labels, seconds);
    append_sample(out, std::string(name) + "_count", labels, total);
}

template <class Metric, class... Arguments>
Metric& registry::add(std::deque<Metric>& all, char const* type, std::string name, std::string help, std::string labels,
                      Arguments... arguments) {
    std::lock_guard const lock(mutex_);
    auto& samples = families_.try_emplace(std::move(name), family{std::move(help), type, {}}).first->second.samples;
    auto const known = std::find_if(samples.begin(), samples.end(), [&](auto const& s) { return s.labels == labels; });
    if (known != samples.end()) return *static_cast<Metric*>(known->metric);
    auto& made = all.emplace_back(arguments...);
    samples.push_back({std::move(labels), &made, [&made](std::string& out, std::string_view as, std::string_view of) {
                           write(made, out, as, of);
                       }});
    return made;
}

counter& registry::add_counter(std::string name, std::string help, std::string labels) {
    return add(counters_, "counter", std::move(name), std::move(help), std::move(labels));
}

gauge& registry::add_gauge(std::string name, std::string help, std::string labels) {
    return add(gauges_, "gauge", std::move(name), std::move(help), std::move(labels));
}

histogram& registry::add_histogram(std::string name, std::string help, std::string labels,
                                   std::span<double const> bounds) {
    return add(histograms_, "histogram", std::move(name), std::move(help), std::move(labels), bounds);
}

void registry::add_reading(std::string name, std::string help, char const* type, std::function<double()> read) {
    add_readings(std::move(name), std::move(help), type, [read = std::move(read)] {
        return labelled_values{{{}, read()}};
    });
}

void registry::add_readings(std::string name, std::string help, char const* type,
                            std::function<labelled_values()> read) {
    std::lock_guard const lock(mutex_);
    auto& samples = families_.try_emplace(std::move(name), family{std::move(help), type, {}}).first->second.samples;
    samples.push_back({{}, nullptr, [read = std::move(read)](std::string& out, std::string_view as, std::string_view) {
                           for (auto const& [labels, value] : read()) append_sample(out, as, labels, value);
                       }});
}

std::string registry::render() const {
    std::lock_guard const lock(mutex_);
    std::string out;
    for (auto const& [name, of] : families_) {
        out += "# HELP " + name + " " + of.help + "\n# TYPE " + name + " " + of.type + "\n";
        for (auto const& one : of.samples) one.write(out, name, one.labels);
    }
    return out;
}

namespace {

std::string text_of(char const* path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

process_usage usage() {
    return read_stat(text_of("/proc/self/stat"), static_cast<double>(::sysconf(_SC_CLK_TCK)),
                     static_cast<double>(::sysconf(_SC_PAGESIZE)));
}

// The kernel tells when a process began in ticks since the boot, and when it booted in seconds since 1970.
double boot_time() {
    auto const text = text_of("/proc/stat");
    auto const at = text.find("\nbtime ");
    if (at == std::string::npos) return 0;
    auto const number = std::string_view(text).substr(at + 7);
    return static_cast<double>(parse_number<std::uint64_t>(number.substr(0, number.find('\n'))).value_or(0));
}

double open_descriptors() {
    std::error_code failed;
    auto const all = std::filesystem::directory_iterator("/proc/self/fd", failed);
    if (failed) return 0;
    return static_cast<double>(std::distance(begin(all), end(all)) - 1); // one of them reads the directory
}

double most_descriptors() {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    return static_cast<double>(limit.rlim_cur);
}

double seconds_since_1970() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

} // namespace

process_usage read_stat(std::string_view stat, double ticks_a_second, double page_bytes) {
    // The second field is the program's name in parentheses, which may hold anything.
    auto rest = stat.substr(std::min(stat.size(), stat.rfind(')') + 1));
    std::array<double, 25> fields{}; // by the numbers proc(5) gives them
    for (std::size_t i = 3; i < fields.size() && !rest.empty(); ++i) {
        rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(' ')));
        auto const word = rest.substr(0, rest.find(' '));
        fields[i] = static_cast<double>(parse_number<std::uint64_t>(word).value_or(0));
        rest.remove_prefix(word.size());
    }
    return {(fields[14] + fields[15]) / ticks_a_second, fields[20], fields[22] / ticks_a_second, fields[23],
            fields[24] * page_bytes};
}

void add_process_metrics(registry& to, std::string const& program) {
    to.add_gauge("recruiting_build_info", "Always 1; the labels have the program, its version and its commit.",
                 "program=\"" + program + "\",version=\"" + std::string(version()) + "\",commit=\"" +
                     std::string(commit()) + "\"")
        .set(1);
    to.add_reading("recruiting_time_seconds", "Clock of the program, in seconds since 1970.", "gauge",
                   seconds_since_1970);
    to.add_reading("process_cpu_seconds_total", "Processor time used, user's and system's.", "counter",
                   [] { return usage().cpu_seconds; });
    to.add_reading("process_resident_memory_bytes", "Memory in use.", "gauge", [] { return usage().resident_bytes; });
    to.add_reading("process_virtual_memory_bytes", "Address space in use.", "gauge",
                   [] { return usage().virtual_bytes; });
    to.add_reading("process_threads", "Threads of the operating system.", "gauge", [] { return usage().threads; });
    to.add_reading("process_open_fds", "Open file descriptors.", "gauge", open_descriptors);
    to.add_reading("process_max_fds", "File descriptors the process may have.", "gauge", most_descriptors);
    to.add_reading("recruiting_log_lines_dropped_total",
                   "Log lines lost: the reader of standard output does not read, or writing failed.", "counter",
                   [] { return static_cast<double>(log::dropped_lines()); });
    auto const started = boot_time() + usage().started_after_boot_seconds;
    to.add_reading("process_start_time_seconds", "When the process began, in seconds since 1970.", "gauge",
                   [started] { return started; });
}

} // namespace recruiting::metrics
