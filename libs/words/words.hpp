// Every word that people read, in six languages: of the pages, the widgets, the interview's page and the mails to
// candidates and members. Only the console's pages have their own (auth_api/console/web/src/i18n), in the same
// languages. One file per language (en.json, …), of which cmake/texts.cmake makes struct words; names in braces stand
// for values (fill, below). The group "script" is also for the scripts of pages and widgets and has the API's values;
// "member" has what only mails to members say. time.weekdays begins with Sunday, time.first_of_month is the first day's
// number, mail.label_end follows "When". Pure.
#pragma once
#include "core/time.hpp"
#include "mail/calendar.hpp"
#include "words_table.hpp"

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace recruiting {

/// One a language, English first.
[[nodiscard]] std::span<words const> all_words() noexcept;
/// The wording for a language tag (BCP 47) such as "de" or "de-CH"; null where it is none of ours.
[[nodiscard]] words const* find_words(std::string_view tag) noexcept;
/// The wording for a language tag; English where it is none of ours.
[[nodiscard]] words const& words_for(std::string_view tag) noexcept;
/// What an Accept-Language field asks for (RFC 9110 section 12.5.4) among ours: the highest quality, then the first.
/// `otherwise`, a language tag, counts where the field names none of ours.
[[nodiscard]] words const& requested_words(std::string_view accept_language,
                                           std::string_view otherwise = "en") noexcept;

/// An API's value ("full_time", "remote", …) in words; itself when it is none of ours.
[[nodiscard]] std::string_view word_for(words const& in, std::string_view value) noexcept;

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
/// The zone has its current name. In UTC where the zone is not known here.
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
