// Facts of the organization's own record.
#include "auth_api/agent/builtin/intents.hpp"
#include "auth_api/agent/builtin/wording.hpp"

namespace recruiting::auth_api::agent::responder {
namespace {

std::string fact(std::string_view what, std::string_view value) {
    return std::string(what) + (value.empty() ? " is not set." : " is " + shown(value) + ".");
}

std::string overview(record const& found) {
    std::string text = in_quotes(found.text("name")) + ":";
    std::vector<std::string> lines;
    auto const add = [&](std::string_view what, std::string const& value) {
        if (!value.empty()) lines.push_back(std::string(what) + ": " + value);
    };
    add("Web site", shown(found.text("websiteUrl")));
    add("Careers page", shown(found.text("careersPageUrl")));
    add("Country", shown(found.text("countryCode")));
    add("Time zone", shown(found.text("timeZone")));
    add("Members", number(found.number("memberCount").value_or(0)));
    add("Open jobs", number(found.number("openJobCount").value_or(0)));
    return text + bulleted(lines);
}

std::string answer(record const& found, sense about) {
    if (about == sense::website) {
        auto text = fact("The web site", found.text("websiteUrl"));
        if (!found.text("careersPageUrl").empty()) text += " " + fact("The careers page", found.text("careersPageUrl"));
        return text;
    }
    if (about == sense::time_zone) return fact("The organization's time zone", found.text("timeZone"));
    if (about == sense::country) return fact("The organization's country", found.text("countryCode"));
    if (about == sense::name) return fact("The organization's name", found.text("name"));
    if (about == sense::identifier)
        return fact("The organization's slug", found.text("slug")) + " Its id is " + shown(found.text("id")) + ".";
    return overview(found);
}

plan telling(sense about) {
    return [about](desk& work) {
        auto const found = work.ask("get_organization")["data"];
        if (found) work.say(answer(found, about));
    };
}

// "How many people work here?"
bool works_here(prompt const& asked) {
    return asked.has(sense::count) && asked.says("people") && (asked.has(sense::organization) || asked.says("work"));
}

} // namespace

plan match_organization(question const& about) {
    auto const& asked = about.asked;
    using enum sense;
    if (works_here(asked) && !asked.has_any({unknown, quoted, stage, pipeline})) return telling(organization);
    if (asked.has_any({candidate, pipeline, stage, key, audit, deed, billing, usage, quoted, role, salary}))
        return nullptr;
    if (asked.has(count) && asked.has(member) && asked.has(job) && !asked.says("role")) return telling(organization);
    if (asked.has(member)) return nullptr;
    if (asked.has(organization) && asked.only({organization, article})) return telling(organization);
    if (asked.has(time_zone)) return telling(time_zone);
    if (asked.has(website) && !asked.has(job)) return telling(website);
    if (!asked.has(organization) || asked.has(job)) return nullptr;
    if (asked.has(country)) return telling(country);
    if (asked.has(identifier)) return telling(identifier);
    if (asked.has(sense::name)) return telling(sense::name);
    if (asked.has_any({what, which, who, describe, list, find, overall})) return telling(organization);
    return nullptr;
}

} // namespace recruiting::auth_api::agent::responder
