#include "auth_api/agent/builtin/dialogue.hpp"

#include "auth_api/agent/tools/catalogue.hpp"
#include "core/redact.hpp"

#include <algorithm>
#include <boost/json.hpp>

namespace recruiting::auth_api::agent::builtin {
namespace {

constexpr std::string_view no_rounds = "too_many_steps";

std::string refusal_text(std::string_view tool, std::string const& code) {
    std::string const scope(find_tool(tool)->scope);
    if (code.starts_with("insufficient_")) return "Your role or API key does not allow that: it needs " + scope + ".";
    return "I could not read that (" + code + "). Ask again later.";
}

} // namespace

std::string text(json::value const& of, std::string_view name) {
    auto const& found = of.at(name);
    return found.is_string() ? printable(found.get_string(), 160) : "";
}

dialogue::dialogue(std::span<message const> run, std::span<tool_description const> tools) : tools_(tools) {
    for (auto const& one : run) {
        for (auto const& call : one.tool_calls) past_.emplace_back(call, json::object());
        if (one.from == message_role::tool && !past_.empty()) past_.back().second = json::parse(one.content);
    }
}

json::object const* dialogue::try_call(std::string_view tool, json::object const& arguments, std::string& refusal) {
    auto wanted = json::serialize(arguments);
    for (auto const& [call, result] : past_) {
        if (call.name != tool || call.arguments != wanted) continue;
        auto const& root = result.as_object();
        if (auto const* const data = root.if_contains("data"); data != nullptr && !data->is_null()) return &root;
        refusal = root.contains("error") ? text(root.at("error"), "code") : "no_result";
        return nullptr;
    }
    if (tools_.empty()) refusal = no_rounds;
    else reply_.tool_calls = {{"call_" + std::to_string(past_.size() + 1), std::string(tool), std::move(wanted)}};
    return nullptr;
}

json::value const* dialogue::call(std::string_view tool, json::object const& arguments) {
    std::string refusal;
    auto const* const found = try_call(tool, arguments, refusal);
    if (!refusal.empty()) answer(refusal_text(tool, refusal));
    return found == nullptr ? nullptr : &found->at("data");
}

std::optional<listing> dialogue::read_list(std::string_view tool, json::object arguments) {
    listing all;
    for (std::string refusal;;) {
        auto const* const page = try_call(tool, arguments, refusal);
        all.complete = refusal.empty();
        if (refusal == no_rounds && !all.items.empty()) return all;
        if (!refusal.empty()) answer(refusal_text(tool, refusal));
        if (page == nullptr) return std::nullopt;
        std::ranges::copy(page->at("data").as_array(), std::back_inserter(all.items));
        auto const& cursor = page->at("page").at("nextCursor");
        if (cursor.is_null()) return all;
        arguments["cursor"] = cursor;
    }
}

} // namespace recruiting::auth_api::agent::builtin
