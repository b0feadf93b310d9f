#include "mail/calendar.hpp"

#include "core/text.hpp"
#include "core/url.hpp"
#include "mail/encodings.hpp"

#include <algorithm>

namespace recruiting::mail {
namespace {

constexpr std::size_t content_line_limit = 75; // octets, without the line's end (RFC 5545 section 3.1)

// A continuation's space counts as one of its octets; no character is split.
void append_line(std::string& out, std::string_view line) {
    std::size_t used = 0;
    while (!line.empty()) {
        auto const size = std::max<std::size_t>(first_character(line).size, 1);
        if (used + size > content_line_limit) {
            out += "\r\n ";
            used = 1;
        }
        out += line.substr(0, size);
        line.remove_prefix(size);
        used += size;
    }
    out += "\r\n";
}

// RFC 5545 section 3.3.11
std::string escaped(std::string_view text) {
    std::string out;
    for (char const c : harmless_text(text)) {
        if (c == '\\' || c == ';' || c == ',') out += '\\';
        if (c == '\n') out += "\\n";
        else out += c;
    }
    return out;
}

// A parameter's value can hold no quotation mark, and "^" begins an escape there (RFC 6868).
std::string quoted_parameter(std::string_view text) {
    std::string out = "\"";
    for (char const c : harmless_line(text)) {
        if (c == '^') out += '^';
        out += c == '"' ? '\'' : c;
    }
    return out + "\"";
}

// Characters that this part of a URI may hold stay unescaped: readers compare addresses as text.
std::string uri(std::string_view text, std::string_view plain) {
    std::string out;
    for (char const c : text) {
        if (plain.find(c) != std::string_view::npos) out += c;
        else out += percent_encode(std::string_view(&c, 1));
    }
    return out;
}

std::string mailto(std::string_view address) { return "mailto:" + uri(address, "@!$'*+,:"); } // RFC 6068 section 2

void append_text(std::string& out, std::string_view property, std::string_view text) {
    if (auto const value = escaped(text); !value.empty()) append_line(out, std::string(property) + ":" + value);
}

void append_person(std::string& out, std::string line, calendar_person const& person) {
    if (!harmless_line(person.name).empty()) line += ";CN=" + quoted_parameter(person.name);
    append_line(out, line + ":" + mailto(person.email));
}

// A publication has no attendees (RFC 5546 section 3.2.1). The others expect no reply, because nothing would read it.
void append_people(std::string& out, calendar_event const& event) {
    if (event.organizer) append_person(out, "ORGANIZER", *event.organizer);
    if (!event.attendee || event.method == calendar_method::publish) return;
    append_person(out, "ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=FALSE",
                  *event.attendee);
}

void append_event(std::string& out, calendar_event const& event) {
    append_line(out, "BEGIN:VEVENT");
    append_text(out, "UID", event.uid);
    append_line(out, "DTSTAMP:" + calendar_time(event.stamp));
    append_line(out, "DTSTART:" + calendar_time(event.starts_at));
    append_line(out, "DTEND:" + calendar_time(event.ends_at));
    append_line(out, "SEQUENCE:" + std::to_string(event.sequence));
    append_line(out, event.method == calendar_method::cancel ? "STATUS:CANCELLED" : "STATUS:CONFIRMED");
    if (event.is_private) append_line(out, "CLASS:PRIVATE");
    append_text(out, "SUMMARY", harmless_line(event.summary));
    append_text(out, "DESCRIPTION", event.description);
    append_text(out, "LOCATION", harmless_line(event.location));
    if (!event.url.empty()) append_line(out, "URL:" + uri(event.url, ":/?#[]@!$&'()*+,;=%"));
    append_people(out, event);
    append_line(out, "TRANSP:OPAQUE");
    append_line(out, "END:VEVENT");
}

} // namespace

std::string_view to_string(calendar_method method) noexcept {
    switch (method) {
    case calendar_method::publish: return "PUBLISH";
    case calendar_method::request: return "REQUEST";
    case calendar_method::cancel: return "CANCEL";
    }
    return "";
}

std::string calendar_time(timestamp time) {
    std::string out;
    auto const text = format_time(time);
    for (char const c : std::string_view(text).substr(0, 19))
        if (c != '-' && c != ':') out += c;
    return out + "Z";
}

std::string event_uid(uuid const& calendar_uid, std::string_view public_url) {
    if (auto const scheme = public_url.find("://"); scheme != public_url.npos) public_url.remove_prefix(scheme + 3);
    return to_string(calendar_uid) + "@" + std::string(host_of(public_url));
}

std::string to_icalendar(calendar_event const& event) {
    std::string out;
    append_line(out, "BEGIN:VCALENDAR");
    append_line(out, "VERSION:2.0");
    append_line(out, "PRODID:-//Recruiting//Interviews//EN");
    append_line(out, "CALSCALE:GREGORIAN");
    append_line(out, "METHOD:" + std::string(to_string(event.method)));
    append_event(out, event);
    append_line(out, "END:VCALENDAR");
    return out;
}

namespace {

// "2026-11-24T09:00:00Z": calendars read no fractions of a second.
std::string whole_seconds(timestamp time) { return format_time(time).substr(0, 19) + "Z"; }

// Adds nothing for an empty value. A space is %20: not every reader takes "+" for one.
void add_value(std::string& address, std::string_view name, std::string const& value) {
    if (!value.empty()) address.append("&").append(name).append("=") += percent_encode(value);
}

std::string description_of(calendar_event const& event) {
    return event.is_private ? std::string() : harmless_text(event.description);
}

std::string google_link(calendar_event const& event) {
    std::string out = "https://calendar.google.com/calendar/render?action=TEMPLATE";
    add_value(out, "text", harmless_line(event.summary));
    add_value(out, "dates", calendar_time(event.starts_at) + "/" + calendar_time(event.ends_at));
    add_value(out, "details", description_of(event));
    add_value(out, "location", harmless_line(event.location));
    return out;
}

std::string outlook_link(std::string_view host, calendar_event const& event) {
    auto out = "https://" + std::string(host) + "/calendar/0/deeplink/compose?rru=addevent";
    add_value(out, "path", "/calendar/action/compose");
    add_value(out, "subject", harmless_line(event.summary));
    add_value(out, "startdt", whole_seconds(event.starts_at));
    add_value(out, "enddt", whole_seconds(event.ends_at));
    add_value(out, "body", description_of(event));
    add_value(out, "location", harmless_line(event.location));
    return out;
}

} // namespace

calendar_links links_to_add(calendar_event const& event) {
    return {google_link(event), outlook_link("outlook.live.com", event), outlook_link("outlook.office.com", event)};
}

} // namespace recruiting::mail
