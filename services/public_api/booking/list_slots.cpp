#include "public_api/booking/list_slots.hpp"

#include "public_api/booking/slot_json.hpp"
#include "public_api/booking/slot_query.hpp"

namespace recruiting::public_api {

result<plan> list_slots(call const& from) {
    auto const job = parse_id(from.params[0]);
    auto const stage = parse_id(from.params[1]);
    if (!job || !stage) return make_error(error_code::not_found);
    auto query = read_slot_query(from.request.query, from.now, from.config);
    if (!query) return query.error();
    stage_of_job const where{*job, *stage};
    plan out;
    out.segment.push_back(select_bookable_stage(where));
    out.segment.push_back(select_slots(where, query->when, from.config.slots_shown));
    out.render = [zone = std::move(query->time_zone)](std::vector<pg::rows> const& results) -> result<http::response> {
        if (results.at(0).empty()) return make_error(error_code::not_found);
        return slots_answer(results.at(1), zone);
    };
    return out;
}

} // namespace recruiting::public_api
