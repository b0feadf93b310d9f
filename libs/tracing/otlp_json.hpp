// Spans as OTLP sends them: ExportTraceServiceRequest in its JSON form (opentelemetry-proto, OTLP specification "JSON
// Protobuf Encoding"): ids in hex, 64-bit numbers as strings, enums as numbers. Pure.
#pragma once
#include "telemetry/span.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace recruiting::tracing {

/// What all spans of a process have in common.
struct resource {
    std::vector<std::pair<std::string, std::string>> attributes;
    std::string version; // of the program, which is also what recorded them
};

using span_list = std::vector<std::unique_ptr<span_data>>;

/// Secrets in values are masked and what is not UTF-8 replaced: nothing of the kind should be there.
[[nodiscard]] std::string export_request(resource const& of, span_list const& spans);

} // namespace recruiting::tracing
