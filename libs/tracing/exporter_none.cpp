// The exporter of a program that was built without tracing (RECRUITING_TRACING=OFF): it sends nothing, and no endpoint
// can be set.
#include "tracing/exporter.hpp"

namespace recruiting::tracing {

class exporter::state {};

bool is_built_in() noexcept { return false; }

exporter::exporter(trace_settings const&, std::string, metrics::registry&) {}
exporter::~exporter() = default;

span_sink* exporter::sink() noexcept { return nullptr; }

} // namespace recruiting::tracing
