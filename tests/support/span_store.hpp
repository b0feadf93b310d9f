// Keeps the spans that end, for tests on one thread.
#pragma once
#include "telemetry/span.hpp"

namespace recruiting::tracing {

class span_store final : public span_sink {
public:
    void take(std::unique_ptr<span_data> ended) noexcept override { spans.push_back(std::move(ended)); }
    std::vector<std::unique_ptr<span_data>> spans;
};

} // namespace recruiting::tracing
