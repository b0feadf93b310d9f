// What an interview's calendar entry says, the same in mails and downloads of one UID. Pure.
#pragma once
#include "mail/calendar.hpp"
#include "words/words.hpp"

#include <string>

namespace recruiting {

struct interview_names {
    std::string const& with; // whom the reader meets
    std::string const& job_title;
    std::string const& stage_name;
};
/// join_link: "" where there is none.
void describe_interview(mail::calendar_event& event, interview_names const& of, std::string const& join_link,
                        words const& in);

} // namespace recruiting
