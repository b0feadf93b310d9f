#include "public_api/booking/slots.hpp"

#include "core/time.hpp"
#include "http/json_writer.hpp"
#include "http/query.hpp"
#include "public_api/booking/schedule_store.hpp"
#include "zones/zone.hpp"

#include <algorithm>

namespace recruiting::public_api {
namespace {

constexpr auto longest_span = std::chrono::days{31};

} // namespace

time_span bookable_span(timestamp now, booking_settings const& config) noexcept {
    return {now + config.notice, now + config.horizon + std::chrono::microseconds{1}};
}

result<slot_query> read_slot_query(std::string_view raw_query, timestamp now, booking_settings const& config) {
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

http::response slots_answer(pg::rows const& rows, std::string_view zone) {
    http::response answer;
    http::json_writer json(answer.body);
    json.open_object().key("data").open_array();
    for (int row = 0; row < rows.size(); ++row) {
        auto const start = rows.time(row, slot_columns::starts_at);
        auto const end = rows.time(row, slot_columns::ends_at);
        json.open_object().field("slotStart", start).field("slotEnd", end);
        json.field("durationMinutes", std::chrono::floor<std::chrono::minutes>(end - start).count());
        if (!zone.empty()) json.field("localStart", zones::format_local(start, zone));
        json.close_object();
    }
    json.close_array().close_object();
    forbid_storing(answer);
    return answer;
}

void forbid_storing(http::response& answer) { answer.add("Cache-Control", "no-store"); }

result<plan> list_slots(call const& from) {
    auto const job = parse_id(from.params[0]);
    auto const stage = parse_id(from.params[1]);
    if (!job || !stage) return make_error(error_code::not_found);
    auto query = read_slot_query(from.request.query, from.now, from.booking);
    if (!query) return query.error();
    stage_of_job const where{*job, *stage};
    plan out;
    out.segment.push_back(select_bookable_stage(where));
    out.segment.push_back(select_slots(where, query->when, from.booking.slots_shown));
    out.render = [zone = std::move(query->time_zone)](std::vector<pg::rows> const& results) -> result<http::response> {
        if (results.at(0).empty()) return make_error(error_code::not_found);
        return slots_answer(results.at(1), zone);
    };
    return out;
}

} // namespace recruiting::public_api
