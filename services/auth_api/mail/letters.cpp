#include "auth_api/mail/letters.hpp"

#include "zones/zone.hpp"

namespace recruiting::auth_api::mailing {
namespace {

std::string minutes_of(outbox_mail const& mail) {
    auto const length = std::chrono::duration_cast<std::chrono::minutes>(*mail.ends_at - *mail.starts_at);
    return std::to_string(length.count()) + " minutes";
}

void add(letter& to, std::string text) { to.blocks.emplace_back(paragraph{std::move(text)}); }

std::vector<fact> facts_of(outbox_mail const& mail, std::string const& zone) {
    std::vector<fact> facts;
    if (mail.starts_at && mail.ends_at)
        facts.push_back({"When", describe_time(*mail.starts_at, zone) + ", " + minutes_of(mail)});
    if (mail.previous_starts_at) facts.push_back({"Before", describe_time(*mail.previous_starts_at, zone)});
    facts.push_back({"Job", mail.job_title});
    facts.push_back({"Stage", mail.stage_name});
    return facts;
}

void add_join(std::vector<fact>& facts, outbox_mail const& mail, char const* otherwise) {
    if (!mail.join_url.empty()) facts.push_back({"Join", mail.join_url, true});
    else facts.push_back({"Join", otherwise});
}

std::string interview_of(outbox_mail const& mail) {
    return "interview with " + mail.organization_name + " for " + mail.job_title;
}

std::string candidate_subject(outbox_mail const& mail) {
    switch (mail.about) {
    case kind::confirmed: return "Your interview is confirmed: " + mail.job_title;
    case kind::rescheduled: return "Your interview has been moved: " + mail.job_title;
    case kind::canceled: return "Your interview has been canceled: " + mail.job_title;
    case kind::slot_taken: return "Please pick another time for your interview: " + mail.job_title;
    case kind::already_booked: return "You already have an interview: " + mail.job_title;
    }
    return "";
}

std::string candidate_news(outbox_mail const& mail) {
    auto const interview = interview_of(mail);
    switch (mail.about) {
    case kind::confirmed: return "Your " + interview + " is confirmed.";
    case kind::rescheduled: return "Your " + interview + " has been moved to another time.";
    case kind::canceled: return "Your " + interview + " has been canceled.";
    case kind::slot_taken:
        return "The time you asked for, for your " + interview +
               ", has just been taken. Nothing is booked yet: please pick another time.";
    case kind::already_booked:
        return "Somebody, probably you, asked for an " + interview +
               " with this address. You already have one; it stays as it is:";
    }
    return "";
}

char const* link_text(kind about) {
    switch (about) {
    case kind::confirmed:
    case kind::rescheduled:
    case kind::already_booked: return "Move or cancel the interview";
    case kind::canceled: return "Book another time";
    case kind::slot_taken: return "Pick another time";
    }
    return "";
}

std::vector<fact> candidate_facts(outbox_mail const& mail) {
    if (mail.about == kind::slot_taken) {
        std::vector<fact> facts;
        if (mail.wanted_starts_at) facts.push_back({"Taken", describe_time(*mail.wanted_starts_at, mail.time_zone)});
        facts.push_back({"Job", mail.job_title});
        facts.push_back({"Stage", mail.stage_name});
        return facts;
    }
    auto facts = facts_of(mail, mail.time_zone);
    if (mail.about == kind::canceled) return facts;
    if (!mail.interviewer_name.empty()) facts.push_back({"With", mail.interviewer_name});
    add_join(facts, mail, "your interviewer will send you the address");
    return facts;
}

letter candidate_letter(outbox_mail const& mail, std::string const& manage_link, timestamp link_expires_at,
                        bool replies_are_read) {
    letter out{candidate_subject(mail), {}};
    add(out, mail.candidate_name.empty() ? "Hello," : "Hello " + mail.candidate_name + ",");
    add(out, candidate_news(mail));
    out.blocks.emplace_back(candidate_facts(mail));
    out.blocks.emplace_back(link{link_text(mail.about), manage_link});
    add(out, "This link is yours alone: whoever has it can change the interview. It works until " +
                 describe_time(link_expires_at, mail.time_zone) + ".");
    if (mail.about == kind::confirmed || mail.about == kind::rescheduled)
        add(out, "The attached invitation puts the interview into your calendar.");
    add(out, mail.organization_name);
    if (!replies_are_read) add(out, "This mail was written by a program. Replies to it are not read.");
    return out;
}

std::string interviewer_news(outbox_mail const& mail) {
    auto const interview = "interview with " + mail.candidate_name + " for " + mail.job_title;
    switch (mail.about) {
    case kind::rescheduled: return "Your " + interview + " has been moved to another time by the candidate.";
    case kind::canceled: return "Your " + interview + " has been canceled. The time is free again.";
    case kind::confirmed:
    case kind::slot_taken:
    case kind::already_booked: return "You have an " + interview + ".";
    }
    return "";
}

std::string interviewer_subject(outbox_mail const& mail) {
    auto const what = "interview with " + mail.candidate_name + ", " + mail.job_title;
    if (mail.about == kind::rescheduled) return "Moved: " + what;
    if (mail.about == kind::canceled) return "Canceled: " + what;
    return "New: " + what;
}

letter interviewer_letter(outbox_mail const& mail) {
    letter out{interviewer_subject(mail), {}};
    add(out, mail.interviewer_name.empty() ? "Hello," : "Hello " + mail.interviewer_name + ",");
    add(out, interviewer_news(mail));
    auto facts = facts_of(mail, mail.organization_time_zone);
    facts.push_back({"Candidate", mail.candidate_name});
    if (mail.about != kind::canceled) add_join(facts, mail, "no address is set; please send one to the candidate");
    out.blocks.emplace_back(std::move(facts));
    add(out, mail.organization_name);
    return out;
}

} // namespace

std::string describe_time(timestamp time, std::string const& zone) {
    return zones::describe(time, zones::is_zone(zone) ? zone : "UTC");
}

letter write_letter(outbox_mail const& mail, std::string const& manage_link, timestamp link_expires_at,
                    bool replies_are_read) {
    if (mail.to == audience::interviewer) return interviewer_letter(mail);
    return candidate_letter(mail, manage_link, link_expires_at, replies_are_read);
}

} // namespace recruiting::auth_api::mailing
