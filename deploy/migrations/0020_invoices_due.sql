-- When an invoice is to be paid; NULL: its issuer said nothing.
-- locks: the table has one row per organization and month
ALTER TABLE recruiting.invoices
    ADD COLUMN due_at timestamptz CONSTRAINT invoices_due_at CHECK (due_at >= issued_at);
