#include "auth_api/agent/model/chat_request.hpp"

#include "http/json_writer.hpp"

#include <boost/json/parse.hpp>

namespace recruiting::auth_api::agent {
namespace {

// Ollama and llama.cpp refuse a whole conversation over one earlier call whose arguments are no JSON object, and models
// do write such: what was wrong with it stands in the call's result.
std::string_view arguments_to_send(std::string_view arguments) {
    boost::system::error_code error;
    auto const parsed = boost::json::parse({arguments.data(), arguments.size()}, error);
    return !error && parsed.is_object() ? arguments : std::string_view("{}");
}

void write_calls(http::json_writer& json, std::span<tool_call const> calls) {
    if (calls.empty()) return;
    json.key("tool_calls").open_array();
    for (auto const& call : calls) {
        json.open_object().field("id", std::string_view(call.id)).field("type", "function");
        json.key("function").open_object().field("name", std::string_view(call.name));
        json.field("arguments", arguments_to_send(call.arguments)).close_object().close_object();
    }
    json.close_array();
}

void write_message(http::json_writer& json, message const& said, fence const& around_data) {
    json.open_object();
    switch (said.from) {
    case speaker::user: json.field("role", "user").field("content", std::string_view(said.content)); break;
    case speaker::assistant:
        json.field("role", "assistant").field("content", std::string_view(said.content));
        write_calls(json, said.tool_calls);
        break;
    case speaker::tool:
        json.field("role", "tool").field("tool_call_id", std::string_view(said.tool_call_id));
        json.field("content", std::string_view(around_data.around(said.content)));
        break;
    }
    json.close_object();
}

void write_tools(http::json_writer& json, std::span<tool_description const> tools) {
    if (tools.empty()) return; // an empty list is an error for some servers, and so is a choice without tools
    json.key("tools").open_array();
    for (auto const& tool : tools) {
        json.open_object().field("type", "function").key("function").open_object();
        json.field("name", tool.name).field("description", tool.text);
        json.key("parameters").raw(tool.parameters).close_object().close_object();
    }
    json.close_array().field("tool_choice", "auto");
}

} // namespace

std::string chat_request_json(chat_request const& request, fence const& around_data) {
    std::string out;
    http::json_writer json(out);
    json.open_object().field("model", request.model).field("stream", false);
    json.field("max_tokens", request.answer_tokens);
    json.key("messages").open_array();
    json.open_object().field("role", "system").field("content", request.system_prompt).close_object();
    for (auto const& said : request.messages) write_message(json, said, around_data);
    json.close_array();
    write_tools(json, request.tools);
    json.close_object();
    return out;
}

} // namespace recruiting::auth_api::agent
