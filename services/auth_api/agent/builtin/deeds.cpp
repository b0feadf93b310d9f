#include "auth_api/agent/builtin/deeds.hpp"

#include "auth_api/agent/builtin/wording.hpp"

#include <algorithm>
#include <array>

namespace recruiting::auth_api::agent::responder {
namespace {

struct action_words {
    std::string_view action;
    std::string_view told;
    bool changes; // something of the organization
};
constexpr auto actions = std::to_array<action_words>({
    {"key.created", "created an API key", true},
    {"key.revoked", "revoked an API key", true},
    {"member.added", "added a member", true},
    {"member.removed", "removed a member", true},
    {"member.restored", "took a member back", true},
    {"member.role_changed", "changed a member's role", true},
    {"organization.created", "created the organization", false},
    {"agent.tool_call", "used an agent's tool", false},
    {"agent.run_started", "asked the agent", false},
    {"agent.run_completed", "was answered by the agent", false},
    {"agent.run_failed", "asked the agent", false},
});

std::string actor_of(record const& row) {
    auto const actor = row["actor"];
    auto const email = shown(actor.text("email"));
    auto who = email.empty() ? spaced(actor.text("type")) : email;
    if (!actor.text("role").empty()) who += " (" + spaced(actor.text("role")) + ")";
    return who.empty() ? "somebody" : who;
}

std::string told(record const& row) {
    auto const action = row.text("action");
    auto const known = std::ranges::find(actions, action, &action_words::action);
    std::string text = known == actions.end() ? spaced(action) : std::string(known->told);
    if (action == "api.request") text = shown(row.text("method")) + ' ' + shown(row.text("endpoint"));
    else if (action == "agent.tool_call" && !row.text("endpoint").empty()) text += ": " + shown(row.text("endpoint"));
    if (!row.text("credentialName").empty()) text += " with the key " + in_quotes(row.text("credentialName"));
    return text;
}

// "added", "created" and "removed" are said of keys and of members.
std::string_view action_of(word const& one, bool of_key, bool of_member) {
    if (one.is != sense::deed) return {};
    if (of_key && !of_member)
        return one.value == "member.added" ? "key.created" : one.value == "member.removed" ? "key.revoked" : one.value;
    if (one.value == "key.created") return of_member ? "member.added" : "";
    return one.value;
}

} // namespace

std::vector<std::string> actions_in(prompt const& asked) {
    using enum sense;
    std::vector<std::string> found;
    for (auto const& one : asked.words())
        if (auto const action = action_of(one, asked.has(key), asked.has(member)); !action.empty())
            found.emplace_back(action);
    bool const of_role = asked.has(role) || asked.says("role");
    if (found.empty() && of_role && asked.has_any({deed, change})) found.emplace_back("member.role_changed");
    if (!found.empty() || !asked.has(change)) return found;
    for (auto const& one : actions)
        if (one.changes) found.emplace_back(one.action);
    return found;
}

std::string deed_line(record const& row) {
    auto line = minute_of(row.text("occurredAt")) + ' ' + actor_of(row) + ' ' + told(row);
    if (row["success"] && !row.is_true("success")) {
        bool const run_failed = row.text("action") == "agent.run_failed" || row.text("errorCode") == "agent_run_failed";
        line += run_failed ? ": failed" : ": refused";
        if (!row.text("errorCode").empty()) line += " (" + shown(row.text("errorCode")) + ")";
    }
    return line;
}

} // namespace recruiting::auth_api::agent::responder
