#include "auth_api/agent/tools/read_tool.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <cmath>

namespace recruiting::auth_api::agent {
namespace {

namespace json = boost::json;

constexpr std::size_t longest_text = 16 * 1024; // of the first try; each further one halves both
constexpr std::size_t longest_list = 128;
constexpr std::size_t shortest_text = 16;

struct bounds {
    std::size_t text{longest_text};
    std::size_t list{longest_list};
};

void truncate(json::value& value, bounds const& most) {
    if (auto* const text = value.if_string()) {
        if (text->size() <= most.text) return;
        text->resize(truncate_utf8({text->data(), text->size()}, most.text).size());
        text->append("…");
    } else if (auto* const list = value.if_array()) {
        if (list->size() > most.list) list->erase(list->begin() + static_cast<std::ptrdiff_t>(most.list), list->end());
        for (auto& item : *list) truncate(item, most);
    } else if (auto* const object = value.if_object()) {
        bool shortened = false;
        for (auto& member : *object) {
            auto const* const inner = member.value().if_array();
            shortened = shortened || (inner != nullptr && inner->size() > most.list);
            truncate(member.value(), most);
        }
        if (auto* const more = object->if_contains("hasMore"); more != nullptr && shortened) *more = true;
    }
}

// A list that came out too long is asked for again with fewer rows, so that its cursor goes on where it ends.
std::int64_t smaller_limit(std::int64_t limit, std::size_t size, std::size_t most) {
    auto const fitting = limit * static_cast<std::int64_t>(most) / static_cast<std::int64_t>(size);
    return std::max<std::int64_t>(1, std::min(limit / 2, fitting));
}

constexpr std::size_t longest_arguments = 16 * 1024;
constexpr std::size_t deepest_arguments = 4;        // a nested value is wrong anyway: this only bounds reading it
constexpr double exact_integers = 9007199254740992; // 2^53: a larger double may stand for another integer

using problems = std::vector<error_detail>;

void add(problems& to, std::string_view field, std::string_view reason, std::string message) {
    to.push_back({"arguments", std::string(field), std::string(reason), std::move(message)});
}

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
    return "Must be a string.";
}

void read_member(problems& wrong, tool_input& input, tool const& which, std::string_view name,
                 json::value const& given) {
    auto const* const expected = which.find(name);
    if (expected == nullptr) return add(wrong, name, "unknown", "This tool has no such parameter.");
    if (given.is_null()) return;
    auto value = text_of(expected->kind, given);
    if (!value) return add(wrong, name, "wrong_type", std::string(wanted_type(expected->kind)));
    if (!value->empty()) input.values.emplace(name, std::move(*value));
}

} // namespace

std::string truncate_record(std::string_view text, std::size_t most) {
    boost::system::error_code failed;
    auto record = json::parse(text, failed);
    bounds allowed;
    while (!failed && record.is_object() && allowed.text >= shortest_text) {
        truncate(record, allowed);
        json::object out{{"truncated", true}};
        for (auto const& member : record.get_object()) out.insert(member);
        if (auto shorter = json::serialize(out); shorter.size() <= most) return shorter;
        allowed = {allowed.text / 2, std::max<std::size_t>(allowed.list / 2, 1)};
    }
    return R"({"truncated":true,"data":null})";
}

task<tool_outcome> run_read_tool(tool_dependencies const& on, run_context const& run, tool const* which,
                                 result<tool_input> input, tracing::parent trace) {
    auto const most = static_cast<std::size_t>(on.settings.tool_result_limit);
    for (;;) {
        auto const asked = input ? request_of(*which, *input) : tool_request{};
        auto bound = input ? bind_tool(on.signer, *which, asked) : input.error();
        auto const scope = which == nullptr ? std::string_view() : which->scope;
        read_request request{run.presented, run.facts(), scope, std::move(bound), trace, asked.path, asked.query};
        auto read = co_await execute_read(on.reads, on.signer, request);
        tool_outcome out{std::move(read.principal), std::move(read.error), std::move(read.answer.body)};
        if (out.error || out.content.size() <= most) co_return out;
        auto const limit = input->limit();
        if (!which->is_list() || limit <= 1) {
            out.content = truncate_record(out.content, most);
            co_return out;
        }
        input->set_limit(smaller_limit(limit, out.content.size(), most));
    }
}

std::int64_t tool_input::limit() const {
    auto const given = values.find("limit");
    if (given == values.end()) return default_list_limit;
    return parse_number<std::int64_t>(given->second).value_or(0);
}

result<tool_input> read_arguments(tool const& which, std::string_view text) {
    problems wrong;
    json::parse_options options;
    options.max_depth = deepest_arguments;
    boost::system::error_code failed;
    json::value given = json::object();
    if (text.size() > longest_arguments)
        add(wrong, "", "too_long", "Must be at most " + std::to_string(longest_arguments) + " bytes.");
    else if (!trim(text).empty()) given = json::parse(text, failed, {}, options); // nothing at all: no arguments
    if (failed) add(wrong, "", "malformed_json", "Must be a JSON object.");
    else if (!given.is_object() && !given.is_null()) add(wrong, "", "wrong_type", "Must be a JSON object.");
    if (!wrong.empty()) return invalid_request(std::move(wrong));
    return read_arguments(which, given.is_object() ? given.get_object() : json::object(), default_list_limit);
}

result<tool_input> read_arguments(tool const& which, json::object const& given, std::int64_t default_limit) {
    problems wrong;
    tool_input input;
    for (auto const& [name, value] : given) read_member(wrong, input, which, name, value);
    if (!wrong.empty()) return invalid_request(std::move(wrong));
    for (auto const& expected : which.parameters)
        if (expected.required && !input.values.contains(expected.name))
            add(wrong, expected.name, "missing", "Must be given.");
    if (!wrong.empty()) return invalid_request(std::move(wrong));
    if (which.is_list() && !input.values.contains("limit")) input.set_limit(default_limit);
    if (which.find("syncToken") != nullptr) input.values.try_emplace("syncToken"); // empty: the first one
    return input;
}

tool_request request_of(tool const& which, tool_input const& input) {
    tool_request out;
    out.path = which.endpoint;
    for (auto const& expected : which.parameters) {
        auto const given = input.values.find(expected.name);
        if (given == input.values.end()) continue;
        if (expected.in_path) {
            out.path_values.values[out.path_values.count++] = given->second;
            auto const begin = out.path.find('{');
            out.path.replace(begin, out.path.find('}') + 1 - begin, percent_encode(given->second));
            continue;
        }
        out.query.append(out.query.empty() ? "" : "&").append(expected.name).append("=");
        out.query.append(percent_encode(given->second));
    }
    return out;
}

result<prepared_read> bind_tool(http::token_signer const& signer, tool const& which, tool_request const& asked) {
    http::query_reader query(asked.query);
    bind_input in{asked.path_values, query, signer};
    auto bound = which.bind(in);
    if (!bound) return as_argument_error(bound.error());
    return bound;
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
