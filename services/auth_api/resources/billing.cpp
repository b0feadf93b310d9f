#include "auth_api/resources/endpoints.hpp"
#include "auth_api/resources/shared_fields.hpp"

namespace recruiting::auth_api {
namespace {

// GET /billing: the plan, with seats and the current period's usage counted from their rows. Periods follow each other:
// the current one is as long as the stored one, the n-th after it. A month is 28 to 31 days, so n is near the number of
// periods of 30 days.
constexpr auto subscription_sql = R"sql(
SELECT s.plan, s.status, s.currency, p.starts, p.ends, s.seats_included, s.amount_due_cents,
       (SELECT count(*) FROM recruiting.memberships m
        WHERE m.organization_id = s.organization_id AND m.status = 'active'),
       u.agent_runs, u.input_tokens, u.output_tokens, u.bookings, s.organization_id, s.created_at, s.updated_at
FROM recruiting.subscriptions s
CROSS JOIN LATERAL (SELECT age(s.current_period_end, s.current_period_start) AS length) AS l
CROSS JOIN LATERAL (
    SELECT least(extract(epoch FROM now() - s.current_period_start) / extract(epoch FROM l.length), 100000) AS n) AS about
CROSS JOIN LATERAL (
    SELECT s.current_period_start + n * l.length AS starts, s.current_period_start + (n + 1) * l.length AS ends
    FROM generate_series(greatest(0, 0.9 * about.n - 2)::integer, greatest(0, 1.1 * about.n + 2)::integer) AS n
    WHERE n = 0 OR s.current_period_start + n * l.length <= now() ORDER BY n DESC LIMIT 1) AS p
CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE r.kind = 'agent_run') AS agent_runs,
           count(*) FILTER (WHERE r.kind = 'booking') AS bookings,
           coalesce(sum(r.input_tokens), 0)::bigint AS input_tokens,
           coalesce(sum(r.output_tokens), 0)::bigint AS output_tokens
    FROM recruiting.usage_records r
    WHERE r.organization_id = s.organization_id
      AND r.occurred_at >= p.starts AND r.occurred_at < p.ends) AS u
WHERE s.organization_id = (SELECT recruiting.current_organization_id())
)sql";
struct subscription_columns {
    enum : int {
        plan,
        status,
        currency,
        period_start,
        period_end,
        seats_included,
        amount_due_cents,
        seats_used,
        agent_runs,
        input_tokens,
        output_tokens,
        bookings,
        organization_id,
        created_at,
        updated_at
    };
};

// The invoices of the last ten years at one a month, the newest first.
constexpr auto invoices_sql = R"sql(
SELECT id, number, status, amount_cents, currency, issued_at, paid_at FROM recruiting.invoices
WHERE organization_id = (SELECT recruiting.current_organization_id()) ORDER BY issued_at DESC, id DESC LIMIT 120
)sql";
struct invoice_columns {
    enum : int { id, number, status, amount_cents, currency, issued_at, paid_at };
};

void write_invoices(http::json_writer& json, pg::rows const& invoices) {
    using columns = invoice_columns;
    json.key("invoices").open_array();
    for (int row = 0; row < invoices.size(); ++row) {
        json.open_object()
            .field("id", invoices.id(row, columns::id))
            .field("number", invoices.text(row, columns::number))
            .field("status", invoices.text(row, columns::status))
            .field("amountCents", invoices.integer(row, columns::amount_cents))
            .field("currency", invoices.text(row, columns::currency))
            .field("issuedAt", invoices.time(row, columns::issued_at))
            .field("paidAt", invoices.optional_time(row, columns::paid_at))
            .close_object();
    }
    json.close_array();
}

result<void> render_billing(std::span<pg::rows const> results, render_context const&, http::response& answer) {
    using columns = subscription_columns;
    auto const& plan = results[0];
    return render_record(plan, answer, [&](http::json_writer& json) {
        json.field("id", plan.id(0, columns::organization_id))
            .field("plan", plan.text(0, columns::plan))
            .field("status", plan.text(0, columns::status))
            .field("currency", plan.text(0, columns::currency))
            .field("currentPeriodStart", plan.time(0, columns::period_start))
            .field("currentPeriodEnd", plan.time(0, columns::period_end));
        json.key("seats")
            .open_object()
            .field("included", plan.integer(0, columns::seats_included))
            .field("used", plan.integer(0, columns::seats_used))
            .close_object();
        json.key("usage")
            .open_object()
            .field("agentRuns", plan.integer(0, columns::agent_runs))
            .field("agentInputTokens", plan.integer(0, columns::input_tokens))
            .field("agentOutputTokens", plan.integer(0, columns::output_tokens))
            .field("bookings", plan.integer(0, columns::bookings))
            .close_object();
        json.field("amountDueCents", plan.integer(0, columns::amount_due_cents));
        write_invoices(json, results[1]);
        json.field("createdAt", plan.time(0, columns::created_at))
            .field("updatedAt", plan.time(0, columns::updated_at));
    });
}

} // namespace

result<prepared_read> get_billing(bind_input& in) {
    if (auto const checked = finish_query(in); !checked) return checked.error();
    return prepared_read{{{subscription_sql, {}}, {invoices_sql, {}}}, render_billing, nullptr, read_cost::bulk};
}

} // namespace recruiting::auth_api
