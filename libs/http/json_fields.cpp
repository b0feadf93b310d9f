#include "http/json_fields.hpp"

#include "core/redact.hpp"
#include "http/problem.hpp"

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>

namespace recruiting::http {
namespace {

namespace json = boost::json;

// What the parser reports: the outermost object's fields are kept, and the strings of its arrays; other values within
// values are passed over.
struct field_handler {
    static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
    static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
    static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
    static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);
    using error = boost::system::error_code;

    std::vector<json_field> fields;
    bool is_object{false};
    bool too_many{false};
    int depth{0};
    std::string key, text; // being read, in parts

    bool value(json_field::kind type, std::int64_t integer = 0) {
        bool const in_texts = is_object && depth == 2 && fields.back().type == json_field::kind::texts;
        if (is_object && depth == 1) fields.push_back({std::move(key), type, std::move(text), {}, integer});
        else if (in_texts && type == json_field::kind::text) fields.back().texts.push_back(std::move(text));
        else if (in_texts) fields.back().type = json_field::kind::other;
        key.clear();
        text.clear();
        return true;
    }
    bool open(json_field::kind type) {
        if (depth == 0) is_object = type == json_field::kind::other;
        else value(depth == 1 ? type : json_field::kind::other);
        ++depth;
        return true;
    }
    // Ends the parse at the first member beyond the limit.
    bool name(error& e) {
        if (depth != 1 || fields.size() < json_fields::most_fields) return true;
        too_many = true;
        e = json::error::object_too_large;
        return false;
    }
    bool close() {
        --depth;
        return true;
    }

    bool on_document_begin(error&) { return true; }
    bool on_document_end(error&) { return true; }
    bool on_object_begin(error&) { return open(json_field::kind::other); }
    bool on_object_end(std::size_t, error&) { return close(); }
    bool on_array_begin(error&) { return open(json_field::kind::texts); }
    bool on_array_end(std::size_t, error&) { return close(); }
    bool on_key_part(json::string_view part, std::size_t, error&) {
        key.append(part.data(), part.size());
        return true;
    }
    bool on_key(json::string_view part, std::size_t size, error& e) { return on_key_part(part, size, e) && name(e); }
    bool on_string_part(json::string_view part, std::size_t, error&) {
        text.append(part.data(), part.size());
        return true;
    }
    bool on_string(json::string_view part, std::size_t size, error& e) {
        return on_string_part(part, size, e) && value(json_field::kind::text);
    }
    bool on_number_part(json::string_view, error&) { return true; }
    bool on_int64(std::int64_t number, json::string_view, error&) { return value(json_field::kind::integer, number); }
    bool on_uint64(std::uint64_t, json::string_view, error&) { return value(json_field::kind::number); }
    bool on_double(double, json::string_view, error&) { return value(json_field::kind::number); }
    bool on_bool(bool flag, error&) { return value(json_field::kind::boolean, flag ? 1 : 0); }
    bool on_null(error&) { return value(json_field::kind::null); }
    bool on_comment_part(json::string_view, error&) { return true; }
    bool on_comment(json::string_view, error&) { return true; }
};

} // namespace

json_fields::json_fields(std::string_view body) {
    json::basic_parser<field_handler> parser{json::parse_options{}};
    boost::system::error_code error;
    auto const read = parser.write_some(false, body.data(), body.size(), error);
    if (!error && read < body.size()) error = json::error::extra_data;
    auto& found = parser.handler();
    readable_ = !error && found.is_object;
    if (found.too_many) problem("", "too_many", "Must have at most " + std::to_string(most_fields) + " members.");
    else if (error) problem("", "malformed_json", "Must be JSON: " + error.message() + ".");
    else if (!found.is_object) problem("", "wrong_type", "Must be a JSON object.");
    if (!readable_) return;
    fields_ = std::move(found.fields);
    refuse_repeated();
}

void json_fields::refuse_repeated() {
    std::sort(fields_.begin(), fields_.end(), [](auto const& a, auto const& b) { return a.name < b.name; });
    std::vector<json_field> given_once;
    for (auto at = fields_.begin(); at != fields_.end();) {
        auto const next = std::find_if(at, fields_.end(), [&](auto const& field) { return field.name != at->name; });
        if (next - at == 1) {
            given_once.push_back(std::move(*at));
        } else {
            problem(at->name, "repeated", "Send this field only once.");
            repeated_.push_back(std::move(at->name));
        }
        at = next;
    }
    fields_ = std::move(given_once);
}

json_field* json_fields::find(std::string_view name, presence wanted, std::string_view type_message) {
    if (!readable_ || std::find(repeated_.begin(), repeated_.end(), name) != repeated_.end()) return nullptr;
    auto const found =
        std::find_if(fields_.begin(), fields_.end(), [&](json_field const& field) { return field.name == name; });
    if (found == fields_.end() && wanted == presence::required) problem(name, "missing", "Must be given.");
    if (found == fields_.end()) return nullptr;
    if (found->type != json_field::kind::null) return &*found;
    if (wanted == presence::required) refuse_type(name, type_message);
    return nullptr;
}

std::nullopt_t json_fields::refuse_type(std::string_view name, std::string_view type_message) {
    problem(name, "wrong_type", std::string(type_message));
    return std::nullopt;
}

std::optional<std::string> json_fields::text(std::string_view name, presence wanted) {
    constexpr std::string_view type = "Must be a string.";
    auto* const found = find(name, wanted, type);
    if (found == nullptr) return std::nullopt;
    if (found->type != json_field::kind::text) return refuse_type(name, type);
    return found->text;
}

std::optional<std::vector<std::string>> json_fields::texts(std::string_view name, presence wanted, std::size_t most) {
    constexpr std::string_view type = "Must be an array of strings.";
    auto* const found = find(name, wanted, type);
    if (found == nullptr) return std::nullopt;
    if (found->type != json_field::kind::texts) return refuse_type(name, type);
    if (found->texts.size() <= most) return found->texts;
    problem(name, "too_many", "Must be at most " + std::to_string(most) + " strings.");
    return std::nullopt;
}

std::optional<std::int64_t> json_fields::integer(std::string_view name, std::int64_t least, std::int64_t most) {
    constexpr std::string_view type = "Must be a number.";
    using kind = json_field::kind;
    auto* const found = find(name, presence::optional, type);
    if (found == nullptr) return std::nullopt;
    if (found->type != kind::integer && found->type != kind::number) return refuse_type(name, type);
    if (found->type == kind::integer && found->integer >= least && found->integer <= most) return found->integer;
    problem(name, "out_of_range",
            "Must be a whole number from " + std::to_string(least) + " to " + std::to_string(most) + ".");
    return std::nullopt;
}

std::optional<bool> json_fields::boolean(std::string_view name) {
    constexpr std::string_view type = "Must be true or false.";
    auto* const found = find(name, presence::optional, type);
    if (found == nullptr) return std::nullopt;
    if (found->type != json_field::kind::boolean) return refuse_type(name, type);
    return found->integer != 0;
}

std::optional<uuid> json_fields::id(std::string_view name, presence wanted) {
    auto const written = text(name, wanted);
    auto const read = written ? parse_id(*written) : std::nullopt;
    if (written && !read) problem(name, "invalid", "Must be an id: 32 hex characters, or the same as a dashed UUID.");
    return read;
}

std::optional<timestamp> json_fields::time(std::string_view name) {
    auto const written = text(name, presence::required);
    if (!written) return std::nullopt;
    auto const read = read_utc_time(*written);
    if (read.fault == time_fault::none) return read.at;
    problem(name, "invalid", std::string(advice_on(read.fault)));
    return std::nullopt;
}

void json_fields::refuse_others(std::initializer_list<std::string_view> known) {
    for (auto const& field : fields_)
        if (std::find(known.begin(), known.end(), field.name) == known.end())
            problem(field.name, "unknown",
                    unknown_message("Unknown field.", field.name, {known.begin(), known.size()}));
}

void json_fields::problem(std::string_view name, std::string_view reason, std::string message) {
    problems_.push_back({"body", printable(name, 100), std::string(reason), std::move(message)});
}

} // namespace recruiting::http
