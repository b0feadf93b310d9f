// The plan, its seats, the usage of the current period, invoices.
#include "auth_api/agent/builtin/intents.hpp"
#include "auth_api/agent/builtin/wording.hpp"

namespace recruiting::auth_api::agent::responder {
namespace {

std::string amount(std::optional<std::int64_t> cents, std::string_view currency) {
    auto const value = cents.value_or(0);
    auto const rest = std::to_string(100 + std::abs(value % 100)).substr(1);
    return (value < 0 ? "-" : "") + number(std::abs(value / 100)) + '.' + rest + ' ' + shown(currency);
}

std::string of(record const& from, std::string_view name) { return number(from.number(name).value_or(0)); }

std::string seats_of(record const& billing) {
    auto const seats = billing["seats"];
    return of(seats, "used") + " of " + of(seats, "included") + " seats are used.";
}

std::string usage_of(record const& billing) {
    auto const usage = billing["usage"];
    auto const runs = usage.number("agentRuns").value_or(0);
    auto const bookings = usage.number("bookings").value_or(0);
    return "In this period (" + day_of(billing.text("currentPeriodStart")) + " to " +
           day_of(billing.text("currentPeriodEnd")) + "): " + counted(runs, "agent run", "agent runs") + ", " +
           of(usage, "agentInputTokens") + " input and " + of(usage, "agentOutputTokens") + " output tokens, " +
           counted(bookings, "booking", "bookings") + ".";
}

std::string plan_of(record const& billing) {
    return "The plan is " + in_quotes(billing.text("plan")) + " (" + spaced(billing.text("status")) +
           "). Due now: " + amount(billing.number("amountDueCents"), billing.text("currency")) + ".";
}

std::string invoices_of(record const& billing) {
    std::vector<std::string> lines;
    for (auto const& invoice : billing["invoices"].items()) {
        auto line = shown(invoice.text("number")) + ", " + day_of(invoice.text("issuedAt")) + ": " +
                    amount(invoice.number("amountCents"), invoice.text("currency")) + ", " +
                    spaced(invoice.text("status"));
        if (!invoice.text("paidAt").empty()) line += ", paid " + day_of(invoice.text("paidAt"));
        lines.push_back(std::move(line));
    }
    return lines.empty() ? "There are no invoices yet." : "Invoices, the newest first:" + bulleted(lines);
}

std::string answer(record const& billing, sense about) {
    if (about == sense::seat) return seats_of(billing);
    if (about == sense::usage) return usage_of(billing);
    if (about == sense::invoice) return invoices_of(billing);
    return plan_of(billing) + " " + seats_of(billing) + " " + usage_of(billing);
}

} // namespace

plan match_billing(question const& about) {
    auto const& asked = about.asked;
    using enum sense;
    if (asked.has_any({candidate, key, quoted, job})) return nullptr;
    bool const we_pay = asked.has(salary) && asked.has(pronoun) && !asked.has(unknown);
    if (asked.has(salary) && !we_pay) return nullptr;
    auto aspect = billing;
    if (asked.has(invoice)) aspect = invoice;
    else if (asked.has(billing) || we_pay) aspect = billing;
    else if (asked.has(seat)) aspect = seat;
    else if (asked.has(usage)) aspect = usage;
    else return nullptr;
    return [aspect](desk& work) {
        auto const found = work.ask("get_billing")["data"];
        if (found) work.say(answer(found, aspect));
    };
}

} // namespace recruiting::auth_api::agent::responder
