// Jobs out of a job board's document.
#include "core/text.hpp"
#include "core/time.hpp"
#include "html/text.hpp"
#include "recruitctl/import/fields.hpp"
#include "words/codes.hpp"

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <istream>

namespace recruiting::recruitctl {
namespace {

namespace json = boost::json;

// The text in that field, trimmed; "" when there is none.
std::string_view board_text(json::object const& from, std::string_view name) {
    auto const* const value = from.if_contains(name);
    if (value == nullptr || !value->is_string()) return {};
    return trim(std::string_view(value->get_string()));
}

json::value text_or_null(std::string_view text) { return text.empty() ? json::value(nullptr) : json::value(text); }

// Our value for the board's words; where there is none the words themselves, of which the import warns.
json::value read_or_given(std::string_view ours, std::string_view given) {
    return text_or_null(ours.empty() ? given : ours);
}

// The country is left out where it is not known.
json::value location_of(std::string_view name, std::string_view country) {
    if (name.empty() && country.empty()) return nullptr;
    auto const known = country.empty() ? country_of_place(name) : std::string(country);
    json::object location{{"name", text_or_null(name)}};
    if (!known.empty()) location["countryCode"] = known;
    return location;
}

json::object const& object_in(json::object const& from, std::string_view name) {
    static json::object const none;
    auto const* const value = from.if_contains(name);
    return value != nullptr && value->is_object() ? value->get_object() : none;
}

// The objects of a list; what else is in it is passed over.
std::vector<json::object const*> objects_in(json::object const& from, std::string_view name) {
    std::vector<json::object const*> out;
    auto const* const list = from.if_contains(name);
    if (list != nullptr && list->is_array())
        for (auto const& value : list->get_array())
            if (value.is_object()) out.push_back(&value.get_object());
    return out;
}

// The posting's id, a number or a text; "" when there is none.
std::string board_id(json::object const& posting) {
    auto const* const id = posting.if_contains("id");
    if (id == nullptr) return {};
    if (id->is_int64()) return std::to_string(id->get_int64());
    if (id->is_uint64()) return std::to_string(id->get_uint64());
    return std::string(board_text(posting, "id"));
}

// A posting of Greenhouse's job board API as a job.

// The name of the first of a list of objects that has one.
std::string_view first_name(json::object const& posting, std::string_view list) {
    for (auto const* const one : objects_in(posting, list))
        if (auto const name = board_text(*one, "name"); !name.empty()) return name;
    return {};
}

// Customers' own fields; those named as usual are understood.
void map_metadata(json::object const& posting, json::object& into) {
    for (auto const* const entry : objects_in(posting, "metadata")) {
        auto const name = board_text(*entry, "name");
        auto const value = board_text(*entry, "value");
        if (value.empty()) continue;
        if (name == "Employment Type") into["employmentType"] = read_or_given(employment_type_of(value), value);
        if (name == "Workplace Type" || name == "Location Type")
            into["workplaceType"] = read_or_given(workplace_type_of(value), value);
    }
}

void map_greenhouse_location(json::object const& posting, json::object& into) {
    auto name = board_text(object_in(posting, "location"), "name");
    if (name.empty()) name = first_name(posting, "offices");
    auto country = country_of_place(name);
    auto const offices = objects_in(posting, "offices");
    if (country.empty() && offices.size() == 1) country = country_of_place(board_text(*offices.front(), "location"));
    into["location"] = location_of(name, name.empty() ? std::string() : country);
    // "Remote", "Remote - US"
    if (to_lower(name).starts_with("remote")) into["workplaceType"] = "remote";
}

void map_greenhouse(json::object const& posting, json::object& into) {
    if (posting.contains("title")) into["title"] = board_text(posting, "title");
    into["requisitionId"] = text_or_null(board_text(posting, "requisition_id"));
    auto const department = first_name(posting, "departments");
    into["department"] = text_or_null(department == "No Department" ? std::string_view() : department);
    into["employmentType"] = nullptr;
    into["workplaceType"] = nullptr;
    map_greenhouse_location(posting, into);
    map_metadata(posting, into);
    // Their content is HTML written as text once more: "&lt;p&gt;".
    auto const content = board_text(posting, "content");
    if (!content.empty()) into["descriptionHtml"] = html::unescaped(content);
    auto const published = board_text(posting, "first_published");
    if (!published.empty()) into["publishedAt"] = published;
    into["closesAt"] = text_or_null(board_text(posting, "application_deadline"));
    into["applyUrl"] = text_or_null(board_text(posting, "absolute_url")); // its page has the form
}

// A posting of Lever's postings API as a job.

// Lever's intervals by their names. Half a month and two weeks are 24 and 26 a year; "bi-month" may be either twice a
// month or every two months.
struct pay_interval {
    std::string_view name;
    std::string_view period;
    std::int64_t times;
};
constexpr std::array<pay_interval, 7> pay_intervals = {{{"per-year-salary", "year", 1},
                                                        {"per-month-salary", "month", 1},
                                                        {"semi-month-salary", "year", 24},
                                                        {"bi-week-salary", "year", 26},
                                                        {"per-week-salary", "week", 1},
                                                        {"per-day-wage", "day", 1},
                                                        {"per-hour-wage", "hour", 1}}};

// The amount that many times; what is no amount stays as it is, and the import warns of it.
json::value multiplied(json::object const& range, std::string_view name, std::int64_t times) {
    auto const* const amount = range.if_contains(name);
    if (amount == nullptr) return nullptr;
    auto const thousandths = times == 1 ? std::nullopt : read_amount(*amount, amount_decimals);
    return thousandths ? json::value(amount_text(*thousandths * times)) : *amount;
}

void map_salary(json::object const& posting, record& into) {
    into.fields["salary"] = nullptr;
    into.fields["salaryPublished"] = false;
    auto const& range = object_in(posting, "salaryRange");
    if (multiplied(range, "min", 1).is_null() && multiplied(range, "max", 1).is_null()) return;
    auto const given = board_text(range, "interval");
    auto const* const interval =
        std::find_if(pay_intervals.begin(), pay_intervals.end(), [&](auto const& one) { return one.name == given; });
    if (interval == pay_intervals.end()) {
        into.warnings.push_back({"salary.period", "invalid_value",
                                 given == "one-time" ? "a one-time payment is no salary"
                                                     : "the interval " + in_quotes(given.substr(0, 100)) +
                                                           " can't be read as hours, days, weeks, months or years"});
        return;
    }
    into.fields["salary"] = {{"min", multiplied(range, "min", interval->times)},
                             {"max", multiplied(range, "max", interval->times)},
                             {"currency", text_or_null(board_text(range, "currency"))},
                             {"period", interval->period}};
    into.fields["salaryPublished"] = true;
}

// All of a posting's locations, the first one first, as far as a name has room for them.
std::string locations_of(json::object const& categories) {
    std::string out(board_text(categories, "location"));
    auto const* const all = categories.if_contains("allLocations");
    if (all == nullptr || !all->is_array()) return out;
    std::set<std::string_view> seen{board_text(categories, "location"), ""};
    for (auto const& value : all->get_array()) {
        auto const one = value.is_string() ? trim(std::string_view(value.get_string())) : std::string_view();
        if (!seen.insert(one).second || count_characters(out) + 2 + count_characters(one) > short_text) continue;
        out.append(out.empty() ? "" : "; ").append(one);
    }
    return out;
}

// The beginning, the lists under their headings, the end: as Lever's own page shows them.
std::string description_of(json::object const& posting) {
    std::string out(board_text(posting, "description"));
    for (auto const* const list : objects_in(posting, "lists")) {
        out.append("<h3>").append(html::escaped(board_text(*list, "text"))).append("</h3><ul>");
        out.append(board_text(*list, "content")).append("</ul>");
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

void map_lever(json::object const& posting, record& made) {
    auto& into = made.fields;
    auto const& categories = object_in(posting, "categories");
    if (posting.contains("text")) into["title"] = board_text(posting, "text");
    auto const department = board_text(categories, "department");
    into["department"] = text_or_null(department.empty() ? board_text(categories, "team") : department);
    into["location"] = location_of(locations_of(categories), board_text(posting, "country"));
    auto const commitment = board_text(categories, "commitment");
    into["employmentType"] = read_or_given(employment_type_of(commitment), commitment);
    auto const workplace = board_text(posting, "workplaceType");
    into["workplaceType"] =
        workplace == "unspecified" ? json::value(nullptr) : read_or_given(workplace_type_of(workplace), workplace);
    map_salary(posting, made);
    auto const description = description_of(posting);
    if (!description.empty()) into["descriptionHtml"] = description;
    else if (!board_text(posting, "descriptionPlain").empty())
        into["descriptionText"] = board_text(posting, "descriptionPlain");
    map_published_at(posting, into);
    into["applyUrl"] = text_or_null(board_text(posting, "applyUrl"));
}

// The whole document of a board.

constexpr std::size_t longest_document = std::size_t{256} << 20U;

std::string read_all(std::istream& file) {
    text_buffer decoded(file);
    std::istream from(&decoded);
    std::string text;
    std::string piece(std::size_t{1} << 16U, '\0');
    while (from.read(piece.data(), static_cast<std::streamsize>(piece.size())) || from.gcount() > 0) {
        text.append(piece, 0, static_cast<std::size_t>(from.gcount()));
        if (text.size() > longest_document) throw std::runtime_error("the document is larger than 256 MiB");
    }
    if (from.bad()) throw std::runtime_error("the file can't be read to its end");
    return text;
}

// What is cut off must not look like jobs that are gone.
void check_total(json::object const& document, std::size_t found) {
    auto const* const meta = document.if_contains("meta");
    auto const* const total = meta != nullptr && meta->is_object() ? meta->get_object().if_contains("total") : nullptr;
    if (total == nullptr || !total->is_int64() || total->get_int64() == static_cast<std::int64_t>(found)) return;
    throw std::runtime_error("the document has " + std::to_string(found) + " jobs, its meta.total says " +
                             std::to_string(total->get_int64()));
}

json::array postings_of(board source, json::value document) {
    if (source == board::lever) {
        if (!document.is_array()) throw std::runtime_error("not a Lever postings document: it must be a JSON array");
        return std::move(document.get_array());
    }
    auto* const jobs = document.is_object() ? document.get_object().if_contains("jobs") : nullptr;
    if (jobs == nullptr || !jobs->is_array())
        throw std::runtime_error("not a Greenhouse job board document: it must be an object with a list \"jobs\"");
    check_total(document.get_object(), jobs->get_array().size());
    return std::move(jobs->get_array());
}

} // namespace

std::string_view to_string(board source) noexcept { return source == board::lever ? "lever" : "greenhouse"; }

record to_record(board source, json::value const& posting) {
    record made;
    if (!posting.is_object()) {
        made.problems.push_back({{}, "wrong_type", "must be an object"});
        return made;
    }
    auto const& given = posting.get_object();
    auto const id = board_id(given);
    if (id.empty()) made.problems.push_back({"id", "required", "must be given, as the board's number or text"});
    else made.fields["externalId"] = std::string(to_string(source)) + ":" + id;
    made.fields["status"] = "open";
    made.fields["published"] = true;
    made.complete = true;
    if (source == board::lever) map_lever(given, made);
    else map_greenhouse(given, made.fields);
    return made;
}

board_reader::board_reader(std::istream& from, board source) : source_(source) {
    auto parsed = parse_json(read_all(from));
    if (auto const* wrong = std::get_if<problem>(&parsed)) throw std::runtime_error(wrong->message);
    postings_ = postings_of(source, std::move(std::get<json::value>(parsed)));
}

bool board_reader::next(record& into) {
    if (at_ == postings_.size()) return false;
    into = to_record(source_, postings_[at_]);
    into.line = ++at_;
    if (auto const* id = into.fields.if_contains("externalId")) seen_.emplace(id->get_string());
    else knows_all_ = false;
    return true;
}

} // namespace recruiting::recruitctl
