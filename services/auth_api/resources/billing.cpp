#include "auth_api/resources/billing.hpp"

#include "auth_api/resources/billing_store.hpp"
#include "http/json_writer.hpp"

namespace recruiting::auth_api {
namespace {

void write_invoices(http::json_writer& json, pg::rows const& invoices) {
    json.key("invoices").open_array();
    for (int row = 0; row < invoices.size(); ++row) {
        json.open_object()
            .field("id", invoices.id(row, 0))
            .field("number", invoices.text(row, 1))
            .field("status", invoices.text(row, 2))
            .field("amountCents", invoices.integer(row, 3))
            .field("currency", invoices.text(row, 4))
            .field("issuedAt", invoices.time(row, 5))
            .field("paidAt", invoices.optional_time(row, 6))
            .close_object();
    }
    json.close_array();
}

result<void> render_billing(std::span<pg::rows const> results, render_context const&, http::response& answer) {
    auto const& plan = results[0];
    if (plan.empty()) return make_error(error_code::not_found);
    http::json_writer json(answer.body);
    json.open_object().key("data").open_object();
    json.field("id", plan.id(0, 12))
        .field("plan", plan.text(0, 0))
        .field("status", plan.text(0, 1))
        .field("currency", plan.text(0, 2))
        .field("currentPeriodStart", plan.time(0, 3))
        .field("currentPeriodEnd", plan.time(0, 4));
    json.key("seats")
        .open_object()
        .field("included", plan.integer(0, 5))
        .field("used", plan.integer(0, 7))
        .close_object();
    json.key("usage")
        .open_object()
        .field("agentRuns", plan.integer(0, 8))
        .field("agentInputTokens", plan.integer(0, 9))
        .field("agentOutputTokens", plan.integer(0, 10))
        .field("bookings", plan.integer(0, 11))
        .close_object();
    json.field("amountDueCents", plan.integer(0, 6));
    write_invoices(json, results[1]);
    json.field("createdAt", plan.time(0, 13)).field("updatedAt", plan.time(0, 14));
    json.close_object().close_object();
    return {};
}

} // namespace

result<prepared_read> get_billing(bind_input& in) {
    if (auto const checked = finish_query(in); !checked) return checked.error();
    return prepared_read{{subscription_record(), recent_invoices()}, render_billing, nullptr, read_cost::bulk};
}

} // namespace recruiting::auth_api
