// For who puts a line of the log (core/log.hpp) together by itself.
#pragma once
#include <string_view>

namespace recruiting::log {

/// Whole lines. Never waits for the log's reader; lines of several threads never mix.
void put(std::string_view lines) noexcept;

} // namespace recruiting::log
