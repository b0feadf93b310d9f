-- A mail is dead when it was tried for long enough. The time since the first attempt decides: attempts come sooner than
-- planned when PostgreSQL's clock was set back, or when an operator brings them forward. NULL: not tried, or last tried by
-- the version before.
ALTER TABLE recruiting.mail_outbox ADD COLUMN first_attempt_at timestamptz;
GRANT UPDATE (first_attempt_at) ON recruiting.mail_outbox TO recruiting_auth;

-- The member who sent an invitation, so that the mail gives their address. NULL: an operator did, or it is another mail.
ALTER TABLE recruiting.mail_outbox ADD COLUMN invited_by uuid;
ALTER TABLE recruiting.mail_outbox ADD CONSTRAINT mail_outbox_inviter
    FOREIGN KEY (invited_by) REFERENCES recruiting.memberships (id) NOT VALID;
GRANT INSERT (invited_by) ON recruiting.mail_outbox TO recruiting_auth;
CREATE POLICY names_inviter ON recruiting.mail_outbox AS RESTRICTIVE FOR INSERT TO recruiting_auth
    WITH CHECK (invited_by IS NOT DISTINCT FROM (SELECT recruiting.console_member_id('admin')));

CREATE VIEW recruiting.mail_inviters WITH (security_barrier) AS
SELECT m.id, i.email
FROM recruiting.mail_outbox m
JOIN recruiting.memberships i ON i.id = m.invited_by
WHERE recruiting.is_worker('mailer');
ALTER VIEW recruiting.mail_inviters OWNER TO recruiting_owner;
GRANT SELECT ON recruiting.mail_inviters TO recruiting_auth;
