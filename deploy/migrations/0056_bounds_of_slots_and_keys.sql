-- Interview slots are bounded per interviewer, stage and organization, and per hour (libs/interviews). Whoever opens slots
-- counts them under the organization's lock, which lasts until the transaction ends: two who open slots at once can't
-- pass a bound together. Hiring managers count the slots of jobs that they don't see, as in interviewer_times (0032).
CREATE FUNCTION recruiting.lock_slot_counts(organization uuid, stage uuid, interviewer uuid)
    RETURNS TABLE (of_interviewer bigint, of_stage bigint, of_organization bigint, of_hour bigint, seconds_left bigint)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    at timestamptz;
    hour timestamptz;
BEGIN
    IF NOT recruiting.is_owners_session()
       AND organization IS DISTINCT FROM recruiting.console_organization_id('admin', 'recruiter', 'hiring_manager') THEN
        RETURN;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('recruiting.slots.' || organization::text, 0));
    at := clock_timestamp();
    hour := date_trunc('hour', at, 'UTC');
    seconds_left := ceil(extract(epoch FROM hour + interval '1 hour' - at));
    SELECT count(*) INTO of_interviewer FROM recruiting.interview_slots s
     WHERE s.membership_id = interviewer AND s.organization_id = organization AND s.closed_at IS NULL AND s.starts_at > at;
    SELECT count(*) INTO of_stage FROM recruiting.interview_slots s
      JOIN recruiting.stages st ON st.id = s.stage_id AND st.job_id = s.job_id
     WHERE st.id = stage AND s.organization_id = organization AND s.closed_at IS NULL AND s.starts_at > at;
    -- No slot begins before it is opened: those of this hour begin after its start.
    SELECT count(*) FILTER (WHERE s.closed_at IS NULL AND s.starts_at > at), count(*) FILTER (WHERE s.created_at >= hour)
      INTO of_organization, of_hour FROM recruiting.interview_slots s
     WHERE s.organization_id = organization AND s.starts_at >= hour;
    RETURN NEXT;
END $$;
ALTER FUNCTION recruiting.lock_slot_counts OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.lock_slot_counts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.lock_slot_counts TO recruiting_auth;

-- A member's working keys are bounded (libs/directory). Whoever makes one counts them under a lock of the member's keys.
CREATE FUNCTION recruiting.lock_key_count(member uuid) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT recruiting.is_owners_session()
       AND member IS DISTINCT FROM recruiting.console_member_id('admin', 'recruiter', 'hiring_manager') THEN
        RETURN NULL;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('recruiting.keys.' || member::text, 0));
    RETURN (SELECT count(*) FROM recruiting.api_keys k
             WHERE k.membership_id = member AND k.revoked_at IS NULL AND k.expires_at > clock_timestamp());
END $$;
ALTER FUNCTION recruiting.lock_key_count OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.lock_key_count FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.lock_key_count TO recruiting_auth;
