#include "auth_api/background/mail/compose.hpp"

#include "auth_api/background/mail/letters.hpp"
#include "crypto/digest.hpp"
#include "mail/address.hpp"
#include "words/describe.hpp"

namespace recruiting::auth_api::mailing {
namespace {

std::optional<mail::calendar_method> method_of(outbox_mail const& row) {
    switch (row.about) {
    case kind::confirmed:
    case kind::rescheduled: return mail::calendar_method::request;
    case kind::canceled: return mail::calendar_method::cancel;
    case kind::slot_taken:
    case kind::already_booked: return std::nullopt; // nothing new for a calendar
    }
    return std::nullopt;
}

bool speaks_of_an_interview_to_come(outbox_mail const& row) {
    return row.about == kind::confirmed || row.about == kind::rescheduled || row.about == kind::already_booked;
}

mail::mailbox recipient_of(outbox_mail const& row) {
    if (row.to == audience::candidate) return {row.candidate_name, row.candidate_email};
    return {row.interviewer_name, row.interviewer_email};
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
                       row.about == kind::canceled ? std::string() : join_link, reader_words(row));
    event.organizer = mail::calendar_person{to_send.from.name, to_send.from.email};
    event.attendee = mail::calendar_person{to_send.to.name, to_send.to.email};
    return event;
}

std::string domain_of(std::string const& email) { return email.substr(email.rfind('@') + 1); }

} // namespace

std::variant<unsendable, mail::message> compose(opened_mail const& opened, mail_settings const& settings,
                                                std::string const& token) {
    auto const& row = opened.mail;
    mail::message out;
    out.to = recipient_of(row);
    if (out.to.email.empty()) return unsendable{"the recipient is gone"};
    if (!mail::is_address(out.to.email)) return unsendable{"the recipient's address is none"};
    if (speaks_of_an_interview_to_come(row) && row.ends_at && *row.ends_at <= row.now)
        return unsendable{"the interview is over"};
    out.from = *settings.from;
    if (out.from.name.empty()) out.from.name = row.organization_name;
    out.reply_to = settings.reply_to;
    out.message_id = to_string(row.id) + "@" + domain_of(out.from.email);
    out.date = row.now;
    auto const pages = settings.public_url + "/interviews/";
    letter_links const links{pages + token, pages + join_token_of(token) + "/join",
                             opened.link_expires_at.value_or(row.now)};
    auto const letter = write_letter(row, links, settings.reply_to.has_value());
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
