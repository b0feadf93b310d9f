// A posting of Greenhouse's job board API as a job.
#include "html/text.hpp"
#include "recruitctl/import/board_fields.hpp"

#include <boost/json/array.hpp>

namespace recruiting::recruitctl {
namespace {

namespace json = boost::json;

// The name of the first of a list of objects that has one.
std::string_view first_name(json::object const& posting, std::string_view list) {
    auto const* const values = posting.if_contains(list);
    if (values == nullptr || !values->is_array()) return {};
    for (auto const& value : values->get_array())
        if (value.is_object() && !board_text(value.get_object(), "name").empty())
            return board_text(value.get_object(), "name");
    return {};
}

// Customers' own fields; those named as usual are understood.
void map_metadata(json::object const& posting, json::object& into) {
    auto const* const values = posting.if_contains("metadata");
    if (values == nullptr || !values->is_array()) return;
    for (auto const& entry : values->get_array()) {
        if (!entry.is_object()) continue;
        auto const name = board_text(entry.get_object(), "name");
        auto const value = board_text(entry.get_object(), "value");
        if (name == "Employment Type" && !employment_type_of(value).empty())
            into["employmentType"] = employment_type_of(value);
        if ((name == "Workplace Type" || name == "Location Type") && !workplace_type_of(value).empty())
            into["workplaceType"] = workplace_type_of(value);
    }
}

void map_location(json::object const& posting, json::object& into) {
    auto const* const location = posting.if_contains("location");
    auto name =
        location != nullptr && location->is_object() ? board_text(location->get_object(), "name") : std::string_view();
    if (name.empty()) name = first_name(posting, "offices");
    if (name.empty()) into["location"] = nullptr;
    else into["location"] = {{"name", name}};
    // "Remote", "Remote - US"
    if (workplace_type_of(name) == "remote") into["workplaceType"] = "remote";
}

} // namespace

void map_greenhouse(json::object const& posting, json::object& into) {
    if (posting.contains("title")) into["title"] = board_text(posting, "title");
    auto const requisition = board_text(posting, "requisition_id");
    into["requisitionId"] = requisition.empty() ? json::value(nullptr) : json::value(requisition);
    auto const department = first_name(posting, "departments");
    bool const has_department = !department.empty() && department != "No Department";
    into["department"] = has_department ? json::value(department) : json::value(nullptr);
    into["employmentType"] = nullptr;
    into["workplaceType"] = nullptr;
    map_location(posting, into);
    map_metadata(posting, into);
    // Their content is HTML written as text once more: "&lt;p&gt;".
    auto const content = board_text(posting, "content");
    if (!content.empty()) into["descriptionHtml"] = html::unescaped(content);
    auto const published = board_text(posting, "first_published");
    if (!published.empty()) into["publishedAt"] = published;
    auto const deadline = board_text(posting, "application_deadline");
    into["closesAt"] = deadline.empty() ? json::value(nullptr) : json::value(deadline);
}

} // namespace recruiting::recruitctl
