// organization create, list, show.
#include "directory/organizations.hpp"
#include "recruitctl/command.hpp"
#include "recruitctl/commands/slot_options.hpp"
#include "recruitctl/output.hpp"

#include <ostream>

namespace recruiting::recruitctl {
namespace {

boost::json::object to_json(directory::organization const& o) {
    return {{"id", to_string(o.id)},
            {"slug", o.slug},
            {"name", o.name},
            {"websiteUrl", json_text(o.website_url)},
            {"logoUrl", json_text(o.logo_url)},
            {"timeZone", o.time_zone},
            {"countryCode", json_text(o.country_code)},
            {"careersPageUrl", json_text(o.careers_page_url)},
            {"roomUrl", json_text(o.room_url)},
            {"memberCount", o.member_count},
            {"openJobCount", o.open_job_count},
            {"createdAt", format_time(o.created_at)},
            {"updatedAt", format_time(o.updated_at)}};
}

void print(invocation& call, directory::organization const& o) {
    if (call.json()) return print_json(call.out, to_json(o));
    print_table(call.out, {{"id", to_string(o.id)},
                           {"slug", o.slug},
                           {"name", o.name},
                           {"website", shown(o.website_url)},
                           {"logo", shown(o.logo_url)},
                           {"careers page", shown(o.careers_page_url)},
                           {"interview rooms", shown(o.room_url)},
                           {"time zone", o.time_zone},
                           {"country", shown(o.country_code)},
                           {"members", std::to_string(o.member_count)},
                           {"open jobs", std::to_string(o.open_job_count)},
                           {"created", format_time(o.created_at)}});
}

int create_organization(invocation& call) {
    directory::organization wanted;
    wanted.slug = call.get("--slug");
    wanted.name = call.get("--name");
    wanted.time_zone = call.find("--time-zone").value_or(wanted.time_zone);
    wanted.country_code = call.find("--country");
    wanted.website_url = call.find("--website");
    wanted.careers_page_url = call.find("--careers-page");
    wanted.logo_url = call.find("--logo-url");
    print(call, or_fail(directory::create_organization(call.database(), wanted)));
    return done;
}

int list_organization(invocation& call) {
    auto const cells = [](directory::organization const& o) -> std::vector<std::string> {
        return {o.slug, o.name, std::to_string(o.member_count), std::to_string(o.open_job_count), to_string(o.id)};
    };
    return print_list(
        call, {"slug", "name", "members", "open jobs", "id"}, directory::list_organizations(call.database()),
        [](auto const& o) { return to_json(o); }, cells);
}

int show_organization(invocation& call) {
    print(call, or_fail(directory::find_organization(call.database(), call.get("--organization"))));
    return done;
}

int set_room_url(invocation& call) {
    print(call, or_fail(directory::set_room_url(call.database(), call.get("--organization"), url_or_clear(call))));
    return done;
}

} // namespace

std::vector<command> organization_commands() {
    return {
        {"organization create",
         "Create an organization, with a subscription in its trial.",
         {{"--slug", "SLUG", "its name in URLs and in recruitctl: a-z, 0-9 and hyphens", true},
          {"--name", "NAME", "its name for people", true},
          {"--time-zone", "ZONE", "IANA name, such as Europe/Berlin (UTC)"},
          {"--country", "CODE", "two letters, such as DE"},
          {"--website", "URL", "https://…"},
          {"--careers-page", "URL", "where its jobs are published; a job's public URL begins with it"},
          {"--logo-url", "URL", "https://…"}},
         create_organization},
        {"organization set-room-url",
         "Set where interviews meet when neither their slot nor the interviewer has an address.",
         {{"--organization", "SLUG", "organization slug", true},
          {"--url", "URL", "an https:// address with {room}, which becomes 32 random characters for each interview"},
          {"--clear", "", "remove the address"}},
         set_room_url,
         "Applies at once, also to interviews that are booked already."},
        {"organization list", "List the organizations.", {}, list_organization},
        {"organization show", "Show one organization.", {{"--organization", "SLUG", "which", true}}, show_organization},
    };
}

} // namespace recruiting::recruitctl
