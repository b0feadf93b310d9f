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
/// A date-time in UTC in each form that clients write; read_utc_time lists the forms and says what is wrong with a
/// text that has none of them. nullopt: such a text.
[[nodiscard]] std::optional<timestamp> parse_time(std::string_view text) noexcept;
/// "90d", "24h", "15m", "30s", "250ms"
[[nodiscard]] std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) noexcept;
[[nodiscard]] std::string format_duration(std::chrono::milliseconds duration);

// Reads the date-times that clients write: ISO 8601 in UTC. A refusal can say what is wrong with a text and what to
// write instead. Pure.
enum class time_fault { none, malformed, no_offset, not_utc };

struct time_reading {
    timestamp at;
    time_fault fault{time_fault::none};
};

/// "2026-01-31T09:30:00Z". The seconds may be absent, or have a fraction of any length after "." or ",", which is cut
/// after six digits. T and Z may be lower case; +00:00, +0000 and +00 mean Z. Years 0001 to 9999. A leap second
/// (23:59:60) is the second after it.
[[nodiscard]] time_reading read_utc_time(std::string_view text) noexcept;

/// Reads a time with any offset, for files of other systems have local times.
[[nodiscard]] std::optional<timestamp> parse_time_with_offset(std::string_view text) noexcept;

/// Public text: how to write the time instead.
[[nodiscard]] std::string_view advice_on(time_fault fault) noexcept;

} // namespace recruiting
