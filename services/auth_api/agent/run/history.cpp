#include "auth_api/agent/run/history.hpp"

#include "http/json_writer.hpp"

#include <boost/json.hpp>

namespace recruiting::auth_api::agent {
namespace {

namespace json = boost::json;

constexpr auto failed_note = "(This run did not complete; it may have had effects.)";

std::string text_of(json::object const& from, std::string_view name) {
    auto const* const found = from.if_contains({name.data(), name.size()});
    auto const* const text = found == nullptr ? nullptr : found->if_string();
    return text == nullptr ? std::string() : std::string(text->data(), text->size());
}

} // namespace

std::vector<message> history_of(std::span<stored_message const> stored) {
    std::vector<message> history;
    for (auto const& entry : stored) {
        bool const prompt = entry.said.from == speaker::user;
        if (history.empty() && !prompt) continue;
        if (entry.of_run == run_status::completed) {
            history.push_back(entry.said);
        } else if (prompt) {
            history.push_back(entry.said);
            history.push_back({speaker::assistant, failed_note, {}, {}, {}});
        }
    }
    return history;
}

std::string tool_calls_json(std::span<tool_call const> calls) {
    std::string out;
    if (calls.empty()) return out;
    http::json_writer json(out);
    json.open_array();
    for (auto const& call : calls) {
        json.open_object();
        json.field("id", std::string_view(call.id)).field("name", std::string_view(call.name));
        json.field("arguments", std::string_view(call.arguments)).close_object();
    }
    json.close_array();
    return out;
}

std::vector<tool_call> read_tool_calls(std::string_view text) {
    std::vector<tool_call> calls;
    boost::system::error_code error;
    auto const parsed = json::parse({text.data(), text.size()}, error);
    if (error || !parsed.is_array()) return calls;
    for (auto const& entry : parsed.get_array())
        if (auto const* const call = entry.if_object())
            calls.push_back({text_of(*call, "id"), text_of(*call, "name"), text_of(*call, "arguments")});
    return calls;
}

} // namespace recruiting::auth_api::agent
