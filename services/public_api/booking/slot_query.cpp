#include "public_api/booking/slot_query.hpp"

#include "http/query.hpp"
#include "zones/zone.hpp"

#include <algorithm>

namespace recruiting::public_api {
namespace {

constexpr auto longest_span = std::chrono::days{31};

} // namespace

time_span bookable_span(timestamp now, settings const& config) noexcept {
    return {now + config.booking_notice, now + config.booking_horizon + std::chrono::microseconds{1}};
}

result<slot_query> read_slot_query(std::string_view raw_query, timestamp now, settings const& config) {
    http::query_reader query(raw_query);
    auto const from = query.time("from");
    auto const to = query.time("to");
    auto const zone = query.text("timeZone", 64);
    if (from && to && *to <= *from) query.problem("to", "out_of_range", "Must be later than from.");
    if (from && to && *to - *from > longest_span)
        query.problem("to", "out_of_range", "Must be at most 31 days after from.");
    if (zone && !zones::is_zone(*zone))
        query.problem("timeZone", "invalid", "Must be an IANA time zone, such as Europe/Berlin.");
    if (!query.ok()) return invalid_request(query.take_problems());

    auto const bookable = bookable_span(now, config);
    auto const begin = std::max(from.value_or(bookable.from), bookable.from);
    auto const end = std::min(to.value_or(from.value_or(begin) + longest_span), bookable.to);
    return slot_query{{begin, end}, zone.value_or(std::string())};
}

} // namespace recruiting::public_api
