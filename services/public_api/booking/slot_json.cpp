#include "public_api/booking/slot_json.hpp"

#include "http/json_writer.hpp"
#include "public_api/booking/schedule_store.hpp"
#include "zones/zone.hpp"

namespace recruiting::public_api {

http::response slots_answer(pg::rows const& rows, std::string_view zone) {
    http::response answer;
    http::json_writer json(answer.body);
    json.open_object().key("data").open_array();
    for (int row = 0; row < rows.size(); ++row) {
        auto const start = rows.time(row, slot_column::starts_at);
        auto const end = rows.time(row, slot_column::ends_at);
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

} // namespace recruiting::public_api
