-- The JSON of a job and of a candidate is formed when their row is written, not each time it is read: auth-api copies
-- `record` into its answers. 0042 writes it for the rows that are there.

-- A value's JSON text.
CREATE FUNCTION recruiting.json_of(value text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
    RETURN coalesce(to_json(value)::text, 'null');
CREATE FUNCTION recruiting.json_of(value timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
    RETURN coalesce('"' || to_char(value AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null');
CREATE FUNCTION recruiting.json_of(value uuid) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
    RETURN '"' || replace(value::text, '-', '') || '"';
CREATE FUNCTION recruiting.json_of_location(name text, city text, region text, country_code text) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN CASE WHEN num_nonnulls(name, city, region, country_code) = 0 THEN 'null' ELSE
        concat('{"name":', recruiting.json_of(name), ',"city":', recruiting.json_of(city),
               ',"region":', recruiting.json_of(region), ',"countryCode":', recruiting.json_of(country_code), '}') END;

-- The members of the record's JSON object, without its braces: auth-api adds what other rows give. One expression, which
-- PL/pgSQL evaluates without a query.
CREATE FUNCTION recruiting.write_candidate_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.deleted_at IS NOT NULL THEN -- nothing else is shown of a deleted candidate
        NEW.record := concat('"id":', recruiting.json_of(NEW.id), ',"deletedAt":', recruiting.json_of(NEW.deleted_at));
        RETURN NEW;
    END IF;
    NEW.record := concat(
        '"id":', recruiting.json_of(NEW.id),
        ',"externalId":', recruiting.json_of(NEW.external_id),
        ',"name":', recruiting.json_of(NEW.name),
        ',"email":', recruiting.json_of(NEW.email),
        ',"phone":', recruiting.json_of(NEW.phone),
        ',"currentTitle":', recruiting.json_of(NEW.current_title),
        ',"currentCompany":', recruiting.json_of(NEW.current_company),
        ',"location":', recruiting.json_of_location(NEW.location_name, NEW.location_city, NEW.location_region,
                                                    NEW.location_country_code),
        ',"links":', NEW.links,
        ',"source":', recruiting.json_of(NEW.source),
        ',"tags":', array_to_json(NEW.tags),
        ',"lastActivityAt":', recruiting.json_of(NEW.last_activity_at),
        ',"createdAt":', recruiting.json_of(NEW.created_at),
        ',"updatedAt":', recruiting.json_of(NEW.updated_at),
        ',"deletedAt":null');
    RETURN NEW;
END $$;
ALTER FUNCTION recruiting.write_candidate_record OWNER TO recruiting_owner;

CREATE FUNCTION recruiting.write_job_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.record := concat(
        '"id":', recruiting.json_of(NEW.id),
        ',"externalId":', recruiting.json_of(NEW.external_id),
        ',"title":', recruiting.json_of(NEW.title),
        ',"status":', recruiting.json_of(NEW.status),
        ',"requisitionId":', recruiting.json_of(NEW.requisition_id),
        ',"department":', recruiting.json_of(NEW.department),
        ',"location":', recruiting.json_of_location(NEW.location_name, NEW.location_city, NEW.location_region,
                                                    NEW.location_country_code),
        ',"workplaceType":', recruiting.json_of(NEW.workplace_type),
        ',"employmentType":', recruiting.json_of(NEW.employment_type),
        ',"openings":', NEW.openings,
        ',"salary":', CASE WHEN num_nonnulls(NEW.salary_min, NEW.salary_max) = 0 THEN 'null' ELSE
            concat('{"min":', coalesce(NEW.salary_min::text, 'null'), ',"max":', coalesce(NEW.salary_max::text, 'null'),
                   ',"currency":', recruiting.json_of(NEW.salary_currency),
                   ',"period":', recruiting.json_of(NEW.salary_period), '}') END,
        ',"salaryPublished":', NEW.salary_published::text,
        ',"hiringTeam":', NEW.hiring_team,
        ',"published":', NEW.published::text,
        ',"publishedAt":', recruiting.json_of(NEW.published_at),
        ',"closesAt":', recruiting.json_of(NEW.closes_at),
        ',"openedAt":', recruiting.json_of(NEW.opened_at),
        ',"closedAt":', recruiting.json_of(NEW.closed_at),
        ',"createdAt":', recruiting.json_of(NEW.created_at),
        ',"updatedAt":', recruiting.json_of(NEW.updated_at),
        ',"deletedAt":', recruiting.json_of(NEW.deleted_at));
    RETURN NEW;
END $$;
ALTER FUNCTION recruiting.write_job_record OWNER TO recruiting_owner;

-- Writes the records that are missing, some pages a transaction. It waits for no row, so it can't be in anyone's deadlock:
-- a row that others hold is written by them or in the next round. Can be interrupted and called again.
CREATE PROCEDURE recruiting.write_missing_records(target text) LANGUAGE plpgsql AS $$
DECLARE
    pages bigint;
    page bigint;
    step CONSTANT bigint := 100;
    missing boolean;
BEGIN
    LOOP
        SELECT pg_relation_size(format('recruiting.%I', target)::regclass) / current_setting('block_size')::bigint
          INTO pages;
        page := 0;
        WHILE page <= pages LOOP
            EXECUTE format('UPDATE recruiting.%1$I SET record = '''' WHERE ctid = ANY (ARRAY('
                           'SELECT ctid FROM recruiting.%1$I WHERE ctid >= $1 AND ctid < $2 AND record IS NULL '
                           'FOR NO KEY UPDATE SKIP LOCKED))', target)
              USING format('(%s,0)', page)::tid, format('(%s,0)', page + step)::tid;
            COMMIT;
            page := page + step;
        END LOOP;
        EXECUTE format('SELECT EXISTS (SELECT FROM recruiting.%I WHERE record IS NULL)', target) INTO missing;
        EXIT WHEN NOT missing;
        PERFORM pg_sleep(0.1);
    END LOOP;
END $$;
ALTER PROCEDURE recruiting.write_missing_records OWNER TO recruiting_owner;
REVOKE EXECUTE ON PROCEDURE recruiting.write_missing_records FROM PUBLIC;

-- Up to 8 kB a row stays as it is. By default PostgreSQL would move the record of most jobs out of the row, and compress what
-- is left: that costs each read more than the row does.
ALTER TABLE recruiting.candidates SET (toast_tuple_target = 8160);
ALTER TABLE recruiting.jobs SET (toast_tuple_target = 8160);

-- An UPDATE that sets record has it written anew; the row counts as changed, for its updated_at and for syncs, only by the
-- others. Triggers fire in the order of their names: record has the updated_at of stamp, the published_at of
-- set_public_url.
ALTER TABLE recruiting.candidates ADD COLUMN record text;
ALTER TABLE recruiting.candidates ADD CONSTRAINT candidates_record_is_written CHECK (record IS NOT NULL) NOT VALID;
DROP TRIGGER stamp ON recruiting.candidates;
CREATE TRIGGER stamp BEFORE UPDATE ON recruiting.candidates
    FOR EACH ROW WHEN (NEW.record IS NOT DISTINCT FROM OLD.record) EXECUTE FUNCTION recruiting.stamp_change();
CREATE TRIGGER write_record BEFORE INSERT OR UPDATE ON recruiting.candidates
    FOR EACH ROW EXECUTE FUNCTION recruiting.write_candidate_record();

ALTER TABLE recruiting.jobs ADD COLUMN record text;
ALTER TABLE recruiting.jobs ADD CONSTRAINT jobs_record_is_written CHECK (record IS NOT NULL) NOT VALID;
DROP TRIGGER stamp ON recruiting.jobs;
CREATE TRIGGER stamp BEFORE UPDATE ON recruiting.jobs
    FOR EACH ROW WHEN (NEW.record IS NOT DISTINCT FROM OLD.record) EXECUTE FUNCTION recruiting.stamp_change();
CREATE TRIGGER write_record BEFORE INSERT OR UPDATE ON recruiting.jobs
    FOR EACH ROW EXECUTE FUNCTION recruiting.write_job_record();
