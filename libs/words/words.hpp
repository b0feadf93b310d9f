// Every word that people read, in five languages: of the pages, the widgets, the interview's page and the candidates'
// mails. One table a language; names in braces stand for values (fill, below). Pure.
#pragma once
#include "core/time.hpp"
#include "mail/calendar.hpp"

#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace recruiting {

struct time_words {
    std::array<std::string_view, 7> weekdays; // Sunday first
    std::array<std::string_view, 12> months;
    std::string_view first_of_month; // the first day's number
    std::string_view day;
    std::string_view moment;
    std::string_view zone;
    std::string_view moment_in_zone;
    std::string_view length;
};

/// The page of the e-mailed link, and where the join link says why it leads nowhere.
struct interview_words {
    std::string_view booked, canceled, unplaced, over, begun; // headings
    std::string_view notice_booked, notice_unchanged, notice_canceled, notice_taken, notice_not_offered, notice_closed,
        notice_choose;
    std::string_view not_free, declined;
    std::string_view when, asked_for, duration, with, job, stage;
    std::string_view join, add_to_calendar;
    std::string_view other_times, times, no_times, times_zone;
    std::string_view move, book, cancel, cancel_frees, cancel_keeps, cancel_confirm;
    std::string_view closed;
    std::string_view dead_link, dead_link_text;
    std::string_view join_opens, join_not_set, join_moved, join_canceled;
};

/// The page on which an interviewer declines.
struct decline_words {
    std::string_view question, effect, confirm;
    std::string_view declined, declined_text, repeated;
    std::string_view moved, moved_text;
    std::string_view canceled, begun;
};

/// What candidates are sent.
struct mail_words {
    std::string_view label_end; // after "When"
    std::string_view hello, hello_unnamed;
    std::string_view confirmed_subject, rescheduled_subject, canceled_subject, slot_taken_subject,
        already_booked_subject, declined_subject;
    std::string_view confirmed, rescheduled, canceled, slot_taken, already_booked, declined;
    std::string_view before, taken, join;
    std::string_view manage_link, rebook_link, pick_link;
    std::string_view link_note, join_note, invitation_note, automatic_note;
    std::string_view calendar_file;
    std::string_view event_title, event_stage, event_join, event_change, event_decline; // of the calendar's entry
};

struct words {
    std::string_view language; // as in <html lang>
    std::string_view skip;
    // what is published
    std::string_view positions, jobs_one, jobs_other, no_jobs, no_match, all_of;
    std::string_view filter, search, searched, department, location, workplace, employment, all, clear, show, more,
        previous, next, pages;
    std::string_view published, closes, view, apply, original, invited, without_script;
    // values of the API (word_for)
    std::string_view on_site, hybrid, remote;
    std::string_view full_time, part_time, contract, temporary, internship, other;
    std::string_view per_hour, per_day, per_week, per_month, per_year, from, up_to; // of a salary
    // pages instead of what was asked for
    std::string_view not_found, not_found_text, unavailable, unavailable_text, refused, refused_text, request;
    // asking for an interview
    std::string_view book, lengths, choose_day, choose_time, more_days, zone, email, email_hint, submit;
    std::string_view sending, no_slots, closed, gone, no_time, bad_email, refused_booking, not_sent, unknown, thanks,
        confirmed, confirmed_hint, requested, another;
    // a script that waits for an answer
    std::string_view loading, retry, failed, offline, waiting, limited;
    time_words time;
    interview_words interview;
    decline_words decline;
    mail_words mail;
};

/// One a language, English first.
[[nodiscard]] std::span<words const> all_words() noexcept;
/// The wording for a language tag (BCP 47) such as "de" or "de-CH"; null where it is none of ours.
[[nodiscard]] words const* find_words(std::string_view tag) noexcept;
/// The same; English for any other.
[[nodiscard]] words const& words_for(std::string_view tag) noexcept;
/// What an Accept-Language field asks for (RFC 9110 section 12.5.4) among ours: the highest quality, then the first.
/// `otherwise`, a language tag, counts where the field names none of ours.
[[nodiscard]] words const& requested_words(std::string_view accept_language,
                                           std::string_view otherwise = "en") noexcept;

/// An API's value ("full_time", "remote", …) in words; itself when it is none of ours.
[[nodiscard]] std::string_view word_for(words const& in, std::string_view value) noexcept;

/// A text and the name it has here, for scripts that say the same as the pages.
struct named_word {
    std::string_view name;
    std::string_view words::*text;
};
/// Those that scripts of pages and widgets use, the API's values among them.
[[nodiscard]] std::span<named_word const> script_words() noexcept;

// Puts values into a text: {name} becomes the value of that name. A value's own braces stay as they are. Pure.
struct named_value {
    std::string_view name;
    std::string_view value;
};
/// What stands in braces and is no name given stays as it is.
[[nodiscard]] std::string fill(std::string_view text, std::initializer_list<named_value> values);

// Times and interviews as people read them: in their language and time zone. Pure.

struct moment_text {
    std::string text; // "Tuesday, 24 November 2026, 10:00"
    std::string zone; // "Europe/Berlin, UTC+01:00"
};
/// In UTC where the zone is not known here.
[[nodiscard]] moment_text describe_moment(timestamp time, std::string const& zone, words const& in);
/// "Tuesday, 24 November 2026, 10:00 (Europe/Berlin, UTC+01:00)"
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
/// Each is "" where there is none.
struct interview_links {
    std::string join;
    std::string manage;  // the candidate's; like the next, it makes the entry private
    std::string decline; // the interviewer's
};
void describe_interview(mail::calendar_event& event, interview_names const& of, interview_links const& links,
                        words const& in);

} // namespace recruiting
