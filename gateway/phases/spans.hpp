// What is recorded of a request that is sampled (proto-docs/tracing.md): nothing of its path, its query, its fields or
// its client. Names are OpenTelemetry's semantic conventions for HTTP and Redis.
#pragma once
#include "gateway/upstream/retry_policy.hpp"

#include <cstdint>
#include <string_view>

namespace recruiting::gateway {

struct session;

void begin_spans(session& s);
void begin_count_span(session& s);
void begin_call_span(session& s, std::string_view address, std::int64_t resends);
void end_call_span(session& s, attempt_outcome outcome, loss const& what, bool connected);
void end_spans(session& s);

} // namespace recruiting::gateway
