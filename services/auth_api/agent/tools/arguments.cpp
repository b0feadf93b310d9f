#include "auth_api/agent/tools/arguments.hpp"

#include "core/text.hpp"

#include <boost/json/parse.hpp>
#include <cmath>

namespace recruiting::auth_api::agent {
namespace {

namespace json = boost::json;

constexpr std::size_t longest_arguments = 16 * 1024;
constexpr std::size_t deepest_arguments = 4;        // a nested value is wrong anyway: this only bounds reading it
constexpr double exact_integers = 9007199254740992; // 2^53: beyond it a double is no integer any more

class problems {
public:
    void add(std::string_view field, std::string_view reason, std::string message) {
        found_.push_back({"arguments", std::string(field), std::string(reason), std::move(message)});
    }
    [[nodiscard]] bool empty() const noexcept { return found_.empty(); }
    [[nodiscard]] api_error error() { return invalid_request(std::move(found_)); }

private:
    std::vector<error_detail> found_;
};

std::optional<std::string> integer_text(json::value const& given) {
    if (given.is_int64()) return std::to_string(given.get_int64());
    if (given.is_uint64()) return std::to_string(given.get_uint64());
    if (given.is_string()) return std::string(trim(std::string_view(given.get_string())));
    if (!given.is_double()) return std::nullopt;
    auto const number = given.get_double();
    if (std::abs(number) > exact_integers || std::floor(number) != number) return std::nullopt;
    return std::to_string(static_cast<std::int64_t>(number));
}

std::optional<std::string> boolean_text(json::value const& given) {
    if (given.is_bool()) return given.get_bool() ? "true" : "false";
    if (given.is_string()) return to_lower(trim(std::string_view(given.get_string())));
    return std::nullopt;
}

// The value as a query would hold it; nullopt: of another type.
std::optional<std::string> text_of(argument_kind kind, json::value const& given) {
    if (kind == argument_kind::integer) return integer_text(given);
    if (kind == argument_kind::boolean) return boolean_text(given);
    if (given.is_string()) return std::string(std::string_view(given.get_string()));
    return std::nullopt;
}

std::string_view wanted_type(argument_kind kind) {
    if (kind == argument_kind::integer) return "Must be a whole number.";
    if (kind == argument_kind::boolean) return "Must be true or false.";
    return "Must be a text.";
}

void read_member(problems& wrong, tool_input& input, tool const& which, std::string_view name,
                 json::value const& given) {
    auto const* const expected = which.find(name);
    if (expected == nullptr) return wrong.add(name, "unknown", "This tool has no such parameter.");
    if (given.is_null()) return;
    auto value = text_of(expected->kind, given);
    if (!value) return wrong.add(name, "wrong_type", std::string(wanted_type(expected->kind)));
    if (!value->empty()) input.values.emplace(name, std::move(*value));
}

} // namespace

std::int64_t tool_input::limit() const {
    auto const given = values.find("limit");
    if (given == values.end()) return default_list_limit;
    return parse_number<std::int64_t>(given->second).value_or(0);
}

result<tool_input> read_arguments(tool const& which, std::string_view text) {
    problems wrong;
    tool_input input;
    json::parse_options options;
    options.max_depth = deepest_arguments;
    boost::system::error_code failed;
    json::value given = json::object();
    if (text.size() > longest_arguments)
        wrong.add("", "too_long", "Must be at most " + std::to_string(longest_arguments) + " bytes.");
    else if (!trim(text).empty()) given = json::parse(text, failed, {}, options); // nothing at all: no arguments
    if (failed) wrong.add("", "malformed_json", "Must be a JSON object.");
    else if (given.is_object())
        for (auto const& [name, value] : given.get_object()) read_member(wrong, input, which, name, value);
    else if (!given.is_null()) wrong.add("", "wrong_type", "Must be a JSON object.");
    if (!wrong.empty()) return wrong.error();
    for (auto const& expected : which.parameters)
        if (expected.required && !input.values.contains(expected.name))
            wrong.add(expected.name, "missing", "Must be given.");
    if (!wrong.empty()) return wrong.error();
    if (which.is_list() && !input.values.contains("limit")) input.set_limit(default_list_limit);
    return input;
}

tool_request request_of(tool const& which, tool_input const& input) {
    tool_request out;
    out.path = which.endpoint.substr(0, which.endpoint.find("/{"));
    for (auto const& expected : which.parameters) {
        auto const given = input.values.find(expected.name);
        if (given == input.values.end()) continue;
        if (expected.in_path) {
            out.path_values.values[out.path_values.count++] = given->second;
            out.path.append("/").append(percent_encode(given->second));
            continue;
        }
        out.query.append(out.query.empty() ? "" : "&").append(expected.name).append("=");
        out.query.append(percent_encode(given->second));
    }
    return out;
}

result<std::string> text_argument(tool const& which, result<tool_input> const& input, std::string_view name,
                                  std::size_t longest) {
    if (!input) return input.error();
    auto const asked = request_of(which, *input);
    http::query_reader query(asked.query);
    auto const given = query.text(name, longest);
    if (!query.ok()) return as_argument_error(invalid_request(query.take_problems()));
    return std::string(trim(given.value_or("")));
}

api_error as_argument_error(api_error error) {
    for (auto& detail : error.details)
        if (detail.location == "query") detail.location = "arguments";
    return error;
}

} // namespace recruiting::auth_api::agent
