#include "telemetry/metrics.hpp"

#include "core/text.hpp"

#include <algorithm>

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

} // namespace recruiting::metrics
