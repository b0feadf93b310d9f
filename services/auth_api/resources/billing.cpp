#include "auth_api/resources/endpoints.hpp"
#include "auth_api/resources/shared_fields.hpp"

namespace recruiting::auth_api {
namespace {

// GET /billing: the plan, with seats and the current period's usage counted from their rows. Periods follow each other:
// the current one is as long as the stored one, the n-th after it. A month is 28 to 31 days, so n is near the number of
// periods of 30 days.
constexpr auto subscription_sql = R"sql(
SELECT s.organization_id, s.plan, s.status, s.currency, p.starts, p.ends, s.seats_included,
       (SELECT count(*) FROM recruiting.memberships m
        WHERE m.organization_id = s.organization_id AND m.status = 'active'),
       u.agent_runs, u.input_tokens, u.output_tokens, u.bookings, s.amount_due_cents, s.created_at, s.updated_at
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

// The invoices of the last ten years at one a month, the newest first.
constexpr auto invoices_sql = R"sql(
SELECT id, number, status, amount_cents, currency, issued_at, due_at, paid_at FROM recruiting.invoices
WHERE organization_id = (SELECT recruiting.current_organization_id()) ORDER BY issued_at DESC, id DESC LIMIT 120
)sql";

void write_invoices(http::json_writer& json, pg::rows const& invoices) {
    json.key("invoices").open_array();
    for (auto row : invoices)
        write_object(json, row, {"id", "number", "status", "amountCents", "currency", "issuedAt", "dueAt", "paidAt"});
    json.close_array();
}

result<void> render_billing(std::span<pg::rows const> results, render_context const&, http::response& answer) {
    return render_record(results[0], answer, [&](http::json_writer& json, pg::row row) {
        write_columns(json, row, {"id", "plan", "status", "currency", "currentPeriodStart", "currentPeriodEnd"});
        json.key("seats");
        write_object(json, row, {"included", "used"});
        json.key("usage");
        write_object(json, row, {"agentRuns", "agentInputTokens", "agentOutputTokens", "bookings"});
        write_columns(json, row, {"amountDueCents"});
        write_invoices(json, results[1]);
        write_columns(json, row, {"createdAt", "updatedAt"});
    });
}

} // namespace

result<prepared_read> get_billing(bind_input& in) {
    if (auto const checked = finish_query(in); !checked) return checked.error();
    return prepared_read{{{subscription_sql, {}}, {invoices_sql, {}}}, render_billing, nullptr, read_cost::bulk};
}

} // namespace recruiting::auth_api
