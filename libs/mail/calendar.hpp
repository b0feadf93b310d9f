// One event for calendars: as iCalendar text (RFC 5545, RFC 5546: CRLF, folded at 75 octets, UTC times, every text
// escaped), and as links that open a web calendar with the event filled in. Pure.
#pragma once
#include "core/ids.hpp"
#include "core/time.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace recruiting::mail {

enum class calendar_method { publish, request, cancel };
/// "REQUEST": as the calendar says it, and the type of the mail's part that holds it.
[[nodiscard]] std::string_view to_string(calendar_method method) noexcept;

struct calendar_person {
    std::string name;
    std::string email;
};

struct calendar_event {
    calendar_method method{calendar_method::publish};
    std::string uid;
    int sequence{0};
    timestamp stamp; // when this version was made
    timestamp starts_at;
    timestamp ends_at;
    std::string summary;
    std::string description;
    std::string location;                     // may be empty
    std::string url;                          // may be empty
    bool is_private{false};                   // it holds a link that changes the interview; calendars are shared
    std::optional<calendar_person> organizer; // of request and cancel
    std::optional<calendar_person> attendee;
};

/// "20261124T090000Z"; fractions of a second are not written (RFC 5545 section 3.3.5).
[[nodiscard]] std::string calendar_time(timestamp time);

/// An interview's UID, the same in mails and downloads: calendar_uid "@" the host of public_url.
[[nodiscard]] std::string event_uid(uuid const& calendar_uid, std::string_view public_url);

[[nodiscard]] std::string to_icalendar(calendar_event const& event);

/// "Add to calendar".
struct calendar_links {
    std::string google;
    std::string outlook;    // Outlook.com
    std::string office_365; // calendars of companies and schools
};
/// The links hold summary, description, location and times, and the calendar's provider reads them. The description
/// of a private event is left out, for it holds a secret.
[[nodiscard]] calendar_links links_to_add(calendar_event const& event);

} // namespace recruiting::mail
