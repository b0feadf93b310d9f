// One e-mail as text (RFC 5322, MIME): plain text, HTML and an iCalendar part. Header injection by names, titles and
// addresses is impossible: controls are dropped, and what is not plain ASCII is encoded (RFC 2047). Pure.
#pragma once
#include "core/time.hpp"
#include "mail/calendar.hpp"

#include <optional>
#include <string>

namespace recruiting::mail {

struct mailbox {
    std::string name;  // may be empty
    std::string email; // address::mailbox: the domain in A-labels
};
/// "Name <a@b>", "<a@b>" or "a@b"; nullopt: none of them.
[[nodiscard]] std::optional<mailbox> parse_mailbox(std::string_view text);

struct message {
    mailbox from;
    mailbox to;
    std::optional<mailbox> reply_to;
    std::string subject;
    std::string message_id; // "local@domain", without brackets; the same at every attempt
    timestamp date;
    std::string text;
    std::string html;
    std::string calendar; // an iCalendar object, or empty
    calendar_method method{calendar_method::request};
};

/// CRLF line ends; no line is longer than 998 octets.
[[nodiscard]] std::string to_mime(message const& mail);

} // namespace recruiting::mail
