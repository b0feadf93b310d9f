// A posting of Lever's postings API as a job.
#include "core/time.hpp"
#include "html/text.hpp"
#include "recruitctl/import/board_fields.hpp"

#include <boost/json/array.hpp>
#include <cmath>

namespace recruiting::recruitctl {
namespace {

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
