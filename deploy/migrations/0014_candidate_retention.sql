-- Retention of candidates (decision 0124): candidates of an organization that has set one are deleted when they have been inactive
-- for that long. Deleted is all that is known of them. Their row keeps its id and times, from which copies learn of the deletion.

-- Only the owner changes these. The first deletion comes a week after the latest change of the setting, so that a mistyped value
-- can be corrected.
-- locks: organizations are few.
ALTER TABLE recruiting.organizations
    ADD COLUMN candidate_retention_days integer, -- NULL: candidates are kept
    ADD COLUMN candidate_retention_acts_from timestamptz,
    ADD CONSTRAINT organizations_candidate_retention CHECK (candidate_retention_days BETWEEN 30 AND 3650),
    ADD CONSTRAINT organizations_candidate_retention_acts
        CHECK ((candidate_retention_days IS NULL) = (candidate_retention_acts_from IS NULL));

CREATE FUNCTION recruiting.begin_candidate_retention() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.candidate_retention_acts_from :=
        CASE WHEN NEW.candidate_retention_days IS NOT NULL THEN clock_timestamp() + interval '7 days' END;
    RETURN NEW;
END $$;
ALTER FUNCTION recruiting.begin_candidate_retention OWNER TO recruiting_owner;
CREATE TRIGGER retention_added BEFORE INSERT ON recruiting.organizations
    FOR EACH ROW EXECUTE FUNCTION recruiting.begin_candidate_retention();
CREATE TRIGGER retention_changed BEFORE UPDATE ON recruiting.organizations
    FOR EACH ROW WHEN (NEW.candidate_retention_days IS DISTINCT FROM OLD.candidate_retention_days)
    EXECUTE FUNCTION recruiting.begin_candidate_retention();

ALTER TABLE recruiting.candidates ADD COLUMN erased_at timestamptz; -- since then the row says nothing of the person

-- Candidates who have been inactive since the boundary; then those deleted otherwise, whose data is still there. Of each kind up to
-- `most` (NULL: all), those who have been inactive for longest. updated_at counts: it is stamped by each change of what a record
-- shows, applications and interviews included. An active application keeps its candidate, whatever its age; so does an interview
-- that is later.
CREATE FUNCTION recruiting.inactive_candidates(organization uuid, boundary timestamptz, most bigint) RETURNS SETOF uuid
    LANGUAGE sql STABLE
BEGIN ATOMIC
    (SELECT c.id FROM recruiting.candidates c
      WHERE c.organization_id = organization AND c.updated_at < boundary AND c.deleted_at IS NULL
        AND (c.last_activity_at >= boundary) IS NOT TRUE
        AND NOT EXISTS (SELECT FROM recruiting.applications a
                         WHERE a.candidate_id = c.id AND a.deleted_at IS NULL AND a.status = 'active')
        AND NOT EXISTS (SELECT FROM recruiting.bookings b
                         WHERE b.candidate_id = c.id AND b.status = 'confirmed' AND b.ends_at >= boundary)
      ORDER BY c.updated_at LIMIT most)
    UNION ALL
    (SELECT c.id FROM recruiting.candidates c
      WHERE c.organization_id = organization AND c.updated_at < boundary AND c.deleted_at IS NOT NULL AND c.erased_at IS NULL
        AND NOT EXISTS (SELECT FROM recruiting.bookings b
                         WHERE b.candidate_id = c.id AND b.status = 'confirmed' AND b.ends_at >= boundary)
      ORDER BY c.updated_at LIMIT most);
END;
ALTER FUNCTION recruiting.inactive_candidates OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.inactive_candidates FROM PUBLIC;

-- Deletes all that is known of these candidates, with their applications, interviews, links and mails; the rows of usage stay.
-- The candidates first: what then happens to their applications is no change of theirs. Writing `record` keeps the number of an
-- earlier deletion, which copies have got.
CREATE FUNCTION recruiting.erase_candidates(ids uuid[]) RETURNS void LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    DELETE FROM recruiting.unmatched_booking_requests u USING recruiting.candidates c
     WHERE c.id = ANY (ids) AND u.organization_id = c.organization_id AND u.email_key = c.email_key;
    UPDATE recruiting.candidates c
       SET external_id = NULL, name = '-', email = NULL, email_key = NULL, phone = NULL, current_title = NULL,
           current_company = NULL, location_name = NULL, location_city = NULL, location_region = NULL,
           location_country_code = NULL, links = '[]', source = NULL, tags = '{}', last_activity_at = NULL,
           deleted_at = coalesce(c.deleted_at, clock_timestamp()), erased_at = clock_timestamp(),
           record = CASE WHEN c.deleted_at IS NULL THEN c.record ELSE '' END
     WHERE c.id = ANY (ids);
    DELETE FROM recruiting.mail_outbox m USING recruiting.bookings b
     WHERE b.candidate_id = ANY (ids) AND m.booking_id = b.id;
    DELETE FROM recruiting.bookings b WHERE b.candidate_id = ANY (ids);
    DELETE FROM recruiting.applications a WHERE a.candidate_id = ANY (ids);
END $$;
ALTER FUNCTION recruiting.erase_candidates OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.erase_candidates FROM PUBLIC;

-- Deletes up to `most` inactive candidates and returns how many. Any number of callers at once. Runs as its owner, and decides by the
-- owner's settings alone: recruiting_auth can delete no candidate earlier. Any change between the search and the lock has stamped
-- updated_at. Without sorting: the search ends with the last candidate it returns.
CREATE FUNCTION recruiting.delete_inactive_candidates(most bigint) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' SET jit = off
    SET enable_sort = off SET max_parallel_workers_per_gather = 0 AS $$
DECLARE
    organization record;
    boundary timestamptz;
    ids uuid[];
    deleted bigint := 0;
BEGIN
    FOR organization IN
        SELECT o.id, o.candidate_retention_days AS days FROM recruiting.organizations o
         WHERE o.candidate_retention_days IS NOT NULL AND o.candidate_retention_acts_from <= now()
    LOOP
        EXIT WHEN deleted >= most;
        boundary := now() - make_interval(days => organization.days);
        ids := ARRAY(SELECT recruiting.inactive_candidates(organization.id, boundary, most - deleted) LIMIT most - deleted);
        ids := ARRAY(SELECT c.id FROM recruiting.candidates c
                      WHERE c.id = ANY (ids) AND c.updated_at < boundary FOR UPDATE SKIP LOCKED);
        CONTINUE WHEN cardinality(ids) = 0;
        PERFORM recruiting.erase_candidates(ids);
        INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, action, target_type, target_id, success,
                                          request_count)
        VALUES (gen_random_uuid(), clock_timestamp(), organization.id, 'system', 'candidate.expired', 'organization',
                replace(organization.id::text, '-', ''), true, cardinality(ids));
        deleted := deleted + cardinality(ids);
    END LOOP;
    RETURN deleted;
END $$;
ALTER FUNCTION recruiting.delete_inactive_candidates OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.delete_inactive_candidates FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.delete_inactive_candidates TO recruiting_auth;
