// The organization's record, its members, what it pays for, and its audit log: who did what and when, by action,
// person, outcome and time.
#include "auth_api/agent/builtin/intents.hpp"
#include "auth_api/agent/builtin/wording.hpp"
#include "mail/address.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace recruiting::auth_api::agent::builtin {
namespace {

constexpr page_limits member_pages{90, 6};
constexpr page_limits shown_entries{20, 1};

std::string fact(std::string const& what, std::string_view value) {
    return what + (value.empty() ? " is not set." : " is " + shown(value) + ".");
}

std::string overview(record const& found) {
    std::vector<std::string> const lines{
        fact("The web site", found.text("websiteUrl")), fact("The country", found.text("countryCode")),
        fact("The time zone", found.text("timeZone")), "Members: " + number(found.integer("memberCount").value_or(0)),
        "Open jobs: " + number(found.integer("openJobCount").value_or(0))};
    return in_quotes(found.text("name")) + ":" + bulleted(lines, lines.size());
}

std::string organization_answer(record const& found, std::string_view about) {
    if (about == "website") return fact("The organization's web site", found.text("websiteUrl"));
    if (about == "time_zone") return fact("The organization's time zone", found.text("timeZone"));
    if (about == "country") return fact("The organization's country", found.text("countryCode"));
    if (about == "name") return fact("The organization's name", found.text("name"));
    return overview(found);
}

std::string member_line(record const& member) {
    auto line = shown(member.text("name")) + " <" + shown(member.text("email")) + ">, " + spaced(member.text("role"));
    if (!member.text("title").empty()) line += ", " + shown(member.text("title"));
    if (member.text("status") != "active") line += " (" + spaced(member.text("status")) + ")";
    return line;
}

std::string amount(std::optional<std::int64_t> cents, std::string_view currency) {
    auto const value = cents.value_or(0);
    auto const rest = std::to_string(100 + std::abs(value % 100)).substr(1);
    return (value < 0 ? "-" : "") + number(std::abs(value / 100)) + '.' + rest + ' ' + shown(currency);
}

std::string invoice_line(record const& invoice) {
    auto const line = shown(invoice.text("number")) + ", " + day_of(invoice.text("issuedAt")) + ": " +
                      amount(invoice.integer("amountCents"), invoice.text("currency")) + ", " +
                      spaced(invoice.text("status"));
    return invoice.text("paidAt").empty() ? line : line + ", paid " + day_of(invoice.text("paidAt"));
}

std::string billing_answer(record const& billing) {
    auto const integer = [](record const& of, std::string_view name) { return of.integer(name).value_or(0); };
    auto const seats = billing["seats"];
    auto const usage = billing["usage"];
    auto const invoices = lines_of(billing["invoices"].items(), invoice_line);
    return "The plan is " + in_quotes(billing.text("plan")) + " (" + spaced(billing.text("status")) +
           "). Due now: " + amount(billing.integer("amountDueCents"), billing.text("currency")) + ". " +
           number(integer(seats, "used")) + " of " + number(integer(seats, "included")) +
           " seats are used. In this period (" + day_of(billing.text("currentPeriodStart")) + " to " +
           day_of(billing.text("currentPeriodEnd")) + "): " + counted(integer(usage, "agentRuns"), "agent run") + ", " +
           number(integer(usage, "agentInputTokens")) + " input and " + number(integer(usage, "agentOutputTokens")) +
           " output tokens, " + counted(integer(usage, "bookings"), "booking") + "." +
           (invoices.empty() ? "" : "\nInvoices, the newest first:" + bulleted(invoices, invoices.size()));
}

bool has_only_keywords(question const& asked) { return asked.names().empty() && !asked.time(); }

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
    auto const members = with.read_list("list_members", {}, member_pages);
    if (!members) return std::nullopt;
    auto found = members->items;
    auto const address = mail::canonical_address(name);
    std::erase_if(found, [&](record const& one) {
        return address ? mail::canonical_address(one.text("email")) != address : !holds_words(one.text("name"), name);
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

plan match_organization(question const& asked) {
    auto const facts = asked.among({"website", "time_zone", "country", "name"});
    bool const known = asked.only({"organization", "what", "website", "time_zone", "country", "name"});
    bool const named = asked.has_any({"organization", "website", "time_zone"});
    if (!known || !named || facts.size() > 1 || !has_only_keywords(asked)) return nullptr;
    std::string const about(facts.empty() ? "" : facts.front());
    return [about](dialogue& with) {
        auto const found = with.call("get_organization");
        if (found) with.answer(organization_answer(found["data"], about));
    };
}

plan match_members(question const& asked) {
    auto const roles = asked.among({"admin", "recruiter", "hiring_manager", "interviewer", "viewer"});
    bool const known =
        asked.only({"members", "who", "count", "all", "admin", "recruiter", "hiring_manager", "interviewer", "viewer"});
    if (!known || !has_only_keywords(asked) || roles.size() > 1) return nullptr;
    if (roles.empty() && !asked.has("members")) return nullptr;
    std::string const role(roles.empty() ? "" : roles.front());
    return [role, count = asked.has("count")](dialogue& with) {
        boost::json::object arguments;
        if (!role.empty()) arguments["role"] = role;
        auto const found = with.read_list("list_members", std::move(arguments), member_pages);
        if (!found) return;
        auto const noun = role.empty() ? "member" : spaced(role);
        auto const text = "The organization has " +
                          (found->items.empty() ? "no " + noun + 's' : counted(found->size(), noun, found->complete));
        with.answer(count || found->items.empty() ? text + "." : text + ":" + bulleted(*found, member_line));
    };
}

plan match_billing(question const& asked) {
    bool const known = asked.only({"what", "count", "plan", "invoices", "seats", "usage"});
    if (!known || !has_only_keywords(asked) || !asked.has_any({"plan", "invoices", "seats", "usage"})) return nullptr;
    return [](dialogue& with) {
        auto const found = with.call("get_billing");
        if (found) with.answer(billing_answer(found["data"]));
    };
}

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
