// organization create, set, retention, list, show, delete.
#include "core/file.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "directory/organizations.hpp"
#include "html/accent.hpp"
#include "recruitctl/command.hpp"
#include "recruitctl/erasure/organization_store.hpp"
#include "recruitctl/output.hpp"

#include <map>
#include <ostream>

namespace recruiting::recruitctl {
namespace {

constexpr std::int64_t most_previewed = 1'000;

boost::json::value json_days(std::optional<std::int64_t> days) {
    return days ? boost::json::value(*days) : boost::json::value();
}

std::string shown_retention(directory::organization const& o) {
    if (!o.candidate_retention_days) return "off";
    return std::to_string(*o.candidate_retention_days) + " days, acts from " +
           format_time(*o.candidate_retention_acts_from);
}

boost::json::object to_json(directory::organization const& o) {
    return {{"id", to_string(o.id)},
            {"slug", o.slug},
            {"name", o.name},
            {"websiteUrl", json_text(o.website_url)},
            {"logoUrl", json_text(o.logo_url)},
            {"accentColor", json_text(o.accent_color)},
            {"shareImageUrl", json_text(o.share_image_url)},
            {"applyUrl", json_text(o.apply_url)},
            {"introductionHtml", json_text(o.introduction_html)},
            {"timeZone", o.time_zone},
            {"countryCode", json_text(o.country_code)},
            {"careersPageUrl", json_text(o.careers_page_url)},
            {"roomUrl", json_text(o.room_url)},
            {"candidateRetentionDays", json_days(o.candidate_retention_days)},
            {"candidateRetentionActsFrom", json_time(o.candidate_retention_acts_from)},
            {"memberCount", o.member_count},
            {"openJobCount", o.open_job_count},
            {"createdAt", format_time(o.created_at)},
            {"updatedAt", format_time(o.updated_at)}};
}

std::string shown_introduction(directory::organization const& o) {
    return o.introduction_html ? std::to_string(count_characters(*o.introduction_html)) + " characters" : "none";
}

void print(invocation& call, directory::organization const& o) {
    if (call.json()) return print_json(call.out, to_json(o));
    print_table(call.out, {{"id", to_string(o.id)},
                           {"slug", o.slug},
                           {"name", o.name},
                           {"website", shown(o.website_url)},
                           {"logo", shown(o.logo_url)},
                           {"accent color", shown(o.accent_color)},
                           {"link preview", shown(o.share_image_url)},
                           {"apply at", shown(o.apply_url)},
                           {"introduction", shown_introduction(o)},
                           {"careers page", shown(o.careers_page_url)},
                           {"interview rooms", shown(o.room_url)},
                           {"candidate retention", shown_retention(o)},
                           {"time zone", o.time_zone},
                           {"country", shown(o.country_code)},
                           {"members", std::to_string(o.member_count)},
                           {"open jobs", std::to_string(o.open_job_count)},
                           {"created", format_time(o.created_at)}});
}

// The text of the file; "" for the empty value, which removes the introduction.
std::optional<std::string> read_introduction(invocation const& call) {
    auto const file = call.find("--introduction-file");
    if (!file || file->empty()) return file;
    std::string text;
    if (auto const wrong = read_file(*file, text)) throw usage_error("--introduction-file: " + *wrong);
    if (!is_utf8(text)) throw usage_error("--introduction-file: " + *file + " is not UTF-8");
    return text;
}

// An organization of "create", or the change of "set".
template <class Wanted>
void read_branding(invocation const& call, Wanted& wanted) {
    wanted.logo_url = call.find("--logo-url");
    if (auto const color = call.find("--accent-color"))
        wanted.accent_color = to_lower(*color); // upper case is accepted
    wanted.share_image_url = call.find("--share-image-url");
    wanted.apply_url = call.find("--apply-url");
    wanted.introduction_html = read_introduction(call);
}

// Every accent is accepted. Most are legible on one of the two backgrounds, and none on both.
void report_shades(invocation& call, directory::organization const& o) {
    auto const shades = call.has("--accent-color") ? html::shades_of(o.accent_color.value_or("")) : std::nullopt;
    if (!shades) return;
    auto const report = [&](html::accent_shade const& shade, std::string_view background) {
        if (shade.color != *o.accent_color)
            call.err << "Text in " << *o.accent_color << " is not legible on a " << background
                     << " background: pages and mails use " << shade.color << " there.\n";
    };
    report(shades->on_light, "light");
    report(shades->on_dark, "dark");
}

int create_organization(invocation& call) {
    directory::organization wanted;
    wanted.slug = call.get("--slug");
    wanted.name = call.get("--name");
    wanted.time_zone = call.find("--time-zone").value_or(wanted.time_zone);
    wanted.country_code = call.find("--country");
    wanted.website_url = call.find("--website");
    wanted.careers_page_url = call.find("--careers-page");
    read_branding(call, wanted);
    auto const made = or_fail(directory::create_organization(call.database(), wanted));
    print(call, made);
    report_shades(call, made);
    return done;
}

// Whole days, nullopt for "off".
std::optional<std::int64_t> read_retention(invocation const& call) {
    constexpr std::chrono::hours day{24};
    auto const given = call.get("--candidate-retention");
    if (given == "off") return std::nullopt;
    auto const read = parse_duration(given);
    if (!read || *read % day != std::chrono::milliseconds{0})
        throw usage_error("--candidate-retention must be a number of days such as 730d, or off");
    return *read / day;
}

int set_organization(invocation& call) {
    directory::branding_change wanted;
    read_branding(call, wanted);
    bool const brands = wanted.logo_url || wanted.accent_color || wanted.share_image_url || wanted.apply_url ||
                        wanted.introduction_html;
    bool const retains = call.has("--candidate-retention");
    if (!brands && !retains)
        throw usage_error("give at least one of --logo-url, --accent-color, --share-image-url, --apply-url, "
                          "--introduction-file and --candidate-retention");
    auto const days = retains ? read_retention(call) : std::nullopt;
    auto const& slug = call.get("--organization");
    directory::organization now;
    if (brands) now = or_fail(directory::set_branding(call.database(), slug, wanted));
    if (retains) now = or_fail(directory::set_candidate_retention(call.database(), slug, days));
    print(call, now);
    report_shades(call, now);
    return done;
}

// The retention to preview, and when it acts first.
struct previewed_retention {
    std::int64_t days;
    std::optional<timestamp> acts_from; // none: it is not set
};

previewed_retention choose_retention(invocation& call) {
    auto const of = or_fail(directory::find_organization(call.database(), call.get("--organization")));
    auto const days = call.has("--candidate-retention") ? read_retention(call) : of.candidate_retention_days;
    if (!days)
        throw failure(of.slug + " has no retention of candidates: give --candidate-retention 730d to preview one");
    return {*days, days == of.candidate_retention_days ? of.candidate_retention_acts_from : std::nullopt};
}

int preview_retention(invocation& call) {
    auto const chosen = choose_retention(call);
    auto const found = or_fail(directory::preview_candidate_retention(call.database(), call.get("--organization"),
                                                                      chosen.days, most_previewed));
    if (call.json()) {
        boost::json::array data;
        for (auto const& one : found.first)
            data.push_back({{"id", to_string(one.id)},
                            {"externalId", json_text(one.external_id)},
                            {"updatedAt", format_time(one.updated_at)},
                            {"deleted", one.is_deleted}});
        print_json(call.out, {{"candidateRetentionDays", chosen.days},
                              {"candidateRetentionActsFrom", json_time(chosen.acts_from)},
                              {"due", found.due},
                              {"kept", found.kept},
                              {"data", std::move(data)}});
        return done;
    }
    print_table(call.out, {{"retention", std::to_string(chosen.days) + " days"},
                           {"acts from", chosen.acts_from ? format_time(*chosen.acts_from) : "not set"},
                           {"due now", std::to_string(found.due)},
                           {"kept by an active application or a later interview", std::to_string(found.kept)}});
    if (found.first.empty()) return done;
    table_rows rows{{"candidate", "external id", "last change", "deleted by import"}};
    for (auto const& one : found.first)
        rows.push_back(
            {to_string(one.id), shown(one.external_id), format_time(one.updated_at), one.is_deleted ? "yes" : "no"});
    call.out << '\n';
    print_table(call.out, rows);
    return done;
}

int list_organization(invocation& call) {
    auto const cells = [&](directory::organization const& o) -> std::vector<std::string> {
        return {o.slug, o.name, std::to_string(o.member_count), std::to_string(o.open_job_count), to_string(o.id)};
    };
    return print_list(
        call, {"slug", "name", "members", "open jobs", "id"}, directory::list_organizations(call.database()),
        [](auto const& o) { return to_json(o); }, cells);
}

int show_organization(invocation& call) {
    auto const found = or_fail(directory::find_organization(call.database(), call.get("--organization")));
    print(call, found);
    return done;
}

int set_room_url(invocation& call) {
    print(call, or_fail(directory::set_room_url(call.database(), call.get("--organization"), call.url_or_clear())));
    return done;
}

int delete_organization(invocation& call) {
    auto& database = call.database();
    auto const found = or_fail(directory::find_organization(database, call.get("--organization")));
    auto const counts = erasure::count_organization(database, found.id);
    bool const confirmed = call.find("--confirm") == found.slug;
    if (call.has("--confirm") && !confirmed) throw usage_error("--confirm must repeat the slug");
    boost::json::object document{
        {"id", to_string(found.id)},       {"slug", found.slug},          {"deleted", confirmed},
        {"members", counts.members},       {"keys", counts.keys},         {"jobs", counts.jobs},
        {"candidates", counts.candidates}, {"sessions", counts.sessions}, {"interviewsAhead", counts.interviews_ahead}};
    if (!call.json())
        call.out << found.name << " (" << found.slug << "): " << counts.members << " members, " << counts.keys
                 << " working keys, " << counts.jobs << " jobs, " << counts.candidates << " candidates, "
                 << counts.sessions << " agent sessions, " << counts.interviews_ahead << " interviews ahead\n";
    if (confirmed) {
        erasure::disable_organization(database, found.id);
        std::map<std::string_view, std::int64_t> rows;
        erasure::delete_organization(database, found.id,
                                     [&](std::string_view table, std::int64_t count) { rows[table] += count; });
        boost::json::object deleted;
        for (auto const& [table, count] : rows) deleted[table] = count;
        document["rows"] = std::move(deleted);
    }
    if (call.json()) print_json(call.out, document);
    else
        call.out << (confirmed ? "All of it is deleted, the audit log included.\n"
                               : "Nothing is deleted yet: add --confirm " + found.slug + " to delete all of it.\n");
    return done;
}

} // namespace

std::vector<command> organization_commands() {
    option const logo_url{"--logo-url", "URL", "https://…"};
    option const accent_color{"--accent-color", "COLOR",
                              "color of links and buttons in pages and mails, such as #0b5fff"};
    option const share_image_url{"--share-image-url", "URL", "link-preview picture (og:image), https://…"};
    option const apply_url{"--apply-url", "URL",
                           "where people apply for jobs without their own: https://… or mailto:…"};
    option const introduction_file{"--introduction-file", "FILE",
                                   "HTML file with the text about the organization on its careers pages"};
    option const candidate_retention{
        "--candidate-retention", "DAYS",
        "delete candidates after this time without a change, 30d to 3650d, such as 730d; off: keep them"};
    return {
        {"organization create",
         "Create an organization with a trial subscription.",
         {{"--slug", "SLUG", "name in URLs and commands: a-z, 0-9 and hyphens", true},
          {"--name", "NAME", "display name", true},
          {"--time-zone", "ZONE", "IANA name, such as Europe/Berlin (UTC)"},
          {"--country", "CODE", "two letters, such as DE"},
          {"--website", "URL", "https://…"},
          {"--careers-page", "URL", "page that lists its jobs; public job URLs begin with it"},
          logo_url,
          accent_color,
          share_image_url,
          apply_url,
          introduction_file},
         create_organization},
        {"organization set",
         "Set how an organization presents itself, where people apply, and how long candidates are kept.",
         {{"--organization", "SLUG", "organization slug", true},
          logo_url,
          accent_color,
          share_image_url,
          apply_url,
          introduction_file,
          candidate_retention},
         set_organization,
         "An option that is not given keeps its value; an empty value (--logo-url '') removes it.\n"
         "The introduction keeps the elements that job descriptions have, and at most 10,000 characters of HTML.\n"
         "Every accent color is accepted. Pages and mails darken or lighten it where text in it would not be legible\n"
         "(contrast below 4.5:1, WCAG 2.2); the command reports the shades they use.\n"
         "The first deletion of candidates comes 7 days after the latest change of --candidate-retention."},
        {"organization retention",
         "Show which candidates the retention would delete now. Deletes nothing.",
         {{"--organization", "SLUG", "organization slug", true},
          {"--candidate-retention", "DAYS", "the retention to preview, such as 730d (the one that is set)"}},
         preview_retention,
         "Due are candidates whose record has not changed for that time, without an active application and without a\n"
         "later interview; and those deleted by an import, whose data is still stored. The list has the first 1,000."},
        {"organization set-room-url",
         "Set the meeting address for interviews whose slot and interviewer have none.",
         {{"--organization", "SLUG", "organization slug", true},
          {"--url", "URL", "an https:// address with {room}, which becomes 32 random characters for each interview"},
          {"--clear", "", "remove the address"}},
         set_room_url,
         "The change takes effect immediately, for booked interviews too."},
        {"organization list", "List the organizations.", {}, list_organization},
        {"organization show",
         "Show one organization.",
         {{"--organization", "SLUG", "organization slug", true}},
         show_organization},
        {"organization delete",
         "Delete an organization with everything it has, its audit log included.",
         {{"--organization", "SLUG", "organization slug", true},
          {"--confirm", "SLUG", "the same slug: delete; without it the command only shows what it would delete"}},
         delete_organization,
         R"(First its keys are revoked, its members removed and its pages withdrawn. Candidates and interviewers of interviews ahead
are not mailed. Then its rows are deleted, some hundred at a time: stopped at any moment, the command can be run again.
People who are members elsewhere stay members there. `audit head --json` lists the organization's id as erased.)"},
    };
}

} // namespace recruiting::recruitctl
