// What becomes of a batch that was sent to the collector (OTLP specification: OTLP/HTTP Response, Failures, Retryable
// Response Codes, Throttling). Pure.
#pragma once
#include "transfer/http_exchange.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace recruiting::tracing {

inline constexpr unsigned most_attempts = 6;
inline constexpr std::chrono::seconds usual_pause{5}; // six attempts outlast the restart of a collector
inline constexpr std::chrono::seconds longest_pause{30};

struct delivery {
    enum class kind { accepted, again, refused };
    kind what{kind::accepted};
    std::size_t rejected{0};                 // of an accepted batch
    std::chrono::seconds pause{usual_pause}; // before it is sent again
    std::string why;                         // for the log: nothing the collector said
};

/// attempts: made so far, this one included.
[[nodiscard]] delivery classify_delivery(transfer::http_result const& got, std::size_t spans, unsigned attempts);

/// partialSuccess.rejectedSpans of an answer's body; 0 when it says nothing of the kind. Never more than `spans`.
[[nodiscard]] std::size_t read_rejected(std::string_view body, std::size_t spans);

} // namespace recruiting::tracing
