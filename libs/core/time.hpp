// Times as the API writes them (RFC 3339, UTC, milliseconds, Z) and an injectable clock.
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting {

using timestamp = std::chrono::time_point<std::chrono::system_clock, std::chrono::microseconds>;

/// Where "now" comes from; tests give their own.
class time_source {
public:
    virtual ~time_source() = default;
    [[nodiscard]] virtual timestamp now() const = 0;
};
[[nodiscard]] time_source const& system_time();

/// "2026-01-31T09:30:00.000Z"
[[nodiscard]] std::string format_time(timestamp time);
void append_time(std::string& out, timestamp time);
/// With microseconds: what audit rows and cursors keep.
[[nodiscard]] std::string format_time_micros(timestamp time);
/// A date-time in UTC in each form that clients write; core/time_reading.hpp lists the forms and says what is wrong
/// with a text that has none of them. nullopt: such a text.
[[nodiscard]] std::optional<timestamp> parse_time(std::string_view text) noexcept;
/// "90d", "24h", "15m", "30s", "250ms"
[[nodiscard]] std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) noexcept;
[[nodiscard]] std::string format_duration(std::chrono::milliseconds duration);

} // namespace recruiting
