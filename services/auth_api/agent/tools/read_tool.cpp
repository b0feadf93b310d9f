#include "auth_api/agent/tools/read_tool.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

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

void truncate_text(json::string& text, std::size_t most) {
    if (text.size() <= most) return;
    text.resize(truncate_utf8({text.data(), text.size()}, most).size());
    text.append("…");
}

void truncate(json::value& value, bounds const& most);

void truncate(json::array& list, bounds const& most) {
    if (list.size() > most.list) list.erase(list.begin() + static_cast<std::ptrdiff_t>(most.list), list.end());
    for (auto& item : list) truncate(item, most);
}

void truncate(json::object& object, bounds const& most) {
    bool shortened = false;
    for (auto& member : object) {
        auto const* const list = member.value().if_array();
        shortened = shortened || (list != nullptr && list->size() > most.list);
        truncate(member.value(), most);
    }
    if (auto* const more = object.if_contains("hasMore"); more != nullptr && shortened) *more = true;
}

void truncate(json::value& value, bounds const& most) {
    if (value.is_string()) truncate_text(value.get_string(), most.text);
    else if (value.is_array()) truncate(value.get_array(), most);
    else if (value.is_object()) truncate(value.get_object(), most);
}

result<prepared_read> bind(tool_runtime on, tool const& which, tool_request const& asked) {
    http::request request;
    request.method = "GET";
    request.path = asked.path;
    request.query = asked.query;
    http::query_reader query(asked.query);
    bind_input in{request, asked.path_values, query, on.signer};
    auto bound = which.bind(in);
    if (!bound) return as_argument_error(bound.error());
    return bound;
}

// A list that came out too long is asked for again with fewer rows, so that its cursor goes on where it ends.
std::int64_t smaller_limit(std::int64_t limit, std::size_t size, std::size_t most) {
    auto const fitting = limit * static_cast<std::int64_t>(most) / static_cast<std::int64_t>(size);
    return std::max<std::int64_t>(1, std::min(limit / 2, fitting));
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

task<tool_outcome> run_read_tool(tool_runtime on, run_context const& run, tool const* which, result<tool_input> input) {
    for (;;) {
        tool_request asked;
        read_request request{run.secret_hash, {}, {}, make_error(error_code::not_found), {}, {}, on.trace};
        request.facts.client = run.client;
        if (which != nullptr) request.required_scope = which->scope;
        if (which != nullptr && input) {
            asked = request_of(*which, *input);
            request.bound = bind(on, *which, asked);
            request.path = asked.path;
            request.query = asked.query;
        } else {
            request.bound = input.error();
        }
        auto read = co_await execute_read(on.reads, on.signer, request);
        tool_outcome out{std::move(read.principal), std::move(read.error), std::move(read.answer.body)};
        if (out.error || out.content.size() <= on.result_limit) co_return out;
        auto const limit = input->limit();
        if (!which->is_list() || limit <= 1) {
            out.content = truncate_record(out.content, on.result_limit);
            co_return out;
        }
        input->set_limit(smaller_limit(limit, out.content.size(), on.result_limit));
    }
}

} // namespace recruiting::auth_api::agent
