#include "auth_api/agent/model/chat_answer.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <string>

namespace recruiting::auth_api::agent {
namespace {

namespace json = boost::json;

constexpr std::size_t deepest = 64;
constexpr std::int64_t most_tokens = 1'000'000'000; // of one call; what is said above it is no count
constexpr std::size_t longest_id = 128;
constexpr std::size_t longest_name = 64; // of a function, in the OpenAI protocol

model_failure bad(char const* detail) { return {model_failure::kind::bad_answer, detail}; }

std::string without_nul(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (char const c : text)
        if (c == '\0') out += "\xEF\xBF\xBD";
        else out += c;
    return out;
}

std::string_view view_of(json::string const& text) { return {text.data(), text.size()}; }

json::value const* member(json::value const* of, std::string_view name) {
    auto const* const object = of == nullptr ? nullptr : of->if_object();
    auto const* const found = object == nullptr ? nullptr : object->if_contains({name.data(), name.size()});
    return found == nullptr || found->is_null() ? nullptr : found;
}

std::string_view text_member(json::value const* of, std::string_view name) {
    auto const* const found = member(of, name);
    return found != nullptr && found->is_string() ? view_of(found->get_string()) : std::string_view();
}

// A text, or a list of parts of which those with a text count.
bool read_content(json::value const* content, std::string& into) {
    if (content == nullptr) return true;
    if (auto const* const text = content->if_string()) {
        into = without_nul(view_of(*text));
        return true;
    }
    auto const* const parts = content->if_array();
    if (parts == nullptr) return false;
    for (auto const& part : *parts) into += without_nul(text_member(&part, "text"));
    return true;
}

std::string read_arguments(json::value const* arguments) {
    if (arguments == nullptr) return "{}";
    if (!arguments->is_string()) return json::serialize(*arguments);
    auto const text = view_of(arguments->get_string());
    return trim(text).empty() ? "{}" : without_nul(text);
}

std::string read_name(std::string_view name) {
    std::string out(name.substr(0, longest_name));
    std::replace_if(
        out.begin(), out.end(), [](char c) { return !is_alphanumeric(c) && c != '_' && c != '-'; }, '_');
    return out;
}

std::string read_id(std::string_view id, std::string_view prefix, std::vector<tool_call> const& before) {
    auto const taken = [&](auto const& call) { return call.id == id; };
    bool const fit = !id.empty() && id.size() <= longest_id && id.find('\0') == id.npos;
    if (fit && std::none_of(before.begin(), before.end(), taken)) return std::string(id);
    return std::string(prefix) + std::to_string(before.size());
}

// A call without a name is none.
bool read_calls(json::value const* calls, std::string_view id_prefix, std::vector<tool_call>& into) {
    if (calls == nullptr) return true;
    auto const* const list = calls->if_array();
    if (list == nullptr) return false;
    for (auto const& entry : *list) {
        auto const* const function = member(&entry, "function");
        auto const name = text_member(function, "name");
        if (name.empty()) continue;
        into.push_back({read_id(text_member(&entry, "id"), id_prefix, into), read_name(name),
                        read_arguments(member(function, "arguments"))});
    }
    return true;
}

std::int64_t read_count(json::value const* of, std::string_view name) {
    auto const* const found = member(of, name);
    if (found == nullptr || !found->is_int64()) return 0;
    return std::clamp<std::int64_t>(found->get_int64(), 0, most_tokens);
}

model_result read_completion(json::value const& answer, std::string_view id_prefix) {
    if (!answer.is_object()) return bad("no object");
    if (member(&answer, "error") != nullptr) return bad("an error instead of an answer");
    auto const* const choices = member(&answer, "choices");
    if (choices == nullptr || !choices->is_array() || choices->get_array().empty()) return bad("no choices");
    auto const* const said = member(&choices->get_array().front(), "message");
    if (said == nullptr || !said->is_object()) return bad("no message");
    model_reply reply;
    if (!read_content(member(said, "content"), reply.content)) return bad("content of another type");
    if (!read_calls(member(said, "tool_calls"), id_prefix, reply.tool_calls)) return bad("tool calls of another type");
    auto const* const usage = member(&answer, "usage");
    reply.usage = {read_count(usage, "prompt_tokens"), read_count(usage, "completion_tokens")};
    return reply;
}

} // namespace

model_result read_chat_answer(std::string_view body, std::string_view id_prefix) {
    if (!is_utf8(body)) return bad("not UTF-8");
    json::parse_options options;
    options.max_depth = deepest;
    boost::system::error_code error;
    auto const answer = json::parse({body.data(), body.size()}, error, {}, options);
    if (error == json::error::too_deep) return bad("nested too deeply");
    if (error) return bad("not JSON");
    return read_completion(answer, id_prefix);
}

} // namespace recruiting::auth_api::agent
