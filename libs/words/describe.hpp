// Times and interviews as people read them: in their language and time zone. Pure.
#pragma once
#include "core/time.hpp"
#include "mail/calendar.hpp"
#include "words/words.hpp"

#include <string>

namespace recruiting {

/// "Tuesday, 24 November 2026, 10:00 (Europe/Berlin, UTC+01:00)"; in UTC where the zone is not known here.
[[nodiscard]] std::string describe_time(timestamp time, std::string const& zone, words const& in);
/// "Tuesday, 24 November 2026"; zone must be one.
[[nodiscard]] std::string describe_day(timestamp time, std::string const& zone, words const& in);
/// "45 minutes"
[[nodiscard]] std::string describe_length(timestamp::duration length, words const& in);

// What an interview's calendar entry says, the same in mails and downloads of one UID. Pure.
struct interview_names {
    std::string const& with; // whom the reader meets
    std::string const& job_title;
    std::string const& stage_name;
};
/// join_link: "" where there is none.
void describe_interview(mail::calendar_event& event, interview_names const& of, std::string const& join_link,
                        words const& in);

} // namespace recruiting
