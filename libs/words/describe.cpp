#include "words/describe.hpp"

#include "words/words.hpp"
#include "zones/zone.hpp"

namespace recruiting {

std::string describe_time(timestamp time, std::string const& zone, words const& in) {
    auto const shown = zones::is_zone(zone) ? zone : std::string("UTC");
    auto const local = zones::format_local(time, shown); // "2026-11-24T10:00:00+01:00"
    auto const date = describe_day(time, shown, in);
    return fill(in.time.moment, {{"date", date},
                                 {"clock", std::string_view(local).substr(11, 5)},
                                 {"zone", shown},
                                 {"offset", std::string_view(local).substr(19)}});
}

std::string describe_day(timestamp time, std::string const& zone, words const& in) {
    auto const at = zones::to_local(time, zone);
    auto const day = at.day == 1 ? std::string(in.time.first_of_month) : std::to_string(at.day);
    auto const year = std::to_string(at.year);
    return fill(in.time.day, {{"weekday", in.time.weekdays.at(static_cast<std::size_t>(at.weekday))},
                              {"day", day},
                              {"month", in.time.months.at(static_cast<std::size_t>(at.month - 1))},
                              {"year", year}});
}

std::string describe_length(timestamp::duration length, words const& in) {
    auto const minutes = std::to_string(std::chrono::floor<std::chrono::minutes>(length).count());
    return fill(in.time.length, {{"minutes", minutes}});
}

void describe_interview(mail::calendar_event& event, interview_names const& of, std::string const& join_link,
                        words const& in) {
    event.summary = fill(in.mail.event_title, {{"with", of.with}, {"job", of.job_title}});
    event.description = fill(in.mail.event_stage, {{"stage", of.stage_name}});
    if (!join_link.empty()) event.description += "\n" + fill(in.mail.event_join, {{"link", join_link}});
    event.location = join_link;
    event.url = join_link;
}

} // namespace recruiting
