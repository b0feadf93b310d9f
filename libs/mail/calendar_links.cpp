#include "mail/calendar_links.hpp"

#include "core/text.hpp"
#include "mail/encodings.hpp"

namespace recruiting::mail {
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
