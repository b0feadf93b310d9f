#include "public_api/booking/invitation.hpp"

#include "public_api/booking/link.hpp"
#include "public_api/booking/manage_store.hpp"
#include "public_api/booking/slot_json.hpp"
#include "words/describe.hpp"

namespace recruiting::public_api {
namespace {

// Calendars are shared: it names no link that changes the interview, only the one that joins it.
mail::calendar_event event_of(presented_booking const& shown, std::string_view public_url, std::string_view token) {
    mail::calendar_event event;
    event.method = mail::calendar_method::publish;
    event.uid = mail::event_uid(shown.calendar_uid, public_url);
    event.sequence = shown.sequence;
    event.stamp = shown.updated_at;
    event.starts_at = *shown.starts_at;
    event.ends_at = *shown.ends_at;
    auto const join_link = shown.has_join_link ? join_address(public_url, token) : std::string();
    describe_interview(event, {shown.organization_name, shown.job_title, shown.stage_name}, join_link,
                       words_for(shown.language));
    return event;
}

} // namespace

result<plan> get_invitation(call const& from) {
    auto const link = link_hash(from.params[0]);
    if (!link) return make_error(error_code::not_found);
    plan out;
    out.segment = look_at_booking(*link, from.request_id);
    out.render = [from](std::vector<pg::rows> const& results) -> result<http::response> {
        auto const shown = read_presented_booking(results.at(1));
        if (!shown || !shown->is_confirmed()) return make_error(error_code::not_found);
        http::response answer;
        answer.content_type = "text/calendar; charset=utf-8; method=PUBLISH";
        answer.body = to_icalendar(event_of(*shown, from.config.public_url, from.params[0]));
        answer.add("Content-Disposition", "attachment; filename=\"interview.ics\"");
        answer.add("Referrer-Policy", "no-referrer");
        forbid_storing(answer);
        return answer;
    };
    return out;
}

} // namespace recruiting::public_api
