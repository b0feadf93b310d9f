-- What an auth-api that is compromised could delete or invent for all organizations, within the rights that its work
-- needs (SECURITY.md).

-- How long the agent's sessions and the outbox's finished mails are kept at the least, whatever auth-api asks for. Only the
-- owner changes this row:  UPDATE recruiting.retention_floors SET agent_sessions = '400 days'
CREATE TABLE recruiting.retention_floors (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    agent_sessions interval NOT NULL DEFAULT '30 days' CHECK (agent_sessions >= interval '1 day'),
    finished_mails interval NOT NULL DEFAULT '1 day' CHECK (finished_mails >= interval '1 hour')
);
ALTER TABLE recruiting.retention_floors OWNER TO recruiting_owner;
ALTER TABLE recruiting.retention_floors ENABLE ROW LEVEL SECURITY;
ALTER TABLE recruiting.retention_floors FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.retention_floors TO recruiting_owner USING (true) WITH CHECK (true);
INSERT INTO recruiting.retention_floors DEFAULT VALUES;

-- As in 0049, but not below the owner's floor. updated_at is the time of the last change, as the trigger stamps it: a
-- session whose other times were set back is kept.
CREATE OR REPLACE FUNCTION recruiting.drop_agent_sessions(older_than interval, most bigint) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
DECLARE
    floor CONSTANT interval := (SELECT agent_sessions FROM recruiting.retention_floors);
    boundary CONSTANT timestamptz := now() - older_than;
    ended uuid[];
BEGIN
    IF (boundary <= now() - floor) IS NOT TRUE THEN
        RAISE EXCEPTION 'sessions of the agent are kept for at least % (recruiting.retention_floors)', floor
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    SELECT array_agg(found.id) INTO ended
      FROM (SELECT a.id FROM recruiting.agent_sessions a
             WHERE a.last_run_at < boundary AND a.updated_at < boundary
               AND NOT EXISTS (SELECT FROM recruiting.agent_runs r WHERE r.session_id = a.id
                                  AND (r.finished_at >= boundary) IS NOT FALSE)
             ORDER BY a.last_run_at LIMIT most FOR UPDATE SKIP LOCKED) found;
    DELETE FROM recruiting.agent_messages WHERE session_id = ANY (ended);
    DELETE FROM recruiting.agent_runs WHERE session_id = ANY (ended);
    DELETE FROM recruiting.agent_sessions WHERE id = ANY (ended);
    RETURN coalesce(cardinality(ended), 0);
END $$;

-- Of sessions and runs what their beginning, progress and end change: no session is moved or begins in the past, and no
-- run begins with an end or with tokens.
REVOKE INSERT, UPDATE ON recruiting.agent_sessions, recruiting.agent_runs FROM recruiting_auth;
GRANT INSERT (id, organization_id, membership_id, credential_id, title, status, run_count, message_count, last_run_at),
      UPDATE (status, run_count, message_count, input_tokens, output_tokens, last_run_at)
    ON recruiting.agent_sessions TO recruiting_auth;
GRANT INSERT (id, organization_id, session_id, membership_id, credential_id, idempotency_key, prompt_hash, model,
              lease_owner, lease_expires_at, tool_scopes, tool_role),
      UPDATE (status, reply, failure, tool_call_count, input_tokens, output_tokens, tool_scopes, tool_role,
              lease_expires_at, finished_at)
    ON recruiting.agent_runs TO recruiting_auth;

-- Usage is metered now, for a run of that organization, with the run's tokens.
REVOKE INSERT ON recruiting.usage_records FROM recruiting_auth;
GRANT INSERT (id, organization_id, kind, subject_id, input_tokens, output_tokens)
    ON recruiting.usage_records TO recruiting_auth;
ALTER POLICY meter_runs ON recruiting.usage_records
    WITH CHECK ((SELECT recruiting.is_worker('agent')) AND kind = 'agent_run'
                AND EXISTS (SELECT FROM recruiting.agent_runs r
                            WHERE r.id = usage_records.subject_id
                              AND r.organization_id = usage_records.organization_id
                              AND r.input_tokens = usage_records.input_tokens
                              AND r.output_tokens = usage_records.output_tokens));

-- A mail is deleted when it was sent or is dead, and has been so for as long as the owner wants; or when it is held back
-- and a later mail to the same recipient about the same booking tells more.
CREATE FUNCTION recruiting.may_delete_mail(mail uuid) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT CASE WHEN m.status <> 'waiting'
                THEN m.finished_at < clock_timestamp() - (SELECT f.finished_mails FROM recruiting.retention_floors f)
                ELSE m.held_until IS NOT NULL AND EXISTS (
                    SELECT FROM recruiting.mail_outbox later
                    WHERE later.booking_id = m.booking_id AND later.audience = m.audience
                      AND (m.audience = 'candidate' OR later.membership_id = m.membership_id)
                      AND (later.created_at, later.id) > (m.created_at, m.id))
           END
    FROM recruiting.mail_outbox m WHERE m.id = mail;
END;
ALTER FUNCTION recruiting.may_delete_mail OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.may_delete_mail FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.may_delete_mail TO recruiting_auth;
CREATE POLICY kept ON recruiting.mail_outbox AS RESTRICTIVE FOR DELETE TO recruiting_auth
    USING (recruiting.may_delete_mail(id));

-- When a mail was finished is not the sender's to say.
CREATE FUNCTION recruiting.stamp_finished_mail() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    NEW.finished_at := CASE WHEN NEW.status = 'waiting' THEN NULL
                            WHEN OLD.status = NEW.status THEN OLD.finished_at
                            ELSE clock_timestamp() END;
    RETURN NEW;
END $$;
ALTER FUNCTION recruiting.stamp_finished_mail OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.stamp_finished_mail FROM PUBLIC;
CREATE TRIGGER stamp_finished BEFORE UPDATE OF status, finished_at ON recruiting.mail_outbox
    FOR EACH ROW WHEN (NOT recruiting.is_owners_session()) EXECUTE FUNCTION recruiting.stamp_finished_mail();
