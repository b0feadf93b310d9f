#include "auth_api/agent/builtin/desk.hpp"

#include "auth_api/agent/builtin/refusals.hpp"

#include <algorithm>
#include <boost/json/serialize.hpp>

namespace recruiting::auth_api::agent::responder {
namespace json = boost::json;

desk::desk(std::span<message const> run, std::span<tool_description const> tools, timestamp now)
    : tools_(tools), now_(now) {
    for (auto const& one : run) {
        for (auto const& call : one.tool_calls) exchanges_.push_back({call, std::nullopt});
        if (one.from != speaker::tool) continue;
        auto const asked = std::ranges::find(exchanges_, one.tool_call_id, [](exchange const& e) { return e.call.id; });
        if (asked != exchanges_.end()) asked->result = read_result(one.content);
    }
}

desk::exchange const* desk::find(std::string_view tool, std::string_view arguments) const {
    auto const found = std::ranges::find_if(exchanges_, [&](exchange const& known) {
        return known.call.name == tool && known.call.arguments == arguments;
    });
    return found == exchanges_.end() ? nullptr : &*found;
}

void desk::note(std::string_view tool, std::string arguments) {
    auto const noted = std::ranges::find_if(
        wanted_, [&](tool_call const& known) { return known.name == tool && known.arguments == arguments; });
    if (noted != wanted_.end()) return;
    auto const number = exchanges_.size() + wanted_.size() + 1;
    wanted_.push_back({"call_" + std::to_string(number), std::string(tool), std::move(arguments)});
}

desk::answer desk::try_ask(std::string_view tool, json::object const& arguments) {
    auto text = json::serialize(arguments);
    if (auto const* const known = find(tool, text)) {
        if (!known->result) return {{}, std::string(no_answer)};
        record const root(&*known->result);
        if (root["data"]) return {root, {}};
        auto const code = root["error"].text("code");
        return {{}, std::string(code.empty() ? no_answer : code)};
    }
    bool const offered = std::ranges::find(tools_, tool, &tool_description::name) != tools_.end();
    if (!offered) return {{}, std::string(tools_.empty() ? too_long : not_offered)};
    note(tool, std::move(text));
    return {};
}

record desk::ask(std::string_view tool, json::object const& arguments) {
    auto const [data, code] = try_ask(tool, arguments);
    if (!data && !code.empty()) say(refusal(tool, code));
    return data;
}

std::optional<listing> desk::ask_all(std::string_view tool, json::object arguments, page_limits const& limits) {
    listing all;
    arguments["limit"] = limits.size;
    for (std::size_t pages = 0; pages < limits.most_pages; ++pages) {
        auto const [page, code] = try_ask(tool, arguments);
        bool const spent = code == too_long || code == "rate_limited";
        if (spent && pages > 0) break;
        if (!code.empty()) say(refusal(tool, code));
        if (!page) return std::nullopt;
        for (auto const& item : page["data"].items()) all.items.push_back(item);
        auto const cursor = page["page"].text("nextCursor");
        if (cursor.empty()) {
            all.complete = static_cast<bool>(page["page"]) && !page["page"].is_true("hasMore");
            return all;
        }
        arguments["cursor"] = cursor;
    }
    all.complete = false;
    return all;
}

void desk::say(std::string text) {
    if (said_.empty()) said_ = std::move(text);
}

model_reply desk::reply() && {
    if (said_.empty()) return {{}, std::move(wanted_), {}};
    return {std::move(said_), {}, {}};
}

} // namespace recruiting::auth_api::agent::responder
