#include "public_api/booking/slot_start.hpp"

#include "core/time.hpp"
#include "zones/zone.hpp"

namespace recruiting::public_api {

timestamp read_slot_start(http::json_fields& fields) {
    auto const text = fields.text("slotStart", http::json_fields::presence::required);
    if (!text) return {};
    auto const read = read_utc_time(*text);
    if (read.fault != time_fault::none) fields.problem("slotStart", "invalid", std::string(advice_on(read.fault)));
    return read.at;
}

std::optional<std::string> read_time_zone(http::json_fields& fields) {
    auto const name = fields.text("timeZone");
    if (name && !zones::is_zone(*name))
        fields.problem("timeZone", "invalid", "Must be an IANA time zone, such as Europe/Berlin.");
    return name;
}

} // namespace recruiting::public_api
