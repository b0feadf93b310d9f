// Segments as spans, by OpenTelemetry's semantic conventions for databases: what they are for, how many statements, how
// they failed. Never a statement's text or values.
#pragma once
#include "pg/pipeline.hpp"
#include "telemetry/span.hpp"

#include <string_view>

namespace recruiting::pg {

struct traced {
    tracing::parent under;
    std::string_view operation; // what for, of few values: "authenticate and read"
};

/// pipeline::run, recorded if what it is part of is.
[[nodiscard]] task<std::vector<rows>> run(pipeline& on, std::vector<statement> segment, traced how);

/// For who waits for a segment that others share.
[[nodiscard]] tracing::span segment_span(traced how, std::size_t statements);
void note_failure(tracing::span& of, query_error const& why);

} // namespace recruiting::pg
