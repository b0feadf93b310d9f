#include "public_api/scheduling/json_fields.hpp"

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>

namespace recruiting::public_api {
namespace {

namespace json = boost::json;

// What the parser tells: only the outermost object's fields are kept, values within values are passed over.
struct field_handler {
    static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
    static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
    static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
    static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);
    using error = boost::system::error_code;

    std::vector<json_field> fields;
    bool is_object{false};
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
    bool on_key(json::string_view part, std::size_t size, error& e) { return on_key_part(part, size, e); }
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
    if (error) problem("", "malformed_json", "Must be JSON: " + error.message() + ".");
    else if (!found.is_object) problem("", "wrong_type", "Must be a JSON object.");
    if (readable_) fields_ = std::move(found.fields);
}

std::optional<std::string> json_fields::text(std::string_view name, presence wanted) {
    if (!readable_) return std::nullopt;
    auto const is_it = [&](json_field const& field) { return field.name == name; };
    auto const found = std::find_if(fields_.begin(), fields_.end(), is_it);
    if (found != fields_.end() && std::any_of(found + 1, fields_.end(), is_it)) {
        problem(name, "repeated", "Give this field once.");
        return std::nullopt;
    }
    if (found != fields_.end() && found->type == json_field::kind::text) return found->text;
    if (found != fields_.end() && (found->type == json_field::kind::other || wanted == presence::required))
        problem(name, "wrong_type", "Must be a string.");
    else if (wanted == presence::required) problem(name, "missing", "Must be given.");
    return std::nullopt;
}

void json_fields::problem(std::string_view name, std::string_view reason, std::string message) {
    problems_.push_back({"body", std::string(name), std::string(reason), std::move(message)});
}

} // namespace recruiting::public_api
