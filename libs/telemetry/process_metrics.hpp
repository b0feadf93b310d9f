// What every program tells of itself: which version it is, and what its process uses (named as Prometheus' own clients
// name it).
#pragma once
#include "telemetry/metrics.hpp"

#include <string>
#include <string_view>

namespace recruiting::metrics {

/// What /proc/self/stat tells of a process (proc(5)).
struct process_usage {
    double cpu_seconds{0};
    double threads{0};
    double started_after_boot_seconds{0};
    double virtual_bytes{0};
    double resident_bytes{0};
};
[[nodiscard]] process_usage read_stat(std::string_view stat, double ticks_a_second, double page_bytes);

/// program: "gateway", "auth-api" or "public-api".
void add_process_metrics(registry& to, std::string const& program);

} // namespace recruiting::metrics
