// Times as prompts name them: "today", "yesterday", "in the last 3 days", "since 2026-03-01". Days are UTC.
#pragma once
#include "auth_api/agent/builtin/prompt.hpp"
#include "core/time.hpp"

#include <optional>
#include <string>

namespace recruiting::auth_api::agent::responder {

struct time_range {
    std::optional<timestamp> from;
    std::optional<timestamp> before;
    std::string words; // "today (UTC)", "since 2026-03-15 15:30 (UTC)"; empty: none was named
};

[[nodiscard]] time_range time_range_in(prompt const& asked, timestamp now);

} // namespace recruiting::auth_api::agent::responder
