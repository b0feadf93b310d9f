#include "public_api/booking/manage_json.hpp"

#include "http/json_writer.hpp"
#include "public_api/booking/link.hpp"
#include "public_api/booking/slot_json.hpp"
#include "zones/zone.hpp"

namespace recruiting::public_api {
namespace {

void write_when(http::json_writer& json, presented_booking const& shown) {
    json.field("startsAt", shown.starts_at).field("endsAt", shown.ends_at);
    json.field("wantedStartsAt", shown.wanted_starts_at).field("timeZone", shown.time_zone);
    json.key("localStart");
    if (shown.starts_at && zones::is_zone(shown.time_zone))
        json.value(zones::format_local(*shown.starts_at, shown.time_zone));
    else json.null();
}

void write_what(http::json_writer& json, presented_booking const& shown) {
    json.key("job").open_object().field("id", shown.job).field("title", shown.job_title).close_object();
    json.key("stage").open_object().field("id", shown.stage).field("name", shown.stage_name).close_object();
    json.key("organization").open_object();
    json.field("name", shown.organization_name).field("slug", shown.organization_slug).close_object();
}

} // namespace

http::response booking_answer(presented_booking const& shown, std::string_view public_url, std::string_view token,
                              timestamp now) {
    http::response answer;
    auto const api = std::string(public_url) + "/api/public/v1/scheduling/manage/" + std::string(token);
    http::json_writer json(answer.body);
    json.open_object().key("data").open_object().field("status", shown.status);
    write_when(json, shown);
    json.key("joinUrl");
    if (shown.is_confirmed() && shown.has_join_link) json.value(join_address(public_url, token));
    else json.null();
    json.field("interviewer", shown.is_confirmed() ? shown.interviewer_name : std::nullopt);
    write_what(json, shown);
    json.field("changeable", !shown.has_begun(now)).field("updatedAt", shown.updated_at);
    json.field("pageUrl", std::string(public_url) + "/interviews/" + std::string(token));
    json.field("slotsUrl", api + "/slots");
    json.key("calendarUrl");
    if (shown.is_confirmed()) json.value(api + "/invite.ics");
    else json.null();
    json.close_object().close_object();
    forbid_storing(answer);
    return answer;
}

} // namespace recruiting::public_api
