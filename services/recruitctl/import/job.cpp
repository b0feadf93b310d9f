// A job's record as a row, with its stages and hiring team for the store to apply.
#include "core/ids.hpp"
#include "core/text.hpp"
#include "html/text.hpp"
#include "recruitctl/import/fields.hpp"

namespace recruiting::recruitctl {
namespace {

namespace json = boost::json;

void map_salary(field_mapper& from) {
    auto const* salary = from.take("salary");
    if (salary == nullptr) return;
    if (!salary->is_object() && !salary->is_null())
        return from.refuse("salary", "wrong_type", "must be an object of min, max, currency and period, or null");
    auto part = from.nested("salary", *salary);
    constexpr std::int64_t most = (std::int64_t{1} << 53U) - 1; // what every JSON reader keeps exactly
    auto const least_pay = part.integer("min", "salary_min", 0, most);
    auto const most_pay = part.integer("max", "salary_max", 0, most);
    part.code("currency", "salary_currency", 3);
    part.one_of("period", "salary_period", {"year", "month", "week", "day", "hour"});
    part.refuse_unknown();
    if (least_pay && most_pay && *least_pay > *most_pay) part.refuse("max", "invalid_number", "must not be below min");
    if (!part.has_value("min") && !part.has_value("max")) return;
    for (char const* name : {"currency", "period"})
        if (!part.has_value(name) && (part.is_whole() || part.has(name)))
            part.refuse(name, "required", "is required with min or max");
}

// One list of objects into a JSON array in `column`; each element's fields by `map`, which may refuse.
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
    for (auto const& element : list->get_array()) {
        auto const where = std::string(name) + '[' + std::to_string(position) + ']';
        if (!element.is_object()) {
            from.refuse(where, "wrong_type", "must be an object");
        } else {
            std::string columns;
            field_mapper part(element.get_object(), false, columns, from.problems(), where + '.', true);
            map(part, position);
            part.refuse_unknown();
            elements.append(elements.empty() ? "{" : ",{").append(columns).append("}");
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
    auto const html = from.plain_text("descriptionHtml", longest_description);
    auto const text = from.plain_text("descriptionText", longest_description);
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
    from.one_of("workplaceType", "workplace_type", {"on_site", "hybrid", "remote"});
    from.one_of("employmentType", "employment_type",
                {"full_time", "part_time", "contract", "temporary", "internship", "other"});
    from.integer("openings", "openings", 0, 1'000'000, 1);
    map_salary(from);
    from.boolean("salaryPublished", "salary_published", false);
    from.boolean("published", "published", false);
    from.time("publishedAt", "published_at");
    from.time("closesAt", "closes_at");
    from.time("openedAt", "opened_at");
    from.time("closedAt", "closed_at");
    map_description(from);
    map_stages(from);
    map_team(from);
    from.ignore({"id", "title", "publicUrl", "candidateCount"});
}

} // namespace

import_row to_job_row(record const& from) { return map_record(from, map_job); }

} // namespace recruiting::recruitctl
