#include "public_api/scheduling/slot_start.hpp"

#include "zones/zone.hpp"

namespace recruiting::public_api {

std::optional<timestamp> parse_slot_start(std::string_view text) noexcept {
    constexpr std::size_t seconds_at = 17; // of "2026-01-31T09:30:00Z"
    bool const is_utc = text.ends_with('Z') || text.ends_with('z') || text.ends_with("+00:00");
    auto const time = parse_time(text);
    if (!time || !is_utc || text.substr(seconds_at, 2) == "60") return std::nullopt;
    return time;
}

timestamp read_slot_start(http::json_fields& fields) {
    auto const text = fields.text("slotStart", http::json_fields::presence::required);
    if (!text) return {};
    auto const time = parse_slot_start(*text);
    if (!time) fields.problem("slotStart", "invalid", "Must be an RFC 3339 time in UTC, such as 2026-01-31T09:30:00Z.");
    return time.value_or(timestamp{});
}

std::optional<std::string> read_time_zone(http::json_fields& fields) {
    auto const name = fields.text("timeZone");
    if (name && !zones::is_zone(*name))
        fields.problem("timeZone", "invalid", "Must be an IANA time zone, such as Europe/Berlin.");
    return name;
}

} // namespace recruiting::public_api
