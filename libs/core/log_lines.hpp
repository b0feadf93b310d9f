// For who collects lines of the log (core/log.hpp) and writes several at once.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>

namespace recruiting::log {

enum class level;
struct field;

/// Appends the line that write would write, with its newline; nothing below the threshold.
void append(std::string& out, level at, std::string_view event, std::initializer_list<field> fields);
/// One call is one write(2): lines of several threads never mix. A log that can't be written stops nothing.
void put(std::string_view lines) noexcept;

} // namespace recruiting::log
