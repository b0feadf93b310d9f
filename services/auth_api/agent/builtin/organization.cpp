// The organization's record, its members, and what it pays for.
#include "auth_api/agent/builtin/intents.hpp"
#include "auth_api/agent/builtin/wording.hpp"

#include <cstdlib>

namespace recruiting::auth_api::agent::builtin {
namespace {

constexpr page_limits member_pages{90, 6};

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

} // namespace recruiting::auth_api::agent::builtin
