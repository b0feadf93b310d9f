-- Plan, invoices and metered usage. Seats and usage shown by GET /billing are counted from rows.
CREATE TABLE recruiting.subscriptions (
    organization_id uuid PRIMARY KEY REFERENCES recruiting.organizations (id),
    plan text NOT NULL,
    status text NOT NULL CHECK (status IN ('trialing', 'active', 'past_due', 'canceled')),
    currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    current_period_start timestamptz NOT NULL,
    current_period_end timestamptz NOT NULL CHECK (current_period_end > current_period_start),
    seats_included integer NOT NULL CHECK (seats_included >= 0),
    amount_due_cents bigint NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
SELECT recruiting.protect_tenant_table('recruiting.subscriptions');
CREATE TRIGGER stamp BEFORE UPDATE ON recruiting.subscriptions
    FOR EACH ROW EXECUTE FUNCTION recruiting.stamp_updated_at();

CREATE TABLE recruiting.invoices (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES recruiting.organizations (id),
    number text NOT NULL,
    status text NOT NULL CHECK (status IN ('draft', 'open', 'paid', 'void', 'uncollectible')),
    amount_cents bigint NOT NULL,
    currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    issued_at timestamptz NOT NULL,
    paid_at timestamptz,
    UNIQUE (organization_id, number)
);
SELECT recruiting.protect_tenant_table('recruiting.invoices');
CREATE INDEX invoices_by_issued ON recruiting.invoices (organization_id, issued_at, id);

-- The metering ledger: one row a metered thing, written in the transaction that makes it.
CREATE TABLE recruiting.usage_records (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES recruiting.organizations (id),
    kind text NOT NULL CHECK (kind IN ('agent_run', 'booking')),
    occurred_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    subject_id uuid,
    input_tokens bigint NOT NULL DEFAULT 0,
    output_tokens bigint NOT NULL DEFAULT 0
);
SELECT recruiting.protect_tenant_table('recruiting.usage_records');
CREATE INDEX usage_records_by_time ON recruiting.usage_records (organization_id, occurred_at, kind)
    INCLUDE (input_tokens, output_tokens);

CREATE POLICY by_role ON recruiting.subscriptions AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin')));
CREATE POLICY by_role ON recruiting.invoices AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin')));
CREATE POLICY by_role ON recruiting.usage_records AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin')));
