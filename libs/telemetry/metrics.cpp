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

} // namespace

void histogram::observe(std::chrono::nanoseconds duration) noexcept {
    auto const seconds = std::chrono::duration<double>(duration).count();
    auto const bucket = std::lower_bound(bounds.begin(), bounds.end(), seconds) - bounds.begin();
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
        if (i < bounds.size()) append_number(bound = {}, bounds[i]);
        append_sample(out, bucket_name, prefix + "le=\"" + bound + "\"", total);
    }
    auto const seconds = static_cast<double>(nanoseconds_.load(std::memory_order_relaxed)) / 1e9;
    append_sample(out, std::string(name) + "_sum", labels, seconds);
    append_sample(out, std::string(name) + "_count", labels, total);
}

void registry::enlist(entry added) {
    auto const same =
        std::find_if(entries_.rbegin(), entries_.rend(), [&](auto const& e) { return e.name == added.name; });
    entries_.insert(same.base(), std::move(added)); // base() of "not found" is begin(): order among names is free
}

void* registry::find(std::string_view name, std::string_view labels) const {
    for (auto const& e : entries_)
        if (e.name == name && e.labels == labels) return e.metric;
    return nullptr;
}

counter& registry::add_counter(std::string name, std::string help, std::string labels) {
    std::lock_guard const lock(mutex_);
    if (void* const known = find(name, labels)) return *static_cast<counter*>(known);
    auto& made = counters_.emplace_back();
    enlist({std::move(name), std::move(help), std::move(labels), "counter", &made,
            [&made](std::string& out, entry const& e) { append_sample(out, e.name, e.labels, made.value()); }});
    return made;
}

gauge& registry::add_gauge(std::string name, std::string help, std::string labels) {
    std::lock_guard const lock(mutex_);
    if (void* const known = find(name, labels)) return *static_cast<gauge*>(known);
    auto& made = gauges_.emplace_back();
    enlist({std::move(name), std::move(help), std::move(labels), "gauge", &made,
            [&made](std::string& out, entry const& e) { append_sample(out, e.name, e.labels, made.value()); }});
    return made;
}

histogram& registry::add_histogram(std::string name, std::string help, std::string labels) {
    std::lock_guard const lock(mutex_);
    if (void* const known = find(name, labels)) return *static_cast<histogram*>(known);
    auto& made = histograms_.emplace_back();
    enlist({std::move(name), std::move(help), std::move(labels), "histogram", &made,
            [&made](std::string& out, entry const& e) { made.render(out, e.name, e.labels); }});
    return made;
}

std::string registry::render() const {
    std::lock_guard const lock(mutex_);
    std::string out;
    std::string_view last;
    for (auto const& e : entries_) {
        if (e.name != last) out += "# HELP " + e.name + " " + e.help + "\n# TYPE " + e.name + " " + e.type + "\n";
        last = e.name;
        e.write(out, e);
    }
    return out;
}

} // namespace recruiting::metrics
