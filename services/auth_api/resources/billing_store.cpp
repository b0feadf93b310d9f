#include "auth_api/resources/billing_store.hpp"

namespace recruiting::auth_api {
namespace {

// GET /billing: the plan, with seats and the current period's usage counted from their rows.
constexpr auto subscription_sql = R"sql(
SELECT s.plan, s.status, s.currency, s.current_period_start, s.current_period_end, s.seats_included, s.amount_due_cents,
       (SELECT count(*) FROM recruiting.memberships m
        WHERE m.organization_id = s.organization_id AND m.status = 'active'),
       u.agent_runs, u.input_tokens, u.output_tokens, u.bookings, s.organization_id, s.created_at, s.updated_at
FROM recruiting.subscriptions s
CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE r.kind = 'agent_run') AS agent_runs,
           count(*) FILTER (WHERE r.kind = 'booking') AS bookings,
           coalesce(sum(r.input_tokens), 0)::bigint AS input_tokens,
           coalesce(sum(r.output_tokens), 0)::bigint AS output_tokens
    FROM recruiting.usage_records r
    WHERE r.organization_id = s.organization_id
      AND r.occurred_at >= s.current_period_start AND r.occurred_at < s.current_period_end) AS u
WHERE s.organization_id = (SELECT recruiting.current_organization_id())
)sql";

// The invoices of the last ten years at one a month, the newest first.
constexpr auto invoices_sql = R"sql(
SELECT id, number, status, amount_cents, currency, issued_at, paid_at FROM recruiting.invoices
WHERE organization_id = (SELECT recruiting.current_organization_id()) ORDER BY issued_at DESC, id DESC LIMIT 120
)sql";

} // namespace

pg::statement subscription_record() { return {subscription_sql, {}}; }
pg::statement recent_invoices() { return {invoices_sql, {}}; }

} // namespace recruiting::auth_api
