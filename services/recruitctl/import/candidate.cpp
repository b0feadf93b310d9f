// A candidate's record as a row.
#include "core/text.hpp"
#include "recruitctl/import/fields.hpp"

namespace recruiting::recruitctl {
namespace {

namespace json = boost::json;

void map_tags(field_mapper& from) {
    auto const* tags = from.take("tags");
    if (tags == nullptr) return;
    if (!tags->is_null() && !tags->is_array()) return from.refuse("tags", "wrong_type", "must be a list of texts");
    std::string list;
    std::set<std::string_view> seen;
    static json::array const none;
    for (auto const& tag : tags->is_null() ? none : tags->get_array()) {
        std::string_view const text = tag.is_string() ? trim(std::string_view(tag.get_string())) : std::string_view();
        if (text.empty() || count_characters(text) > 100 || text.find('\0') != std::string_view::npos)
            return from.refuse("tags", "invalid_tag", "each tag must be a text of 1 to 100 characters");
        if (!seen.insert(text).second) continue;
        if (!list.empty()) list += ',';
        append_json_string(list, text);
    }
    if (seen.size() > 100) return from.refuse("tags", "too_many", "must be at most 100 tags");
    from.open_column("tags").append("[").append(list).append("]");
}

void map_links(field_mapper& from) {
    auto const* links = from.take("links");
    if (links == nullptr) return;
    if (!links->is_null() && !links->is_array())
        return from.refuse("links", "wrong_type", "must be a list of {type, url}");
    std::string list;
    std::size_t position = 0;
    static json::array const none;
    for (auto const& link : links->is_null() ? none : links->get_array()) {
        auto const where = "links[" + std::to_string(position++) + "]";
        if (!link.is_object()) {
            from.refuse(where, "wrong_type", "must be {type, url}");
            continue;
        }
        std::string columns;
        field_mapper part(link.get_object(), false, columns, from.problems(), where + '.', true);
        part.required_text("type", "type", 50);
        if (auto const url = part.required_text("url", "url", 2000); url && !is_web_url(*url))
            part.refuse("url", "invalid_url", "must be an http or https address");
        part.refuse_unknown();
        list.append(list.empty() ? "{" : ",{").append(columns).append("}");
    }
    if (position > 50) return from.refuse("links", "too_many", "must be at most 50 links");
    from.open_column("links").append("[").append(list).append("]");
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

} // namespace

import_row to_candidate_row(record const& from) { return map_record(from, map_candidate); }

namespace {

// An application's record as a row. It names its candidate and its job by the keys of
// the system they come from; the store finds their ids.

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

import_row to_application_row(record const& from) { return map_record(from, map_application); }

} // namespace recruiting::recruitctl
