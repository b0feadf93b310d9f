-- Functions that run as recruiting_owner look for tables and types among the caller's temporary ones last. Where pg_temp
-- is not named it comes first, before pg_catalog: with a view pg_class of its own a role that may call one of them, or
-- fire it, could run anything as the owner (SECURITY.md: auth-api, public-api taken over).
ALTER FUNCTION recruiting.ensure_audit_partitions SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION recruiting.drop_audit_months SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION recruiting.keep_audit_chain_starts SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION recruiting.presented_booking_id SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION recruiting.place_booking SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION recruiting.tell_booking SET search_path = pg_catalog, pg_temp;

-- And no service makes temporary tables; imports do, as the owner. Only the database's owner can say so: for everybody
-- else these are warnings.
DO $$
BEGIN
    EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO recruiting_owner', current_database());
    EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
END $$;

-- How long rows are kept is compared as moments. As intervals, where a month is 30 days, '-2400 months 72400 days' is 400
-- days, and it means a moment in the future. In UTC: the caller's time zone would make days of 23 hours.
CREATE OR REPLACE FUNCTION recruiting.drop_audit_partitions(older_than interval) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
DECLARE
    floor interval := (SELECT at_least FROM recruiting.audit_retention);
BEGIN
    IF (now() - older_than <= now() - floor) IS NOT TRUE THEN
        RAISE EXCEPTION 'audit rows are kept for at least % (recruiting.audit_retention)', floor
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    RETURN recruiting.drop_audit_months(older_than);
END $$;
