#include "words/interview_event.hpp"

#include "words/fill.hpp"

namespace recruiting {

void describe_interview(mail::calendar_event& event, interview_names const& of, std::string const& join_link,
                        words const& in) {
    event.summary = fill(in.mail.event_title, {{"with", of.with}, {"job", of.job_title}});
    event.description = fill(in.mail.event_stage, {{"stage", of.stage_name}});
    if (!join_link.empty()) event.description += "\n" + fill(in.mail.event_join, {{"link", join_link}});
    event.location = join_link;
    event.url = join_link;
}

} // namespace recruiting
