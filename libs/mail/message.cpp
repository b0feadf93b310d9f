#include "mail/message.hpp"

#include "core/text.hpp"
#include "mail/address.hpp"
#include "mail/encodings.hpp"

#include <array>
#include <vector>

namespace recruiting::mail {
namespace {

// "Tue, 24 Nov 2026 09:00:00 +0000"
std::string date_of(timestamp time) {
    using namespace std::chrono;
    constexpr std::array<char const*, 7> days_of_week{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    constexpr std::array<char const*, 12> months_of_year{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    auto const day = floor<days>(time);
    year_month_day const date{day};
    auto const text = format_time(time);
    return std::string(days_of_week[weekday{day}.c_encoding()]) + ", " + text.substr(8, 2) + " " +
           months_of_year[static_cast<unsigned>(date.month()) - 1] + " " + text.substr(0, 4) + " " +
           text.substr(11, 8) + " +0000";
}

// The address stands on a line of its own after a long name. parse_address lets no control through; an address that was
// not checked loses them here.
std::string address_field(std::string_view name, mailbox const& person) {
    auto const named = phrase(person.name);
    auto const out = std::string(name) + ": " + named;
    return out + (named.empty() ? "<" : "\r\n <") + harmless_line(person.email) + ">\r\n";
}

// Neither base64 nor quoted-printable can hold "=_", and no other mail's parts are parted by the same.
std::string boundary_of(message const& mail, std::string_view level) {
    std::string out = "=_" + std::string(level) + "_";
    for (char const c : mail.message_id.substr(0, mail.message_id.find('@'))) {
        if (is_alphanumeric(c) && out.size() < 60) out += c;
    }
    return out;
}

std::string part(std::string_view type, std::string_view encoding, std::string_view content) {
    return "Content-Type: " + std::string(type) + "\r\nContent-Transfer-Encoding: " + std::string(encoding) +
           "\r\n\r\n" + std::string(content);
}

std::string multipart(std::string_view kind, std::string const& boundary, std::vector<std::string> const& parts) {
    auto out = "Content-Type: multipart/" + std::string(kind) + ";\r\n boundary=\"" + boundary + "\"\r\n\r\n";
    for (auto const& one : parts) out += "--" + boundary + "\r\n" + one + "\r\n";
    return out + "--" + boundary + "--\r\n";
}

// Gmail and Outlook take an invitation from the alternative, Apple Mail and people from the attachment.
std::string content_of(message const& mail) {
    std::vector<std::string> alternatives{
        part("text/plain; charset=utf-8", "quoted-printable", to_quoted_printable(harmless_text(mail.text))),
        part("text/html; charset=utf-8", "quoted-printable", to_quoted_printable(harmless_text(mail.html)))};
    auto const inner = boundary_of(mail, "alternative");
    if (mail.calendar.empty()) return multipart("alternative", inner, alternatives);
    auto const calendar = to_base64_lines(mail.calendar);
    alternatives.push_back(
        part("text/calendar; charset=utf-8; method=" + std::string(to_string(mail.method)), "base64", calendar));
    auto const attached = part("application/ics; name=\"invite.ics\"\r\n"
                               "Content-Disposition: attachment; filename=\"invite.ics\"",
                               "base64", calendar);
    return multipart("mixed", boundary_of(mail, "mixed"), {multipart("alternative", inner, alternatives), attached});
}

} // namespace

std::optional<mailbox> parse_mailbox(std::string_view text) {
    text = trim(text);
    if (auto parsed = parse_address(text)) return mailbox{{}, std::move(parsed->mailbox)};
    if (!text.ends_with('>')) return std::nullopt;
    auto const open = text.rfind('<');
    if (open == std::string_view::npos) return std::nullopt;
    auto parsed = parse_address(text.substr(open + 1, text.size() - open - 2));
    if (!parsed) return std::nullopt;
    return mailbox{harmless_line(unquoted(trim(text.substr(0, open)))), std::move(parsed->mailbox)};
}

std::string to_mime(message const& mail) {
    std::string out = "Date: " + date_of(mail.date) + "\r\n";
    out += address_field("From", mail.from);
    out += address_field("To", mail.to);
    if (mail.reply_to) out += address_field("Reply-To", *mail.reply_to);
    out += text_field("Subject", mail.subject);
    out += "Message-ID: <" + harmless_line(mail.message_id) + ">\r\n";
    // No machine is to answer a machine (RFC 3834 section 5); the second line is what Exchange asks for.
    out += "Auto-Submitted: auto-generated\r\nX-Auto-Response-Suppress: All\r\n";
    out += "MIME-Version: 1.0\r\n";
    return out + content_of(mail);
}

} // namespace recruiting::mail
