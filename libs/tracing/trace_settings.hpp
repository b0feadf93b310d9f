// What can be set of tracing, under the same names in every program.
#pragma once
#include "core/settings.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace recruiting::tracing {

struct trace_settings {
    std::string endpoint;                                        // "http://127.0.0.1:4318"; empty: nothing is exported
    double share{0.1};                                           // of new traces
    std::vector<std::pair<std::string, std::string>> attributes; // of the resource
    std::vector<std::string> headers;                            // "Name: value", secret
    std::string ca_file;                                         // PEM; empty: the system's
    std::int64_t queue{8'192};                                   // spans
    std::int64_t batch{512};
    std::chrono::milliseconds interval{2'000};
    std::chrono::milliseconds timeout{10'000};
    std::chrono::milliseconds flush_timeout{2'000};
};

void declare(settings_reader& reader, trace_settings& target);

/// Whether this program was built with what sends spans (RECRUITING_TRACING).
[[nodiscard]] bool is_built_in() noexcept;

/// "key=value,key=value", values percent-encoded as in OTEL_RESOURCE_ATTRIBUTES; nullopt: not of that form.
[[nodiscard]] std::optional<std::vector<std::pair<std::string, std::string>>>
parse_trace_attributes(std::string_view text);
/// "Name: value" lines; empty ones and those that begin with # are left out. nullopt: another line is there.
[[nodiscard]] std::optional<std::vector<std::string>> parse_trace_headers(std::string_view file);

} // namespace recruiting::tracing
