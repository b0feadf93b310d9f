// Jobs out of a job board's document.
#include "core/text.hpp"
#include "core/time.hpp"
#include "html/text.hpp"
#include "recruitctl/import/record.hpp"

#include <array>
#include <boost/json/array.hpp>
#include <cmath>
#include <istream>
#include <utility>

namespace recruiting::recruitctl {
namespace {

namespace json = boost::json;

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

// The text in that field, trimmed; "" when there is none.
std::string_view board_text(json::object const& from, std::string_view name) {
    auto const* const value = from.if_contains(name);
    if (value == nullptr || !value->is_string()) return {};
    return trim(std::string_view(value->get_string()));
}

json::value text_or_null(std::string_view text) { return text.empty() ? json::value(nullptr) : json::value(text); }

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
        if (name == "Employment Type" && !employment_type_of(value).empty())
            into["employmentType"] = employment_type_of(value);
        if ((name == "Workplace Type" || name == "Location Type") && !workplace_type_of(value).empty())
            into["workplaceType"] = workplace_type_of(value);
    }
}

void map_greenhouse_location(json::object const& posting, json::object& into) {
    auto name = board_text(object_in(posting, "location"), "name");
    if (name.empty()) name = first_name(posting, "offices");
    if (name.empty()) into["location"] = nullptr;
    else into["location"] = {{"name", name}};
    // "Remote", "Remote - US"
    if (workplace_type_of(name) == "remote") into["workplaceType"] = "remote";
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

void map_lever(json::object const& posting, json::object& into) {
    auto const& categories = object_in(posting, "categories");
    if (posting.contains("text")) into["title"] = board_text(posting, "text");
    auto const department = board_text(categories, "department");
    into["department"] = text_or_null(department.empty() ? board_text(categories, "team") : department);
    auto const location = board_text(categories, "location");
    auto const country = board_text(posting, "country");
    if (location.empty() && country.size() != 2) into["location"] = nullptr;
    else
        into["location"] = {{"name", text_or_null(location)},
                            {"countryCode", text_or_null(country.size() == 2 ? country : std::string_view())}};
    into["employmentType"] = text_or_null(employment_type_of(board_text(categories, "commitment")));
    into["workplaceType"] = text_or_null(workplace_type_of(board_text(posting, "workplaceType")));
    map_salary(posting, into);
    auto const description = description_of(posting);
    if (!description.empty()) into["descriptionHtml"] = description;
    else if (!board_text(posting, "descriptionPlain").empty())
        into["descriptionText"] = board_text(posting, "descriptionPlain");
    map_published_at(posting, into);
    into["applyUrl"] = text_or_null(board_text(posting, "applyUrl"));
}

// The whole document of a board.

constexpr std::size_t longest_document = std::size_t{256} << 20U;

std::string read_all(std::istream& from) {
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
    if (source == board::lever) map_lever(given, made.fields);
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
