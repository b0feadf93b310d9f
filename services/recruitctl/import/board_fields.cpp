#include "recruitctl/import/board_fields.hpp"

#include "core/text.hpp"
#include "core/time.hpp"
#include "html/text.hpp"

#include <array>
#include <boost/json/array.hpp>
#include <cmath>
#include <utility>

namespace recruiting::recruitctl {
namespace {

using pairs = std::pair<std::string_view, std::string_view>;

// Letters alone, in lower case: boards and their customers agree on nothing else.
std::string letters_of(std::string_view words) {
    std::string out;
    for (char const c : to_lower(words))
        if (c >= 'a' && c <= 'z') out += c;
    return out;
}

template <std::size_t Count>
std::string_view find(std::array<pairs, Count> const& known, std::string_view words) {
    auto const letters = letters_of(words);
    for (auto const& [beginning, ours] : known)
        if (letters.starts_with(beginning)) return ours;
    return {};
}

} // namespace

std::string board_id(boost::json::object const& posting) {
    auto const* const id = posting.if_contains("id");
    if (id == nullptr) return {};
    if (id->is_int64()) return std::to_string(id->get_int64());
    if (id->is_uint64()) return std::to_string(id->get_uint64());
    return std::string(board_text(posting, "id"));
}

std::string_view board_text(boost::json::object const& from, std::string_view name) {
    auto const* const value = from.if_contains(name);
    if (value == nullptr || !value->is_string()) return {};
    return trim(std::string_view(value->get_string()));
}

std::string_view employment_type_of(std::string_view words) {
    static constexpr std::array<pairs, 10> known = {{{"fulltime", "full_time"},
                                                     {"permanent", "full_time"},
                                                     {"regular", "full_time"},
                                                     {"parttime", "part_time"},
                                                     {"contract", "contract"},
                                                     {"freelance", "contract"},
                                                     {"temporary", "temporary"},
                                                     {"fixedterm", "temporary"},
                                                     {"intern", "internship"},
                                                     {"workingstudent", "part_time"}}};
    return find(known, words);
}

std::string_view workplace_type_of(std::string_view words) {
    static constexpr std::array<pairs, 5> known = {{{"remote", "remote"},
                                                    {"hybrid", "hybrid"},
                                                    {"onsite", "on_site"},
                                                    {"inoffice", "on_site"},
                                                    {"office", "on_site"}}};
    return find(known, words);
}

namespace {

// A posting of Greenhouse's job board API as a job.

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

namespace {

// A posting of Lever's postings API as a job.

namespace json = boost::json;

json::object const& object_in(json::object const& from, std::string_view name) {
    static json::object const none;
    auto const* const value = from.if_contains(name);
    return value != nullptr && value->is_object() ? value->get_object() : none;
}

json::value text_or_null(std::string_view text) { return text.empty() ? json::value(nullptr) : json::value(text); }

// "per-year-salary", "per-hour-wage"; "one-time" is no salary.
std::string_view period_of(std::string_view interval) {
    for (std::string_view const period : {"year", "month", "week", "day", "hour"})
        if (interval.find(period) != std::string_view::npos) return period;
    return {};
}

json::value whole(json::object const& range, std::string_view name) {
    auto const* const amount = range.if_contains(name);
    if (amount == nullptr || !amount->is_number()) return nullptr;
    auto const number = amount->to_number<double>();
    if (!(number >= 0 && number <= 1e12)) return nullptr;
    return std::llround(number);
}

void map_salary(json::object const& posting, json::object& into) {
    auto const& range = object_in(posting, "salaryRange");
    auto const period = period_of(board_text(range, "interval"));
    auto const currency = board_text(range, "currency");
    auto const least = whole(range, "min");
    auto const most = whole(range, "max");
    bool const is_known = !period.empty() && currency.size() == 3 && !(least.is_null() && most.is_null());
    into["salaryPublished"] = is_known;
    if (is_known) into["salary"] = {{"min", least}, {"max", most}, {"currency", currency}, {"period", period}};
    else into["salary"] = nullptr;
}

// The beginning, the lists under their headings, the end: as Lever's own page shows them.
std::string description_of(json::object const& posting) {
    std::string out(board_text(posting, "description"));
    auto const* const lists = posting.if_contains("lists");
    if (lists != nullptr && lists->is_array())
        for (auto const& list : lists->get_array()) {
            if (!list.is_object()) continue;
            out.append("<h3>").append(html::escaped(board_text(list.get_object(), "text"))).append("</h3><ul>");
            out.append(board_text(list.get_object(), "content")).append("</ul>");
        }
    return out.append(board_text(posting, "additional"));
}

void map_published_at(json::object const& posting, json::object& into) {
    auto const* const created = posting.if_contains("createdAt");
    constexpr std::int64_t latest = 253'402'300'799'999; // the year 9999
    if (created == nullptr || !created->is_int64()) return;
    auto const milliseconds = created->get_int64();
    if (milliseconds < 0 || milliseconds > latest) return;
    into["publishedAt"] = format_time(timestamp(std::chrono::milliseconds{milliseconds}));
}

} // namespace

void map_lever(json::object const& posting, json::object& into) {
    auto const& categories = object_in(posting, "categories");
    if (posting.contains("text")) into["title"] = board_text(posting, "text");
    auto const department = board_text(categories, "department");
    into["department"] = text_or_null(department.empty() ? board_text(categories, "team") : department);
    auto const place = board_text(categories, "location");
    auto const country = board_text(posting, "country");
    if (place.empty() && country.size() != 2) into["location"] = nullptr;
    else
        into["location"] = {{"name", text_or_null(place)},
                            {"countryCode", text_or_null(country.size() == 2 ? country : std::string_view())}};
    into["employmentType"] = text_or_null(employment_type_of(board_text(categories, "commitment")));
    into["workplaceType"] = text_or_null(workplace_type_of(board_text(posting, "workplaceType")));
    map_salary(posting, into);
    auto const description = description_of(posting);
    if (!description.empty()) into["descriptionHtml"] = description;
    else if (!board_text(posting, "descriptionPlain").empty())
        into["descriptionText"] = board_text(posting, "descriptionPlain");
    map_published_at(posting, into);
}

} // namespace recruiting::recruitctl
