#include "auth_api/background/mail/compose.hpp"

#include "auth_api/background/mail/letter.hpp"
#include "crypto/digest.hpp"
#include "mail/address.hpp"
#include "mail/calendar.hpp"
#include "mail/meeting_url.hpp"
#include "words/names.hpp"
#include "words/words.hpp"

#include <array>
#include <chrono>
#include <string_view>
#include <vector>

namespace recruiting::auth_api::mailing {
namespace {

using namespace std::chrono_literals;

// In mails written less than this before the interview, its join link is the button.
constexpr auto join_first = 1h;

struct letter_links {
    std::string manage;  // where the candidate moves or cancels the interview; in no letter to an interviewer
    std::string decline; // where the interviewer declines it; in no letter to a candidate
    std::string join;
    std::string calendar_file; // the reader's own
    std::string booking;       // the interview in the console, for the interviewer; "": there is none
    timestamp expires_at;
};

words const& reader_words(outbox_mail const& mail) noexcept {
    return words_for(mail.to == audience::candidate ? std::string_view(mail.language) : interviewers_language);
}

void add(letter& to, std::string text) { to.blocks.emplace_back(paragraph{std::move(text)}); }
void add_note(letter& to, std::string_view text) { to.blocks.emplace_back(paragraph{std::string(text), true}); }
void add_link(letter& to, std::string_view text, std::string const& address) {
    to.blocks.emplace_back(main_link{{text, address}});
}

bool is_soon(outbox_mail const& mail) { return mail.starts_at && *mail.starts_at - mail.now < join_first; }

// The button is the reader's next step: the calendar entry and, shortly before the interview, the join link.
void add_next_step(letter& to, outbox_mail const& mail, letter_links const& at, words const& in) {
    if (is_soon(mail)) add_link(to, in.interview.join, at.join);
    else add_link(to, in.interview.add_to_calendar, at.calendar_file);
}

letter begin_letter(outbox_mail const& mail, words const& in, std::string subject) {
    letter out;
    out.language = in.language;
    out.label_end = in.mail.label_end;
    out.subject = std::move(subject);
    out.from = {mail.organization_name, mail.logo_url, mail.accent_color};
    out.footer.push_back(mail.organization_name);
    return out;
}

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
constexpr std::array<kind_words, 7> kinds = {{
    {kind::confirmed, &mail_words::confirmed_subject, &mail_words::confirmed, &mail_words::manage_link},
    {kind::rescheduled, &mail_words::rescheduled_subject, &mail_words::rescheduled, &mail_words::manage_link},
    {kind::handed_over, &mail_words::handed_over_subject, &mail_words::handed_over, &mail_words::manage_link},
    {kind::canceled, &mail_words::canceled_subject, &mail_words::canceled, &mail_words::rebook_link},
    {kind::slot_taken, &mail_words::slot_taken_subject, &mail_words::slot_taken, &mail_words::pick_link},
    {kind::already_booked, &mail_words::already_booked_subject, &mail_words::already_booked, &mail_words::manage_link},
    {kind::declined, &mail_words::declined_subject, &mail_words::declined, &mail_words::pick_link},
}};

// Whether the mail is about an interview that is booked, rather than about one that was or was asked for.
bool takes_place(kind about) noexcept {
    return about == kind::confirmed || about == kind::rescheduled || about == kind::handed_over ||
           about == kind::already_booked;
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
    if (mail.about == kind::declined && !facts.empty()) facts.front().label = in.mail.before;
    if (!takes_place(mail.about)) return facts;
    if (!mail.interviewer_name.empty()) facts.push_back({in.interview.with, mail.interviewer_name});
    facts.push_back({in.mail.join, join_link, in.interview.join});
    return facts;
}

// Google and Microsoft learn what is in a link to their calendars: nothing that changes the interview.
links calendar_choices(outbox_mail const& mail, letter_links const& at, words const& in) {
    mail::calendar_event event;
    event.starts_at = *mail.starts_at;
    event.ends_at = *mail.ends_at;
    describe_interview(event, {mail.organization_name, mail.job_title, mail.stage_name}, {at.join, {}, {}}, in);
    auto const web = mail::links_to_add(event);
    links out{{}, {{"Google Calendar", web.google}, {"Outlook.com", web.outlook}, {"Microsoft 365", web.office_365}}};
    if (is_soon(mail)) { // otherwise the button above says so and leads to the file
        out.label = in.interview.add_to_calendar;
        out.choices.push_back({in.mail.calendar_file, at.calendar_file});
    }
    return out;
}

// Of an interview that is booked. Changing it comes last, and quietly.
void add_candidate_links(letter& to, outbox_mail const& mail, letter_links const& at, words const& in) {
    add_note(to, in.mail.join_note);
    add_next_step(to, mail, at, in);
    if (mail.starts_at && mail.ends_at) to.blocks.emplace_back(calendar_choices(mail, at, in));
    to.blocks.emplace_back(links{{}, {{in.mail.manage_link, at.manage}}});
}

letter candidate_letter(outbox_mail const& mail, letter_links const& at, bool replies_are_read) {
    auto const& in = reader_words(mail);
    auto const& say = in.mail;
    auto const& texts = kinds.at(static_cast<std::size_t>(mail.about));
    bool const is_invitation = takes_place(mail.about) && mail.about != kind::already_booked;
    auto out = begin_letter(mail, in, fill(say.*texts.subject, {{"job", mail.job_title}}));
    add(out, mail.candidate_name.empty() ? std::string(say.hello_unnamed)
                                         : fill(say.hello, {{"name", mail.candidate_name}}));
    add(out, fill(say.*texts.news, {{"organization", mail.organization_name}, {"job", mail.job_title}}));
    auto facts = candidate_facts(mail, at.join, in);
    out.preview = facts.front().value;
    out.blocks.emplace_back(std::move(facts));
    if (takes_place(mail.about)) add_candidate_links(out, mail, at, in);
    else add_link(out, say.*texts.link, at.manage);
    add_note(out, fill(say.link_note, {{"time", describe_time(at.expires_at, mail.time_zone, in)}}));
    if (is_invitation) add_note(out, say.invitation_note);
    if (!replies_are_read) out.footer.emplace_back(say.automatic_note);
    return out;
}

std::string interviewer_news(outbox_mail const& mail) {
    auto const interview = "interview with " + candidate_in_mail(mail.candidate_name) + " for " + mail.job_title;
    switch (mail.about) {
    case kind::rescheduled: return "Your " + interview + " has been moved to another time.";
    case kind::canceled: return "Your " + interview + " has been canceled. The time is free again.";
    case kind::declined:
        return "You have declined your " + interview +
               ". The candidate is asked to choose another time, and you are not offered at this time again.";
    case kind::confirmed:
    case kind::handed_over: // to candidates alone
    case kind::slot_taken:
    case kind::already_booked: return "You have an " + interview + ".";
    }
    return "";
}

std::string interviewer_subject(outbox_mail const& mail) {
    auto const what = "interview with " + candidate_in_mail(mail.candidate_name) + ", " + mail.job_title;
    if (mail.about == kind::rescheduled) return "Moved: " + what;
    if (mail.about == kind::canceled) return "Canceled: " + what;
    if (mail.about == kind::declined) return "Declined: " + what;
    return "New: " + what;
}

letter interviewer_letter(outbox_mail const& mail, letter_links const& at) {
    auto const& in = reader_words(mail);
    auto out = begin_letter(mail, in, interviewer_subject(mail));
    add(out, mail.interviewer_name.empty() ? "Hello," : "Hello " + mail.interviewer_name + ",");
    add(out, interviewer_news(mail));
    auto facts = facts_of(mail, mail.organization_time_zone, in);
    out.preview = facts.front().value;
    if (!mail.candidate_name.empty()) facts.push_back({"Candidate", mail.candidate_name});
    bool const has_links = takes_place(mail.about);
    if (has_links) facts.push_back({in.mail.join, at.join, in.interview.join});
    out.blocks.emplace_back(std::move(facts));
    if (!has_links) return out;
    if (!mail.has_meeting_url)
        add(out, "The address of the meeting is not set yet, so this link leads nowhere. Please have the address set.");
    add_next_step(out, mail, at, in);
    links others;
    if (!at.booking.empty()) others.choices.push_back({"See the candidate", at.booking});
    others.choices.push_back({"Decline the interview", at.decline});
    out.blocks.emplace_back(std::move(others));
    add_note(out,
             "Declining cancels the interview: the candidate is asked to choose another time, and you are not "
             "offered at this time again. The link to decline is yours alone and works until the interview begins.");
    add_note(out, "The attached invitation puts the interview into your calendar. Its entry also holds the link to "
                  "decline and is marked private.");
    return out;
}

std::optional<mail::calendar_method> method_of(outbox_mail const& row) {
    switch (row.about) {
    case kind::confirmed:
    case kind::rescheduled:
    case kind::handed_over: return mail::calendar_method::request;
    case kind::canceled:
    case kind::declined: return mail::calendar_method::cancel;
    case kind::slot_taken:
    case kind::already_booked: return std::nullopt; // nothing new for a calendar
    }
    return std::nullopt;
}

// Everybody is invited by the organization, so nobody learns another's address. The event holds the links of its
// reader, so it is private: calendars are often shared.
mail::calendar_event event_of(outbox_mail const& row, mail::message const& to_send, mail_settings const& settings,
                              letter_links const& at) {
    bool const for_candidate = row.to == audience::candidate;
    mail::calendar_event event;
    event.method = to_send.method;
    event.uid = mail::event_uid(row.calendar_uid, settings.public_url);
    event.sequence = static_cast<int>(row.sequence);
    event.stamp = row.created_at;
    event.starts_at = *row.starts_at;
    event.ends_at = *row.ends_at;
    interview_links own;
    if (takes_place(row.about)) own = {at.join, for_candidate ? at.manage : "", for_candidate ? "" : at.decline};
    auto const with = for_candidate ? row.organization_name : candidate_in_mail(row.candidate_name);
    describe_interview(event, {with, row.job_title, row.stage_name}, own, reader_words(row));
    event.organizer = mail::calendar_person{to_send.from.name, to_send.from.email};
    event.attendee = mail::calendar_person{to_send.to.name, to_send.to.email};
    return event;
}

} // namespace

std::variant<unsendable, mail::message> compose(opened_mail const& opened, mail_settings const& settings,
                                                link_tokens const& tokens) {
    auto row = opened.mail;
    row.candidate_name = name_in_mail(row.candidate_name);
    row.interviewer_name = name_in_mail(row.interviewer_name);
    bool const for_candidate = row.to == audience::candidate;
    mail::message out;
    auto const& typed = for_candidate ? row.candidate_email : row.interviewer_email;
    if (typed.empty()) return unsendable{"the recipient no longer exists"};
    auto const to = mail::parse_address(typed);
    if (!to) return unsendable{"the recipient's address is not valid"};
    out.to = mail::mailbox{for_candidate ? row.candidate_name : row.interviewer_name, to->mailbox};
    if (takes_place(row.about) && row.ends_at && *row.ends_at <= row.now) return unsendable{"the interview is over"};
    out.from = *settings.from;
    if (out.from.name.empty()) out.from.name = row.organization_name;
    out.reply_to = settings.reply_to;
    out.message_id = to_string(row.id) + "@" + out.from.email.substr(out.from.email.rfind('@') + 1);
    out.date = row.now;
    auto const pages = settings.public_url + "/interviews/";
    letter_links at;
    at.manage = pages + tokens.manage;
    at.decline = pages + tokens.decline + "/decline";
    auto const join_token = join_token_of(tokens.manage);
    at.join = pages + join_token + "/join";
    at.calendar_file = for_candidate ? at.manage + "/invite.ics" : at.decline + "/invite.ics?join=" + join_token;
    if (settings.has_console)
        at.booking = settings.public_url + "/console/interviews/bookings/" + to_string(row.booking);
    at.expires_at = opened.link_expires_at.value_or(row.now);
    auto const letter =
        for_candidate ? candidate_letter(row, at, settings.reply_to.has_value()) : interviewer_letter(row, at);
    out.subject = letter.subject;
    out.text = to_text(letter);
    out.html = to_html(letter);
    auto const method = method_of(row);
    if (!method || !row.starts_at || !row.ends_at) return out;
    out.method = *method;
    out.calendar = to_icalendar(event_of(row, out, settings, at));
    return out;
}

} // namespace recruiting::auth_api::mailing
