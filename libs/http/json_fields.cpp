#include "http/json_fields.hpp"

#include "core/redact.hpp"
#include "http/problem.hpp"

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>

namespace recruiting::http {
namespace {

namespace json = boost::json;

// What the parser reports: only the outermost object's fields are kept, values within values are passed over.
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

    bool value(json_field::kind type) {
        if (depth == 1 && is_object) fields.push_back({std::move(key), type, std::move(text)});
        key.clear();
        text.clear();
        return true;
    }
    bool open(bool object) {
        if (depth == 0) is_object = object;
        else value(json_field::kind::other);
        ++depth;
        return true;
    }
    // What comes after the last member that is read is not read any more.
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
    bool on_object_begin(error&) { return open(true); }
    bool on_object_end(std::size_t, error&) { return close(); }
    bool on_array_begin(error&) { return open(false); }
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
    bool on_int64(std::int64_t, json::string_view, error&) { return value(json_field::kind::other); }
    bool on_uint64(std::uint64_t, json::string_view, error&) { return value(json_field::kind::other); }
    bool on_double(double, json::string_view, error&) { return value(json_field::kind::other); }
    bool on_bool(bool, error&) { return value(json_field::kind::other); }
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
            problem(at->name, "repeated", "Give this field once.");
            repeated_.push_back(std::move(at->name));
        }
        at = next;
    }
    fields_ = std::move(given_once);
}

std::optional<std::string> json_fields::text(std::string_view name, presence wanted) {
    if (!readable_ || std::find(repeated_.begin(), repeated_.end(), name) != repeated_.end()) return std::nullopt;
    auto const found =
        std::find_if(fields_.begin(), fields_.end(), [&](json_field const& field) { return field.name == name; });
    if (found != fields_.end() && found->type == json_field::kind::text) return found->text;
    if (found != fields_.end() && (found->type == json_field::kind::other || wanted == presence::required))
        problem(name, "wrong_type", "Must be a string.");
    else if (wanted == presence::required) problem(name, "missing", "Must be given.");
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
