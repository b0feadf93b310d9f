-- How long audit rows are kept at the least. Retention runs as recruiting_auth: taken over, it could drop all but the
-- last 30 days (SECURITY.md). Only the owner changes this row:  UPDATE recruiting.audit_retention SET at_least = '400 days'
CREATE TABLE recruiting.audit_retention (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    at_least interval NOT NULL DEFAULT '30 days' CHECK (at_least >= interval '30 days')
);
ALTER TABLE recruiting.audit_retention OWNER TO recruiting_owner;
ALTER TABLE recruiting.audit_retention ENABLE ROW LEVEL SECURITY;
ALTER TABLE recruiting.audit_retention FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.audit_retention TO recruiting_owner USING (true) WITH CHECK (true);
INSERT INTO recruiting.audit_retention DEFAULT VALUES;

ALTER FUNCTION recruiting.drop_audit_partitions(interval) RENAME TO drop_audit_months;
REVOKE EXECUTE ON FUNCTION recruiting.drop_audit_months FROM recruiting_auth;
CREATE FUNCTION recruiting.drop_audit_partitions(older_than interval) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
    floor interval := (SELECT at_least FROM recruiting.audit_retention);
BEGIN
    IF older_than IS NULL OR older_than < floor THEN
        RAISE EXCEPTION 'audit rows are kept for at least % (recruiting.audit_retention)', floor
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    RETURN recruiting.drop_audit_months(older_than);
END $$;
ALTER FUNCTION recruiting.drop_audit_partitions OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.drop_audit_partitions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.drop_audit_partitions TO recruiting_auth;
