// How a worker logs that its statement failed.
#pragma once
#include "core/log.hpp"
#include "pg/error.hpp"

namespace recruiting::pg {

/// What goes away by itself is made good by the worker's next round; everything else is somebody's mistake.
[[nodiscard]] inline log::level severity(std::exception const& error) noexcept {
    auto const* const refusal = dynamic_cast<query_error const*>(&error);
    return refusal != nullptr && refusal->is_passing() ? log::level::warning : log::level::error;
}

} // namespace recruiting::pg
