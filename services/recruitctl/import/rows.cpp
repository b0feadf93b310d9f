// Records as rows: a job with its stages and hiring team for the store to apply, a candidate, an application.
#include "core/ids.hpp"
#include "core/text.hpp"
#include "html/text.hpp"
#include "recruitctl/import/fields.hpp"

#include <algorithm>

namespace recruiting::recruitctl {
namespace {

namespace json = boost::json;

// An absolute http or https URI (RFC 3986 characters only).
bool is_web_url(std::string_view text) noexcept {
    auto const colon = text.find("://");
    if (colon == std::string_view::npos || text.size() > 2000) return false;
    if (!iequals(text.substr(0, colon), "http") && !iequals(text.substr(0, colon), "https")) return false;
    auto const rest = text.substr(colon + 3);
    if (rest.empty() || !is_alphanumeric(rest.front())) return false;
    return percent_decode(rest).has_value() && std::all_of(rest.begin(), rest.end(), [](char c) {
               return is_alphanumeric(c) || std::string_view("-._~:/?#@!$&'()*+,;=%").find(c) != std::string_view::npos;
           });
}

void map_location(field_mapper& from) {
    auto const* location = from.take("location");
    if (location == nullptr) return;
    if (!location->is_object() && !location->is_null())
        return from.refuse("location", "wrong_type",
                           "must be an object of name, city, region and countryCode, or null");
    auto part = from.nested("location", *location);
    part.text("name", "location_name");
    part.text("city", "location_city");
    part.text("region", "location_region");
    part.country("countryCode", "location_country_code");
    part.refuse_unknown();
}

// createdAt, updatedAt, deletedAt, deleted
void map_times_of_record(field_mapper& from) {
    from.time("createdAt", "created_at", false);
    from.time("updatedAt", "updated_at", false);
    auto const deleted = from.boolean("deleted", {});
    bool const has_time = from.has_value("deletedAt");
    if (deleted == false && has_time) {
        from.refuse("deleted", "contradiction", "must not be false when deletedAt is given");
    } else if (has_time) {
        from.time("deletedAt", "deleted_at");
    } else if (deleted == true) {
        from.open_column("deleted") += "true"; // now, unless it is deleted already
    } else if (deleted == false || from.has("deletedAt")) {
        from.open_column("deleted_at") += "null";
    }
    from.ignore({"deletedAt"});
}

// One list of objects into a JSON array in `column`; each element's fields by `map`, which may refuse: such an element
// is left out.
template <class Map>
void map_list(field_mapper& from, std::string_view name, std::string_view column, std::size_t most, Map map) {
    auto const* list = from.take(name);
    if (list == nullptr) return;
    static json::value const none = json::array();
    if (list->is_null()) list = &none;
    if (!list->is_array()) return from.refuse(name, "wrong_type", "must be a list of objects");
    if (list->get_array().size() > most)
        return from.refuse(name, "too_many", "must have at most " + std::to_string(most) + " elements");
    std::string elements;
    std::size_t position = 0;
    mapping of = from.of();
    of.textual = false;
    for (auto const& element : list->get_array()) {
        auto const where = std::string(name) + '[' + std::to_string(position) + ']';
        if (!element.is_object()) {
            from.refuse(where, "wrong_type", "must be an object");
        } else {
            std::string columns;
            auto const reports = from.reports();
            field_mapper part(element.get_object(), of, columns, where + '.', true);
            map(part, position);
            part.refuse_unknown();
            if (from.reports() == reports) elements.append(elements.empty() ? "{" : ",{").append(columns).append("}");
        }
        ++position;
    }
    from.open_column(column).append("[").append(elements).append("]");
}

void map_stages(field_mapper& from) {
    std::set<std::string> names;
    map_list(from, "stages", "stages", 100, [&names](field_mapper& stage, std::size_t position) {
        auto const name = stage.required_text("name", "name", 120);
        if (name && !names.insert(*name).second) stage.refuse("name", "duplicate", "names an earlier stage again");
        stage.one_of("kind", "kind", {"applied", "screen", "interview", "assessment", "offer", "hired"}, "interview");
        append_number(stage.open_column("position"), position); // their order in the list
        bool const bookable = stage.boolean("bookable", {}).value_or(false);
        stage.open_column("bookable") += bookable ? "true" : "false";
        auto const minutes = stage.integer("interviewDurationMinutes", "interview_duration_minutes", 5, 480);
        if (bookable && !minutes && !stage.has_value("interviewDurationMinutes"))
            stage.refuse("interviewDurationMinutes", "required", "is required for a bookable stage");
        stage.ignore({"id", "position", "candidateCount"});
    });
}

void map_team(field_mapper& from) {
    map_list(from, "hiringTeam", "team", 200, [](field_mapper& member, std::size_t) {
        bool const by_id = member.has_value("memberId");
        if (by_id == member.has_value("email")) {
            member.refuse("", "required", "must have either email or memberId");
        } else if (by_id) {
            auto const id = member.required_text("memberId", "member_id", 36);
            if (id && !parse_id(*id))
                member.refuse("memberId", "invalid_id", "must be an id: 32 hex characters, or a UUID with dashes");
        } else {
            member.email("email", "email");
        }
        member.one_of("role", "role", {"hiring_manager", "recruiter", "coordinator", "interviewer"}, "hiring_manager");
        member.ignore({"email", "memberId"});
    });
}

// HTML and text are two forms of one description: each is made from the other when only one is given.
void map_description(field_mapper& from) {
    if (!from.has("descriptionHtml") && !from.has("descriptionText")) return;
    auto const reports = from.reports();
    auto const html = from.plain_text("descriptionHtml", longest_description);
    auto const text = from.plain_text("descriptionText", longest_description);
    if (from.reports() > reports && !html && !text) return;
    auto const clean = html ? html::sanitize(*html) : html::from_text(text.value_or(""));
    append_json_string(from.open_column("description_html"), clean);
    append_json_string(from.open_column("description_text"), text ? *text : html::to_text(clean));
}

void map_job(field_mapper& from) {
    if (from.gives("title")) from.required_text("title", "title", 300);
    from.one_of("status", "status", {"draft", "open", "on_hold", "closed", "archived"}, "draft");
    from.text("requisitionId", "requisition_id");
    from.text("department", "department");
    map_location(from);
    from.one_of("workplaceType", "workplace_type", {"on_site", "hybrid", "remote"}, {}, workplace_type_of);
    from.one_of("employmentType", "employment_type",
                {"full_time", "part_time", "contract", "temporary", "internship", "other"}, {}, employment_type_of);
    from.integer("openings", "openings", 0, 1'000'000, 1);
    map_salary(from);
    from.boolean("published", "published", false);
    from.time("publishedAt", "published_at");
    from.time("closesAt", "closes_at", true, true);
    from.time("openedAt", "opened_at");
    from.time("closedAt", "closed_at");
    from.apply_url("applyUrl", "apply_url");
    map_description(from);
    map_stages(from);
    map_team(from);
    from.ignore({"id", "title", "publicUrl", "candidateCount"});
}

void map_tags(field_mapper& from) {
    auto const* tags = from.take("tags");
    if (tags == nullptr) return;
    if (!tags->is_null() && !tags->is_array()) return from.refuse("tags", "wrong_type", "must be a list of texts");
    std::string list;
    std::set<std::string_view> seen;
    static json::array const none;
    for (auto const& tag : tags->is_null() ? none : tags->get_array()) {
        std::string_view const text = tag.is_string() ? trim(std::string_view(tag.get_string())) : std::string_view();
        if (text.empty() || count_characters(text) > 100 || text.find('\0') != std::string_view::npos) {
            from.refuse("tags", "invalid_tag", "each tag must be a text of 1 to 100 characters");
            continue;
        }
        if (!seen.insert(text).second) continue;
        if (!list.empty()) list += ',';
        append_json_string(list, text);
    }
    if (seen.size() > 100) return from.refuse("tags", "too_many", "must be at most 100 tags");
    from.open_column("tags").append("[").append(list).append("]");
}

void map_links(field_mapper& from) {
    map_list(from, "links", "links", 50, [](field_mapper& link, std::size_t) {
        link.required_text("type", "type", 50);
        auto const given = link.required_text("url", {}, 2000);
        if (!given) return;
        auto const url = encode_spaces(*given);
        if (is_web_url(url)) append_json_string(link.open_column("url"), url);
        else link.refuse("url", "invalid_url", "must be an http or https address");
    });
}

void map_candidate(field_mapper& from) {
    if (from.gives("name")) from.required_text("name", "name", 300);
    from.email("email", "email");
    from.text("phone", "phone", 50);
    from.text("currentTitle", "current_title");
    from.text("currentCompany", "current_company");
    map_location(from);
    map_links(from);
    from.text("source", "source");
    map_tags(from);
    from.time("lastActivityAt", "last_activity_at");
    from.ignore({"id", "name", "applications", "application"});
}

// It names its candidate and its job by the keys of the system they come from; the store finds their ids.
void map_application(field_mapper& from) {
    if (from.gives("candidateExternalId")) from.required_key("candidateExternalId", "candidate_external_id");
    if (from.gives("jobExternalId")) from.required_key("jobExternalId", "job_external_id");
    // Without a stage an application is at the job's first one.
    if (from.has_value("stageName")) from.required_text("stageName", "stage_name", 120);
    from.one_of("status", "status", {"active", "hired", "rejected", "withdrawn"}, "active");
    from.text("source", "source");
    from.time("appliedAt", "applied_at", false);
    from.time("stageEnteredAt", "stage_entered_at", false);
    from.time("rejectedAt", "rejected_at");
    from.time("hiredAt", "hired_at");
    from.text("rejectionReason", "rejection_reason", 1000);
    from.ignore({"id", "candidateId", "jobId", "stageId", "stageName", "candidateExternalId", "jobExternalId"});
}

} // namespace

std::string_view to_string(import_kind kind) noexcept {
    switch (kind) {
    case import_kind::jobs: return "jobs";
    case import_kind::candidates: return "candidates";
    case import_kind::applications: return "applications";
    }
    return "";
}

import_row to_row(import_kind kind, record const& from, std::string_view zone) {
    import_row row;
    row.line = from.line;
    row.problems = from.problems;
    row.warnings = from.warnings;
    if (!row.problems.empty()) return row;
    field_mapper fields(from.fields, {from.textual, from.complete, zone, row.problems, row.warnings}, row.columns);
    if (auto id = fields.required_key("externalId", {})) row.external_id = std::move(*id);
    switch (kind) {
    case import_kind::jobs: map_job(fields); break;
    case import_kind::candidates: map_candidate(fields); break;
    case import_kind::applications: map_application(fields); break;
    }
    map_times_of_record(fields);
    fields.refuse_unknown();
    row.columns.insert(0, 1, '{');
    row.columns += '}';
    return row;
}

} // namespace recruiting::recruitctl
