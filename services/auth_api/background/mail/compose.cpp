#include "auth_api/background/mail/compose.hpp"

#include "auth_api/background/mail/letter.hpp"
#include "crypto/digest.hpp"
#include "mail/address.hpp"
#include "words/words.hpp"

#include <array>
#include <string_view>
#include <vector>

namespace recruiting::auth_api::mailing {
namespace {

struct letter_links {
    std::string manage;  // where the candidate moves or cancels the interview; in no letter to an interviewer
    std::string decline; // where the interviewer declines it; in no letter to a candidate
    std::string join;
    timestamp expires_at;
};

words const& reader_words(outbox_mail const& mail) noexcept {
    return words_for(mail.to == audience::candidate ? std::string_view(mail.language) : "en");
}

void add(letter& to, std::string text) { to.blocks.emplace_back(paragraph{std::move(text)}); }

void add_subject_matter(std::vector<fact>& facts, outbox_mail const& mail, words const& in) {
    facts.push_back({in.interview.job, mail.job_title});
    facts.push_back({in.interview.stage, mail.stage_name});
}

std::vector<fact> facts_of(outbox_mail const& mail, std::string const& zone, words const& in) {
    std::vector<fact> facts;
    if (mail.starts_at && mail.ends_at)
        facts.push_back({in.interview.when, describe_time(*mail.starts_at, zone, in) + ", " +
                                                describe_length(*mail.ends_at - *mail.starts_at, in)});
    if (mail.previous_starts_at) facts.push_back({in.mail.before, describe_time(*mail.previous_starts_at, zone, in)});
    add_subject_matter(facts, mail, in);
    return facts;
}

// What a kind of mail says to the candidate.
struct kind_words {
    kind about;
    std::string_view mail_words::*subject;
    std::string_view mail_words::*news;
    std::string_view mail_words::*link;
};
constexpr std::array<kind_words, 6> kinds = {{
    {kind::confirmed, &mail_words::confirmed_subject, &mail_words::confirmed, &mail_words::manage_link},
    {kind::rescheduled, &mail_words::rescheduled_subject, &mail_words::rescheduled, &mail_words::manage_link},
    {kind::canceled, &mail_words::canceled_subject, &mail_words::canceled, &mail_words::rebook_link},
    {kind::slot_taken, &mail_words::slot_taken_subject, &mail_words::slot_taken, &mail_words::pick_link},
    {kind::already_booked, &mail_words::already_booked_subject, &mail_words::already_booked, &mail_words::manage_link},
    {kind::declined, &mail_words::declined_subject, &mail_words::declined, &mail_words::pick_link},
}};

// Whether the mail is about an interview that is booked, rather than about one that was or was asked for.
bool takes_place(kind about) noexcept {
    return about == kind::confirmed || about == kind::rescheduled || about == kind::already_booked;
}

std::vector<fact> candidate_facts(outbox_mail const& mail, std::string const& join_link, words const& in) {
    if (mail.about == kind::slot_taken) {
        std::vector<fact> facts;
        if (mail.wanted_starts_at)
            facts.push_back({in.mail.taken, describe_time(*mail.wanted_starts_at, mail.time_zone, in)});
        add_subject_matter(facts, mail, in);
        return facts;
    }
    auto facts = facts_of(mail, mail.time_zone, in);
    if (!takes_place(mail.about)) return facts;
    if (!mail.interviewer_name.empty()) facts.push_back({in.interview.with, mail.interviewer_name});
    facts.push_back({in.mail.join, join_link, true});
    return facts;
}

letter candidate_letter(outbox_mail const& mail, letter_links const& links, bool replies_are_read) {
    auto const& in = reader_words(mail);
    auto const& say = in.mail;
    auto const& texts = kinds.at(static_cast<std::size_t>(mail.about));
    letter out{in.language, say.label_end, fill(say.*texts.subject, {{"job", mail.job_title}}), {}};
    add(out, mail.candidate_name.empty() ? std::string(say.hello_unnamed)
                                         : fill(say.hello, {{"name", mail.candidate_name}}));
    add(out, fill(say.*texts.news, {{"organization", mail.organization_name}, {"job", mail.job_title}}));
    out.blocks.emplace_back(candidate_facts(mail, links.join, in));
    if (takes_place(mail.about)) add(out, std::string(say.join_note));
    out.blocks.emplace_back(link{say.*texts.link, links.manage});
    auto const until = describe_time(links.expires_at, mail.time_zone, in);
    add(out, fill(say.link_note, {{"time", until}}));
    if (mail.about == kind::confirmed || mail.about == kind::rescheduled) add(out, std::string(say.invitation_note));
    add(out, mail.organization_name);
    if (!replies_are_read) add(out, std::string(say.automatic_note));
    return out;
}

std::string interviewer_news(outbox_mail const& mail) {
    auto const interview = "interview with " + mail.candidate_name + " for " + mail.job_title;
    switch (mail.about) {
    case kind::rescheduled: return "Your " + interview + " has been moved to another time by the candidate.";
    case kind::canceled: return "Your " + interview + " has been canceled. The time is free again.";
    case kind::declined:
        return "You have declined your " + interview +
               ". The candidate is asked to choose another time, and you are not offered at this time again.";
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
    if (mail.about == kind::declined) return "Declined: " + what;
    return "New: " + what;
}

letter interviewer_letter(outbox_mail const& mail, letter_links const& links) {
    auto const& in = reader_words(mail);
    letter out{in.language, in.mail.label_end, interviewer_subject(mail), {}};
    add(out, mail.interviewer_name.empty() ? "Hello," : "Hello " + mail.interviewer_name + ",");
    add(out, interviewer_news(mail));
    auto facts = facts_of(mail, mail.organization_time_zone, in);
    facts.push_back({"Candidate", mail.candidate_name});
    bool const has_links = takes_place(mail.about);
    if (has_links) facts.push_back({in.mail.join, links.join, true});
    out.blocks.emplace_back(std::move(facts));
    if (has_links && !mail.has_meeting_url)
        add(out, "The address of the meeting is not set yet, so this link leads nowhere. Please have the address set.");
    if (has_links) out.blocks.emplace_back(link{"Decline the interview", links.decline});
    add(out, mail.organization_name);
    return out;
}

std::optional<mail::calendar_method> method_of(outbox_mail const& row) {
    switch (row.about) {
    case kind::confirmed:
    case kind::rescheduled: return mail::calendar_method::request;
    case kind::canceled:
    case kind::declined: return mail::calendar_method::cancel;
    case kind::slot_taken:
    case kind::already_booked: return std::nullopt; // nothing new for a calendar
    }
    return std::nullopt;
}

// Everybody is invited by the organization, so nobody learns another's address. A calendar is often shared: it holds no
// link that changes the interview, only the one that joins it.
mail::calendar_event event_of(outbox_mail const& row, mail::message const& to_send, mail_settings const& settings,
                              std::string const& join_link) {
    bool const for_candidate = row.to == audience::candidate;
    mail::calendar_event event;
    event.method = to_send.method;
    event.uid = mail::event_uid(row.calendar_uid, settings.public_url);
    event.sequence = static_cast<int>(row.sequence);
    event.stamp = row.created_at;
    event.starts_at = *row.starts_at;
    event.ends_at = *row.ends_at;
    describe_interview(event,
                       {for_candidate ? row.organization_name : row.candidate_name, row.job_title, row.stage_name},
                       takes_place(row.about) ? join_link : std::string(), reader_words(row));
    event.organizer = mail::calendar_person{to_send.from.name, to_send.from.email};
    event.attendee = mail::calendar_person{to_send.to.name, to_send.to.email};
    return event;
}

} // namespace

std::variant<unsendable, mail::message> compose(opened_mail const& opened, mail_settings const& settings,
                                                link_tokens const& tokens) {
    auto const& row = opened.mail;
    bool const for_candidate = row.to == audience::candidate;
    mail::message out;
    out.to = for_candidate ? mail::mailbox{row.candidate_name, row.candidate_email}
                           : mail::mailbox{row.interviewer_name, row.interviewer_email};
    if (out.to.email.empty()) return unsendable{"the recipient is gone"};
    if (!mail::is_address(out.to.email)) return unsendable{"the recipient's address is none"};
    if (takes_place(row.about) && row.ends_at && *row.ends_at <= row.now) return unsendable{"the interview is over"};
    out.from = *settings.from;
    if (out.from.name.empty()) out.from.name = row.organization_name;
    out.reply_to = settings.reply_to;
    out.message_id = to_string(row.id) + "@" + out.from.email.substr(out.from.email.rfind('@') + 1);
    out.date = row.now;
    auto const pages = settings.public_url + "/interviews/";
    letter_links const links{pages + tokens.manage, pages + tokens.decline + "/decline",
                             pages + join_token_of(tokens.manage) + "/join", opened.link_expires_at.value_or(row.now)};
    auto const letter =
        for_candidate ? candidate_letter(row, links, settings.reply_to.has_value()) : interviewer_letter(row, links);
    out.subject = letter.subject;
    out.text = to_text(letter);
    out.html = to_html(letter);
    auto const method = method_of(row);
    if (!method || !row.starts_at || !row.ends_at) return out;
    out.method = *method;
    out.calendar = to_icalendar(event_of(row, out, settings, links.join));
    return out;
}

} // namespace recruiting::auth_api::mailing
