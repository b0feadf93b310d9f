// Who did what and when: the newest entries of the audit log, by action, person, outcome and time.
#include "auth_api/agent/builtin/intents.hpp"
#include "auth_api/agent/builtin/wording.hpp"

#include <algorithm>
#include <array>

namespace recruiting::auth_api::agent::builtin {
namespace {

constexpr page_limits shown_entries{20, 1};
constexpr page_limits actor_pages{90, 6};

struct action_words {
    std::string_view action;
    std::string_view words;
};
constexpr auto actions = std::to_array<action_words>({
    {"key.created", "created an API key"},
    {"key.revoked", "revoked an API key"},
    {"member.added", "added a member"},
    {"member.removed", "removed a member"},
    {"member.role_changed", "changed a member's role"},
    {"agent.tool_call", "used an agent's tool"},
    {"agent.run_started", "asked the agent"},
    {"agent.run_completed", "was answered by the agent"},
    {"agent.run_failed", "asked the agent"},
});

struct wanted_entries {
    std::string action; // empty: every one
    std::string person; // by name or e-mail address; empty: everybody
    bool failed{false};
    std::optional<named_time> when;
};

std::string actor_of(record const& entry) {
    auto const actor = entry["actor"];
    auto text = shown(actor.text("email"));
    if (text.empty()) text = spaced(actor.text("type"));
    if (!actor.text("role").empty()) text += " (" + spaced(actor.text("role")) + ")";
    return text.empty() ? "somebody" : text;
}

std::string done_by(record const& entry) {
    auto const action = entry.text("action");
    auto const known = std::ranges::find(actions, action, &action_words::action);
    auto text = known == actions.end() ? spaced(action) : std::string(known->words);
    if (action == "api.request") text = shown(entry.text("method")) + ' ' + shown(entry.text("endpoint"));
    if (!entry.text("credentialName").empty()) text += " with the key " + in_quotes(entry.text("credentialName"));
    return text;
}

std::string entry_line(record const& entry) {
    auto const line = minute_of(entry.text("occurredAt")) + ' ' + actor_of(entry) + ' ' + done_by(entry);
    if (!entry["success"] || entry.is_true("success")) return line;
    auto const code = shown(entry.text("errorCode"));
    bool const run_failed = entry.text("action") == "agent.run_failed" || code == "agent_run_failed";
    return line + (run_failed ? ": failed" : ": refused") + (code.empty() ? "" : " (" + code + ")");
}

// nullopt while the member is not known yet. Answers when there is none, or several.
std::optional<record> find_member(dialogue& with, std::string const& name) {
    auto const members = with.read_list("list_members", {}, actor_pages);
    if (!members) return std::nullopt;
    auto found = members->items;
    std::erase_if(found, [&name](record const& one) {
        return one.text("email") != name && !holds_words(one.text("name"), name);
    });
    if (found.size() == 1) return found.front();
    if (found.empty()) with.answer("I found no member that matches " + in_quotes(name) + ".");
    else
        with.answer(
            "Several members match " + in_quotes(name) + ". Ask again with the e-mail address:" +
            bulleted(lines_of(found, [](record const& one) { return shown(one.text("email")); }), found.size()));
    return std::nullopt;
}

void list_entries(dialogue& with, wanted_entries const& wanted) {
    boost::json::object arguments;
    std::string about;
    if (!wanted.person.empty()) {
        auto const member = find_member(with, wanted.person);
        if (!member) return;
        arguments["memberId"] = std::string(member->text("id"));
        about = " by " + shown(member->text("name"));
    }
    if (!wanted.action.empty()) arguments["action"] = wanted.action;
    if (wanted.failed) arguments["success"] = false;
    if (wanted.when) {
        auto const range = range_of(*wanted.when, with.now());
        arguments["occurredAfter"] = format_time(range.from);
        if (range.before) arguments["occurredBefore"] = format_time(*range.before);
        about += ' ' + range.words;
    }
    auto const found = with.read_list("search_audit", std::move(arguments), shown_entries);
    if (!found) return;
    if (found->items.empty()) return with.answer("The audit log has no such entries" + about + ".");
    with.answer("From the audit log" + about + ", the newest first (times are UTC):" + bulleted(*found, entry_line));
}

// The action that the question asks for; nullopt: it is of none.
std::optional<std::string> action_in(question const& asked) {
    bool const asks = asked.has_any({"who", "when"});
    bool const of_key = asks && asked.has_any({"key", "keys"});
    bool const of_member = asks && asked.has_any({"member", "members"});
    if (of_key && asked.only({"who", "when", "key", "keys", "revoked"}) && asked.has("revoked")) return "key.revoked";
    if (of_key && asked.only({"who", "when", "key", "keys", "created"}) && asked.has("created")) return "key.created";
    if (of_member && asked.only({"who", "when", "member", "members", "added"}) && asked.has("added"))
        return "member.added";
    if (of_member && asked.only({"who", "when", "member", "members", "removed"}) && asked.has("removed"))
        return "member.removed";
    if (asks && asked.only({"who", "when", "role", "changed"}) && asked.has("role") && asked.has("changed"))
        return "member.role_changed";
    return std::nullopt;
}

} // namespace

plan match_audit(question const& asked) {
    wanted_entries wanted;
    wanted.when = asked.time();
    bool const of_person = asked.names().size() == 1;
    if (asked.names().size() > 1) return nullptr;
    if (of_person) {
        bool const did = asked.has("did") && asked.has("what") && asked.only({"did", "what"});
        bool const log = asked.has("audit") && asked.only({"audit"});
        if (!did && !log) return nullptr;
        wanted.person = asked.names().front();
    } else if (auto const action = action_in(asked)) wanted.action = *action;
    else if (asked.has_any({"requests", "audit"}) && asked.has("failed") && asked.only({"requests", "audit", "failed"}))
        wanted.failed = true;
    else if (!asked.has("audit") || !asked.only({"audit", "what", "who"})) return nullptr;
    return [wanted](dialogue& with) { list_entries(with, wanted); };
}

} // namespace recruiting::auth_api::agent::builtin
