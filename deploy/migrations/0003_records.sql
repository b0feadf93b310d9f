-- Jobs, hiring teams, stages, candidates, applications; what they count, how they are found, synchronized and published; billing.

-- The JSON of a job and of a candidate is formed when their row is written, not each time it is read: auth-api copies
-- `record` into its answers.

-- A value's JSON text.
CREATE FUNCTION recruiting.json_of(value text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
    RETURN coalesce(to_json(value)::text, 'null');
CREATE FUNCTION recruiting.json_of(value timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
    RETURN coalesce('"' || to_char(value AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null');
CREATE FUNCTION recruiting.json_of(value uuid) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
    RETURN '"' || replace(value::text, '-', '') || '"';

-- Lower case without accents: what q and tag search compare.
CREATE FUNCTION recruiting.search_key(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN regexp_replace(normalize(lower(value), NFKD), '[\u0300-\u036f]', '', 'g');

CREATE TABLE recruiting.jobs (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES recruiting.organizations (id),
    external_id text,
    title text NOT NULL CHECK (length(title) BETWEEN 1 AND 300),
    sort_title text COLLATE "C" NOT NULL GENERATED ALWAYS AS (lower(title)) STORED,
    status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'open', 'on_hold', 'closed', 'archived')),
    requisition_id text,
    department text,
    location_name text,
    location_city text,
    location_region text,
    location_country_code text CHECK (location_country_code ~ '^[A-Z]{2}$'),
    workplace_type text CHECK (workplace_type IN ('on_site', 'hybrid', 'remote')),
    employment_type text
        CHECK (employment_type IN ('full_time', 'part_time', 'contract', 'temporary', 'internship', 'other')),
    openings integer NOT NULL DEFAULT 1 CHECK (openings >= 0),
    salary_min bigint CHECK (salary_min >= 0),
    salary_max bigint CHECK (salary_max >= 0),
    salary_currency text CHECK (salary_currency ~ '^[A-Z]{3}$'),
    salary_period text CHECK (salary_period IN ('year', 'month', 'week', 'day', 'hour')),
    salary_published boolean NOT NULL DEFAULT false,
    published boolean NOT NULL DEFAULT false,
    published_at timestamptz,
    closes_at timestamptz,
    opened_at timestamptz,
    closed_at timestamptz,
    description_html text NOT NULL DEFAULT '',
    description_text text NOT NULL DEFAULT '',
    -- Kept by triggers, so that a job's record is read from its own row: the team and the stages as on the wire
    -- (openapi: hiringTeam, Stage).
    hiring_team text NOT NULL DEFAULT '[]',
    stages text NOT NULL DEFAULT '[]',
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    deleted_at timestamptz,
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    record text CONSTRAINT jobs_record_is_written CHECK (record IS NOT NULL),
    apply_url text CONSTRAINT jobs_apply_url
        CHECK (apply_url ~ '^(https?://|mailto:)[^[:space:][:cntrl:]]+$' AND length(apply_url) <= 2048),
    UNIQUE (organization_id, external_id)
) WITH (toast_tuple_target = 8160); -- as of candidates
-- As of candidates.
ALTER TABLE recruiting.jobs ALTER COLUMN organization_id SET (n_distinct = 1);
SELECT recruiting.protect_tenant_table('recruiting.jobs');
CREATE INDEX jobs_by_created ON recruiting.jobs (organization_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX jobs_by_updated ON recruiting.jobs (organization_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX jobs_by_title ON recruiting.jobs (organization_id, sort_title, id) WHERE deleted_at IS NULL;
CREATE INDEX jobs_by_status ON recruiting.jobs (organization_id, status, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX jobs_by_department ON recruiting.jobs (organization_id, department, created_at, id)
    WHERE deleted_at IS NULL;
CREATE INDEX jobs_by_change ON recruiting.jobs (organization_id, changed_xid, id);
CREATE INDEX jobs_published ON recruiting.jobs (organization_id, published_at, id)
    WHERE published AND status = 'open' AND deleted_at IS NULL;
CREATE INDEX jobs_ever_published ON recruiting.jobs (organization_id)
    WHERE published AND status <> 'draft' AND deleted_at IS NULL;
CREATE TRIGGER stamp BEFORE UPDATE ON recruiting.jobs
    FOR EACH ROW WHEN (NEW.record IS NOT DISTINCT FROM OLD.record) EXECUTE FUNCTION recruiting.stamp_change();

CREATE FUNCTION recruiting.set_published_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.published AND NEW.published_at IS NULL THEN
        NEW.published_at := clock_timestamp(); -- the public lists are in its order
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER set_published_at BEFORE INSERT OR UPDATE OF published ON recruiting.jobs
    FOR EACH ROW EXECUTE FUNCTION recruiting.set_published_at();
-- A job's publicUrl follows from it: lists and syncs show that it has changed.
CREATE FUNCTION recruiting.stamp_published_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE recruiting.jobs SET published = published WHERE organization_id = NEW.id AND published;
    RETURN NULL;
END $$;
CREATE TRIGGER stamp_published_jobs AFTER UPDATE OF careers_page_url ON recruiting.organizations
    FOR EACH ROW WHEN (OLD.careers_page_url IS DISTINCT FROM NEW.careers_page_url)
    EXECUTE FUNCTION recruiting.stamp_published_jobs();

CREATE TABLE recruiting.hiring_teams (
    organization_id uuid NOT NULL REFERENCES recruiting.organizations (id),
    job_id uuid NOT NULL REFERENCES recruiting.jobs (id),
    membership_id uuid NOT NULL REFERENCES recruiting.memberships (id),
    role text NOT NULL DEFAULT 'hiring_manager'
        CHECK (role IN ('hiring_manager', 'recruiter', 'coordinator', 'interviewer')),
    PRIMARY KEY (job_id, membership_id)
);
SELECT recruiting.protect_tenant_table('recruiting.hiring_teams');
CREATE INDEX hiring_teams_by_member ON recruiting.hiring_teams (membership_id, job_id);
CREATE INDEX hiring_teams_by_organization ON recruiting.hiring_teams (organization_id);

-- The hiring team is part of the job's record.
CREATE FUNCTION recruiting.copy_hiring_team() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE job uuid := coalesce(NEW.job_id, OLD.job_id);
BEGIN
    UPDATE recruiting.jobs SET hiring_team = (
        SELECT coalesce(json_agg(json_build_object('memberId', replace(t.membership_id::text, '-', ''), 'role', t.role)
                                 ORDER BY t.membership_id)::text, '[]')
        FROM recruiting.hiring_teams t WHERE t.job_id = job)
    WHERE id = job;
    RETURN NULL;
END $$;
CREATE TRIGGER copy_hiring_team AFTER INSERT OR UPDATE OR DELETE ON recruiting.hiring_teams
    FOR EACH ROW EXECUTE FUNCTION recruiting.copy_hiring_team();

CREATE TABLE recruiting.stages (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES recruiting.organizations (id),
    job_id uuid NOT NULL REFERENCES recruiting.jobs (id),
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
    kind text NOT NULL CHECK (kind IN ('applied', 'screen', 'interview', 'assessment', 'offer', 'hired')),
    position integer NOT NULL CHECK (position >= 0),
    bookable boolean NOT NULL DEFAULT false,
    interview_duration_minutes integer CHECK (interview_duration_minutes BETWEEN 5 AND 480),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (job_id, name)
);
SELECT recruiting.protect_tenant_table('recruiting.stages');
CREATE INDEX stages_by_job ON recruiting.stages (job_id, position, id);
CREATE INDEX stages_by_organization ON recruiting.stages (organization_id);
CREATE TRIGGER stamp BEFORE UPDATE ON recruiting.stages
    FOR EACH ROW EXECUTE FUNCTION recruiting.stamp_updated_at();

-- The stages are part of the job's record, in the pipeline's order.
CREATE FUNCTION recruiting.copy_stages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE recruiting.jobs j SET stages = now.list
    FROM (SELECT c.job_id, (
              SELECT coalesce(json_agg(json_build_object(
                         'id', replace(s.id::text, '-', ''), 'name', s.name, 'kind', s.kind, 'position', s.position,
                         'bookable', s.bookable, 'interviewDurationMinutes', s.interview_duration_minutes)
                         ORDER BY s.position, s.id)::text, '[]')
              FROM recruiting.stages s WHERE s.job_id = c.job_id) AS list
          FROM (SELECT DISTINCT job_id FROM changed) c) now
    WHERE j.id = now.job_id AND j.stages IS DISTINCT FROM now.list;
    RETURN NULL;
END $$;
CREATE TRIGGER copy_added AFTER INSERT ON recruiting.stages
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
    EXECUTE FUNCTION recruiting.copy_stages();
CREATE TRIGGER copy_changed AFTER UPDATE ON recruiting.stages
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION recruiting.copy_stages();
CREATE TRIGGER copy_removed AFTER DELETE ON recruiting.stages
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
    EXECUTE FUNCTION recruiting.copy_stages();

-- Whether a stage can be booked, and for how long; NULL leaves what is. A function of the owner: a stage is part of its job's
-- record, which no service changes.
CREATE FUNCTION recruiting.change_stage_booking(stage uuid, wanted_bookable boolean, wanted_minutes integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT recruiting.is_owners_session() AND NOT EXISTS (
        SELECT FROM recruiting.stages s
        WHERE s.id = stage
          AND (s.organization_id = recruiting.console_organization_id('admin', 'recruiter')
               OR (s.organization_id = recruiting.console_organization_id('hiring_manager')
                   AND EXISTS (SELECT FROM recruiting.hiring_teams t
                               WHERE t.job_id = s.job_id
                                 AND t.membership_id = recruiting.console_member_id('hiring_manager'))))) THEN
        RAISE EXCEPTION 'the stage is not in the session''s reach' USING ERRCODE = 'insufficient_privilege';
    END IF;
    UPDATE recruiting.stages
       SET bookable = coalesce(wanted_bookable, bookable),
           interview_duration_minutes = coalesce(wanted_minutes, interview_duration_minutes)
     WHERE id = stage;
END $$;
ALTER FUNCTION recruiting.change_stage_booking OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.change_stage_booking FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.change_stage_booking TO recruiting_auth;

CREATE TABLE recruiting.candidates (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES recruiting.organizations (id),
    external_id text,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 300),
    sort_name text COLLATE "C" NOT NULL GENERATED ALWAYS AS (lower(name)) STORED,
    email text CHECK (length(email) BETWEEN 3 AND 254),
    email_key text, -- canonical, as of users
    phone text,
    current_title text,
    current_company text,
    location_name text,
    location_city text,
    location_region text,
    location_country_code text CHECK (location_country_code ~ '^[A-Z]{2}$'),
    links jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(links) = 'array'),
    source text,
    tags text[] NOT NULL DEFAULT '{}',
    last_activity_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    deleted_at timestamptz,
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    record text CONSTRAINT candidates_record_is_written CHECK (record IS NOT NULL),
    UNIQUE (organization_id, external_id),
    CONSTRAINT candidates_email_key CHECK ((email_key IS NULL) = (email IS NULL))
-- Up to 8 kB a row stays as it is. By default PostgreSQL would move the record of most jobs out of the row, and compress what
-- is left: that costs each read more than the row does.
) WITH (toast_tuple_target = 8160);
-- Plans serve every organization and are made for the average one. With many small ones, PostgreSQL would look through all rows
-- of the organization instead of looking up those of an id or a word, which in a large one are a thousand times as many. It
-- plans as if all rows were of one organization.
ALTER TABLE recruiting.candidates ALTER COLUMN organization_id SET (n_distinct = 1);
SELECT recruiting.protect_tenant_table('recruiting.candidates');
CREATE INDEX candidates_by_created ON recruiting.candidates (organization_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX candidates_by_updated ON recruiting.candidates (organization_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX candidates_by_name ON recruiting.candidates (organization_id, sort_name, id) WHERE deleted_at IS NULL;
CREATE INDEX candidates_by_email ON recruiting.candidates (organization_id, email_key) WHERE deleted_at IS NULL;
CREATE INDEX candidates_by_source ON recruiting.candidates (organization_id, source, created_at, id)
    WHERE deleted_at IS NULL;
CREATE INDEX candidates_by_change ON recruiting.candidates (organization_id, changed_xid, id);

-- The members of the record's JSON object, without its braces: auth-api adds what other rows give. One expression, which
-- PL/pgSQL evaluates without a query.
CREATE FUNCTION recruiting.json_of_location(name text, city text, region text, country_code text) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN CASE WHEN num_nonnulls(name, city, region, country_code) = 0 THEN 'null' ELSE
        concat('{"name":', recruiting.json_of(name), ',"city":', recruiting.json_of(city),
               ',"region":', recruiting.json_of(region), ',"countryCode":', recruiting.json_of(country_code), '}') END;
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
-- An UPDATE that sets record has it written anew; the row counts as changed, for its updated_at and for syncs, only by the
-- others. Triggers fire in the order of their names: record has the updated_at of stamp, the published_at of
-- set_published_at.
CREATE TRIGGER stamp BEFORE UPDATE ON recruiting.candidates
    FOR EACH ROW WHEN (NEW.record IS NOT DISTINCT FROM OLD.record) EXECUTE FUNCTION recruiting.stamp_change();
CREATE TRIGGER write_record BEFORE INSERT OR UPDATE ON recruiting.candidates
    FOR EACH ROW EXECUTE FUNCTION recruiting.write_candidate_record();
CREATE TRIGGER write_record BEFORE INSERT OR UPDATE ON recruiting.jobs
    FOR EACH ROW EXECUTE FUNCTION recruiting.write_job_record();

-- Words and tags by which candidates are found. A table and not a GIN index, because array and pattern operators are
-- not leakproof and row-level security then keeps PostgreSQL from using them in an index.
CREATE TABLE recruiting.candidate_terms (
    organization_id uuid NOT NULL,
    kind "char" NOT NULL CHECK (kind IN ('w', 't')), -- w: word of name, e-mail, title, company; t: tag
    term text COLLATE "C" NOT NULL,
    candidate_id uuid NOT NULL REFERENCES recruiting.candidates (id) ON DELETE CASCADE,
    PRIMARY KEY (organization_id, kind, term, candidate_id)
);
ALTER TABLE recruiting.candidate_terms ALTER COLUMN organization_id SET (n_distinct = 1); -- as of candidates
SELECT recruiting.protect_tenant_table('recruiting.candidate_terms');
-- Whether one candidate has a word is one look-up in an index that holds all it needs, however many terms they have.
CREATE INDEX candidate_terms_of_candidate ON recruiting.candidate_terms (candidate_id, kind, term)
    INCLUDE (organization_id);

CREATE FUNCTION recruiting.terms_of_candidate(name text, email text, title text, company text, tags text[])
    RETURNS TABLE (kind "char", term text) LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT 'w'::"char", word
    FROM regexp_split_to_table(recruiting.search_key(concat_ws(' ', name, email, title, company)),
                               '[^[:alnum:]]+') AS word
    WHERE word <> ''
    UNION
    SELECT 't'::"char", recruiting.search_key(tag) FROM unnest(tags) AS tag;
END;

CREATE FUNCTION recruiting.add_candidate_terms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO recruiting.candidate_terms (organization_id, kind, term, candidate_id)
    SELECT c.organization_id, t.kind, t.term, c.id
    FROM added c,
         LATERAL recruiting.terms_of_candidate(c.name, c.email, c.current_title, c.current_company, c.tags) AS t;
    RETURN NULL;
END $$;
CREATE TRIGGER add_terms AFTER INSERT ON recruiting.candidates
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT
    EXECUTE FUNCTION recruiting.add_candidate_terms();

-- Most updates change nothing that is searched (last_activity_at, deleted_at): those leave the terms alone.
CREATE FUNCTION recruiting.replace_candidate_terms() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE ids uuid[];
BEGIN
    SELECT array_agg(c.id) INTO ids FROM changed c JOIN before b ON b.id = c.id
    WHERE (c.name, c.email, c.current_title, c.current_company, c.tags)
          IS DISTINCT FROM (b.name, b.email, b.current_title, b.current_company, b.tags);
    IF ids IS NULL THEN
        RETURN NULL;
    END IF;
    DELETE FROM recruiting.candidate_terms t WHERE t.candidate_id = ANY (ids);
    INSERT INTO recruiting.candidate_terms (organization_id, kind, term, candidate_id)
    SELECT c.organization_id, t.kind, t.term, c.id
    FROM changed c,
         LATERAL recruiting.terms_of_candidate(c.name, c.email, c.current_title, c.current_company, c.tags) AS t
    WHERE c.id = ANY (ids);
    RETURN NULL;
END $$;
CREATE TRIGGER replace_terms AFTER UPDATE ON recruiting.candidates
    REFERENCING NEW TABLE AS changed OLD TABLE AS before
    FOR EACH STATEMENT EXECUTE FUNCTION recruiting.replace_candidate_terms();

-- The words of q, as the words of a candidate are split (terms_of_candidate): the first eight. What folds to nothing, such
-- as an accent by itself, is no word.
CREATE FUNCTION recruiting.search_words(value text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT coalesce(array_agg(w.word ORDER BY w.place), '{}')
    FROM (SELECT s.word, min(s.place) AS place
          FROM regexp_split_to_table(recruiting.search_key(value), '[^[:alnum:]]+') WITH ORDINALITY AS s (word, place)
          WHERE s.word <> '' GROUP BY s.word ORDER BY 2 LIMIT 8) AS w;
END;

CREATE TABLE recruiting.applications (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES recruiting.organizations (id),
    external_id text,
    candidate_id uuid NOT NULL REFERENCES recruiting.candidates (id),
    candidate_created_at timestamptz NOT NULL, -- copied, so that a job's candidates are paged by an index of this table
    job_id uuid NOT NULL REFERENCES recruiting.jobs (id),
    stage_id uuid NOT NULL REFERENCES recruiting.stages (id),
    status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'hired', 'rejected', 'withdrawn')),
    source text,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    stage_entered_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    rejected_at timestamptz,
    hired_at timestamptz,
    rejection_reason text,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    deleted_at timestamptz,
    UNIQUE (organization_id, external_id)
);
ALTER TABLE recruiting.applications ALTER COLUMN organization_id SET (n_distinct = 1); -- as of candidates
SELECT recruiting.protect_tenant_table('recruiting.applications');
CREATE UNIQUE INDEX applications_by_candidate ON recruiting.applications (candidate_id, job_id)
    WHERE deleted_at IS NULL;
CREATE INDEX applications_by_job ON recruiting.applications (job_id, candidate_created_at, candidate_id)
    WHERE deleted_at IS NULL;
CREATE INDEX applications_by_stage ON recruiting.applications (stage_id, status, stage_entered_at, id)
    WHERE deleted_at IS NULL;
CREATE INDEX applications_by_organization ON recruiting.applications (organization_id, status, candidate_id)
    WHERE deleted_at IS NULL;
CREATE TRIGGER stamp BEFORE UPDATE ON recruiting.applications
    FOR EACH ROW EXECUTE FUNCTION recruiting.stamp_updated_at();

CREATE FUNCTION recruiting.copy_candidate_created_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    SELECT c.created_at INTO NEW.candidate_created_at FROM recruiting.candidates c WHERE c.id = NEW.candidate_id;
    RETURN NEW;
END $$;
CREATE TRIGGER copy_created_at BEFORE INSERT OR UPDATE OF candidate_id ON recruiting.applications
    FOR EACH ROW EXECUTE FUNCTION recruiting.copy_candidate_created_at();

-- The role's narrowing, written once: candidates and applications are for admins and recruiters, and for hiring
-- managers on the jobs whose hiring team they are on (design: API keys, scopes, roles).
CREATE POLICY by_role ON recruiting.applications AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin', 'recruiter'))
           OR ((SELECT recruiting.has_role('hiring_manager'))
               AND job_id IN (SELECT t.job_id FROM recruiting.hiring_teams t
                              WHERE t.membership_id = (SELECT recruiting.current_member_id()))));

-- Whether a candidate is in the reach of the member who asks: one look-up per application of the candidate. PL/pgSQL, so that
-- it stays out of the plan: inlined, every statement of an admin would set it up too. It runs as its owner, for the policy of
-- applications would read all jobs of the member for each candidate; the conditions are the same.
CREATE FUNCTION recruiting.has_application_in_reach(candidate uuid) RETURNS boolean
    LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN recruiting.has_role('hiring_manager') AND EXISTS (
        SELECT FROM recruiting.applications a
        JOIN recruiting.hiring_teams t ON t.job_id = a.job_id
        WHERE a.candidate_id = candidate AND a.deleted_at IS NULL
          AND a.organization_id = recruiting.current_organization_id()
          AND t.membership_id = recruiting.current_member_id());
END $$;
ALTER FUNCTION recruiting.has_application_in_reach OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.has_application_in_reach FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.has_application_in_reach TO recruiting_auth;
CREATE POLICY by_role ON recruiting.candidates AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin', 'recruiter'))
           OR ((SELECT recruiting.has_role('hiring_manager')) AND recruiting.has_application_in_reach(id)));
CREATE POLICY by_role ON recruiting.candidate_terms AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin', 'recruiter', 'hiring_manager')));

-- The first candidates of the hiring manager who asks, in the order of their creation: of each of their jobs so many, from
-- the job's index alone, and of these the first. Goes on where deleted ones were among them. Bounds that are NULL bound
-- nothing. Runs as its owner: what decides are the member's jobs, not one policy's answer for each application.
CREATE FUNCTION recruiting.first_own_candidates(descending boolean, since timestamptz, before timestamptz,
                                                after_time timestamptz, after_id uuid, most bigint) RETURNS uuid[]
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    found uuid[] := '{}';
    page uuid[];
    last_time timestamptz := coalesce(after_time, CASE WHEN descending THEN 'infinity' ELSE '-infinity' END::timestamptz);
    last_id uuid := coalesce(after_id, CASE WHEN descending THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'
                                            ELSE '00000000-0000-0000-0000-000000000000' END::uuid);
BEGIN
    IF NOT recruiting.has_role('hiring_manager') THEN
        RETURN found;
    END IF;
    LOOP
        EXECUTE format($sql$
            SELECT array_agg(u.id), (array_agg(u.place))[count(*)], (array_agg(u.id))[count(*)] FROM (
                SELECT DISTINCT p.place, p.id FROM recruiting.hiring_teams t
                CROSS JOIN LATERAL (
                    SELECT a.candidate_created_at AS place, a.candidate_id AS id FROM recruiting.applications a
                    WHERE a.job_id = t.job_id AND a.deleted_at IS NULL
                      AND a.candidate_created_at >= coalesce($1, '-infinity')
                      AND a.candidate_created_at < coalesce($2, 'infinity')
                      AND (a.candidate_created_at, a.candidate_id) %1$s ($3, $4)
                    ORDER BY a.candidate_created_at %2$s, a.candidate_id %2$s LIMIT $5) AS p
                WHERE t.membership_id = $6 AND t.organization_id = $7
                ORDER BY p.place %2$s, p.id %2$s LIMIT $5) AS u
            $sql$, CASE WHEN descending THEN '<' ELSE '>' END, CASE WHEN descending THEN 'DESC' ELSE 'ASC' END)
        INTO page, last_time, last_id
        USING since, before, last_time, last_id, most, recruiting.current_member_id(),
              recruiting.current_organization_id();
        found := found || ARRAY(SELECT c.id FROM recruiting.candidates c
                                WHERE c.id = ANY (page) AND c.deleted_at IS NULL);
        EXIT WHEN coalesce(cardinality(page), 0) < most OR cardinality(found) >= most;
    END LOOP;
    RETURN found;
END $$;
ALTER FUNCTION recruiting.first_own_candidates OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.first_own_candidates FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.first_own_candidates TO recruiting_auth;

-- How many applications of candidates who are not deleted stand in each stage and status: lists and pipelines cost the same at
-- any number of candidates.
CREATE TABLE recruiting.stage_counts (
    organization_id uuid NOT NULL,
    job_id uuid NOT NULL REFERENCES recruiting.jobs (id) ON DELETE CASCADE,
    stage_id uuid NOT NULL REFERENCES recruiting.stages (id) ON DELETE CASCADE,
    status text NOT NULL,
    applications bigint NOT NULL,
    PRIMARY KEY (job_id, stage_id, status)
);
SELECT recruiting.protect_tenant_table('recruiting.stage_counts');
CREATE INDEX stage_counts_by_organization ON recruiting.stage_counts (organization_id);

-- A job shows its candidateCount: a sync of jobs follows the counts too. A move changes no job's count: counted by
-- statement, so that it is not reported as one.
CREATE TABLE recruiting.job_counts (
    job_id uuid PRIMARY KEY REFERENCES recruiting.jobs (id) ON DELETE CASCADE,
    organization_id uuid NOT NULL,
    applications bigint NOT NULL,
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id()
);
SELECT recruiting.protect_tenant_table('recruiting.job_counts');
CREATE INDEX job_counts_by_change ON recruiting.job_counts (organization_id, changed_xid, job_id);

CREATE FUNCTION recruiting.add_to_counts(moves recruiting.stage_counts[]) RETURNS void LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF moves IS NULL THEN
        RETURN;
    END IF;
    -- Ordered, so that two bulk changes lock the counts in one order.
    INSERT INTO recruiting.stage_counts AS c (organization_id, job_id, stage_id, status, applications)
    SELECT organization_id, job_id, stage_id, status, applications FROM unnest(moves) ORDER BY 2, 3, 4
    ON CONFLICT (job_id, stage_id, status) DO UPDATE SET applications = c.applications + excluded.applications;
    INSERT INTO recruiting.job_counts AS c (job_id, organization_id, applications)
    SELECT job_id, organization_id, sum(applications) FROM unnest(moves) GROUP BY 1, 2 HAVING sum(applications) <> 0
    ORDER BY 1
    ON CONFLICT (job_id) DO UPDATE SET applications = c.applications + excluded.applications,
                                       changed_xid = pg_current_xact_id();
END $$;

CREATE FUNCTION recruiting.count_applications() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    moves recruiting.stage_counts[];
BEGIN
    -- One branch an operation: transition tables exist only where the trigger names them.
    IF TG_OP = 'INSERT' THEN
        SELECT array_agg(x::recruiting.stage_counts) INTO moves
        FROM (SELECT a.organization_id, a.job_id, a.stage_id, a.status, count(*)
              FROM added a JOIN recruiting.candidates c ON c.id = a.candidate_id
              WHERE a.deleted_at IS NULL AND c.deleted_at IS NULL GROUP BY 1, 2, 3, 4) AS x;
    ELSIF TG_OP = 'DELETE' THEN
        SELECT array_agg(x::recruiting.stage_counts) INTO moves
        FROM (SELECT a.organization_id, a.job_id, a.stage_id, a.status, -count(*)
              FROM removed a JOIN recruiting.candidates c ON c.id = a.candidate_id
              WHERE a.deleted_at IS NULL AND c.deleted_at IS NULL GROUP BY 1, 2, 3, 4) AS x;
    ELSE
        SELECT array_agg(x::recruiting.stage_counts) INTO moves
        FROM (SELECT a.organization_id, a.job_id, a.stage_id, a.status, sum(a.n)::bigint
              FROM (SELECT *, 1 AS n FROM added UNION ALL SELECT *, -1 FROM removed) AS a
              JOIN recruiting.candidates c ON c.id = a.candidate_id
              WHERE a.deleted_at IS NULL AND c.deleted_at IS NULL
              GROUP BY 1, 2, 3, 4 HAVING sum(a.n) <> 0) AS x;
    END IF;
    PERFORM recruiting.add_to_counts(moves);
    RETURN NULL;
END $$;
CREATE TRIGGER count_added AFTER INSERT ON recruiting.applications
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT
    EXECUTE FUNCTION recruiting.count_applications();
CREATE TRIGGER count_moved AFTER UPDATE ON recruiting.applications
    REFERENCING NEW TABLE AS added OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION recruiting.count_applications();
CREATE TRIGGER count_removed AFTER DELETE ON recruiting.applications
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT
    EXECUTE FUNCTION recruiting.count_applications();

CREATE FUNCTION recruiting.count_candidates() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    moves recruiting.stage_counts[];
BEGIN
    SELECT array_agg(x::recruiting.stage_counts) INTO moves
    FROM (SELECT a.organization_id, a.job_id, a.stage_id, a.status,
                 sum(CASE WHEN c.deleted_at IS NULL THEN 1 ELSE -1 END)::bigint
          FROM changed c JOIN before b ON b.id = c.id AND (b.deleted_at IS NULL) <> (c.deleted_at IS NULL)
          JOIN recruiting.applications a ON a.candidate_id = c.id AND a.deleted_at IS NULL
          GROUP BY 1, 2, 3, 4) AS x;
    PERFORM recruiting.add_to_counts(moves);
    RETURN NULL;
END $$;
CREATE TRIGGER count_changed AFTER UPDATE ON recruiting.candidates
    REFERENCING NEW TABLE AS changed OLD TABLE AS before
    FOR EACH STATEMENT EXECUTE FUNCTION recruiting.count_candidates();

-- Syncs (decision 0070): every change of what a record shows brings it back, and a hiring manager's sync reports what leaves
-- their reach.

-- Which candidate has an application on which job, with the number of the candidate's last change: read in that order by the
-- sync of a job and by a hiring manager's. A candidate whose application is gone stays, with the time: that is what is reported.
CREATE TABLE recruiting.job_candidates (
    organization_id uuid NOT NULL,
    candidate_id uuid NOT NULL REFERENCES recruiting.candidates (id) ON DELETE CASCADE,
    job_id uuid NOT NULL REFERENCES recruiting.jobs (id) ON DELETE CASCADE,
    changed_xid xid8 NOT NULL,
    left_at timestamptz,
    PRIMARY KEY (candidate_id, job_id)
);
SELECT recruiting.protect_tenant_table('recruiting.job_candidates');
CREATE INDEX job_candidates_by_change ON recruiting.job_candidates (job_id, changed_xid, candidate_id);
-- As the applications; and a candidate who has left a job is not shown to its hiring managers: they may have joined later.
CREATE POLICY by_role ON recruiting.job_candidates AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin', 'recruiter'))
           OR ((SELECT recruiting.has_role('hiring_manager')) AND left_at IS NULL
               AND job_id IN (SELECT t.job_id FROM recruiting.hiring_teams t
                              WHERE t.membership_id = (SELECT recruiting.current_member_id()))));

-- Which candidates entered or left a member's reach otherwise than by an application that was added: the member joined or
-- left a hiring team, or an application was deleted while the member was on the team. One row per member, candidate and
-- job, whatever the member's role, which may change. A row is only ever made for a candidate the member could see.
CREATE TABLE recruiting.reach_changes (
    organization_id uuid NOT NULL,
    membership_id uuid NOT NULL REFERENCES recruiting.memberships (id) ON DELETE CASCADE,
    candidate_id uuid NOT NULL,
    job_id uuid NOT NULL,
    changed_xid xid8 NOT NULL,
    changed_at timestamptz NOT NULL,
    PRIMARY KEY (membership_id, candidate_id, job_id)
);
SELECT recruiting.protect_tenant_table('recruiting.reach_changes');
CREATE INDEX reach_changes_by_change ON recruiting.reach_changes (membership_id, changed_xid, candidate_id);
CREATE POLICY by_role ON recruiting.reach_changes AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.has_role('hiring_manager')) AND membership_id = (SELECT recruiting.current_member_id()));

-- Stamps candidates as changed by this transaction, each once and in the order of their ids, so that two bulk changes lock them
-- in one order. The candidates are locked first and read then: one that is being restored is waited for.
-- A sync sends nothing of a candidate who was deleted before the copy began. Whatever happens to a deleted candidate's
-- applications and teams keeps the number of the deletion: copies older than the deletion get it once, by that number, and
-- younger ones never. A restored candidate is stamped by its own change, which brings everything.
CREATE FUNCTION recruiting.touch_candidates(ids uuid[]) RETURNS void LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM FROM recruiting.candidates
    WHERE id = ANY (ids) AND changed_xid <> pg_current_xact_id() ORDER BY id FOR NO KEY UPDATE;
    UPDATE recruiting.candidates SET changed_xid = pg_current_xact_id()
    WHERE id = ANY (ids) AND changed_xid <> pg_current_xact_id() AND deleted_at IS NULL;
END $$;

-- A change of a candidate is a change on each of their jobs.
CREATE FUNCTION recruiting.follow_candidates() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE recruiting.job_candidates k SET changed_xid = c.changed_xid
    FROM changed c WHERE k.candidate_id = c.id AND k.left_at IS NULL AND k.changed_xid <> c.changed_xid;
    RETURN NULL;
END $$;
CREATE TRIGGER follow_changed AFTER UPDATE ON recruiting.candidates
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION recruiting.follow_candidates();

-- Every change of an application is a change of its candidate. Candidates are locked (touch_candidates) before their rows of
-- job_candidates, as a change of the candidate does. Fires after count_*, which have made the job's row of job_counts: a change
-- of a job's team waits there for those who change which candidates it has, so that neither misses the other.
CREATE FUNCTION recruiting.follow_applications() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    entered recruiting.job_candidates[];
    gone recruiting.job_candidates[];
    touched uuid[];
BEGIN
    -- One branch an operation: transition tables exist only where the trigger names them.
    IF TG_OP = 'INSERT' THEN
        SELECT array_agg(ROW (organization_id, candidate_id, job_id, NULL, NULL)::recruiting.job_candidates),
               array_agg(candidate_id) INTO entered, touched
        FROM added WHERE deleted_at IS NULL;
    ELSIF TG_OP = 'DELETE' THEN
        SELECT array_agg(ROW (organization_id, candidate_id, job_id, NULL, NULL)::recruiting.job_candidates),
               array_agg(candidate_id) INTO gone, touched
        FROM removed WHERE deleted_at IS NULL;
    ELSE
        SELECT array_agg(ROW (x.*, NULL, NULL)::recruiting.job_candidates) INTO entered
        FROM (SELECT organization_id, candidate_id, job_id FROM added WHERE deleted_at IS NULL
              EXCEPT SELECT organization_id, candidate_id, job_id FROM removed WHERE deleted_at IS NULL) AS x;
        SELECT array_agg(ROW (x.*, NULL, NULL)::recruiting.job_candidates) INTO gone
        FROM (SELECT organization_id, candidate_id, job_id FROM removed WHERE deleted_at IS NULL
              EXCEPT SELECT organization_id, candidate_id, job_id FROM added WHERE deleted_at IS NULL) AS x;
        SELECT array_agg(x.candidate_id) INTO touched
        FROM (SELECT candidate_id FROM added WHERE deleted_at IS NULL
              UNION SELECT candidate_id FROM removed WHERE deleted_at IS NULL) AS x;
    END IF;
    IF touched IS NULL THEN
        RETURN NULL;
    END IF;
    PERFORM FROM recruiting.job_counts n
    WHERE n.job_id IN (SELECT job_id FROM unnest(entered) UNION SELECT job_id FROM unnest(gone))
    ORDER BY n.job_id FOR NO KEY UPDATE;
    PERFORM recruiting.touch_candidates(touched);
    INSERT INTO recruiting.job_candidates (organization_id, candidate_id, job_id, changed_xid)
    SELECT e.organization_id, e.candidate_id, e.job_id,
           CASE WHEN c.deleted_at IS NULL THEN pg_current_xact_id() ELSE c.changed_xid END
    FROM unnest(entered) AS e JOIN recruiting.candidates c ON c.id = e.candidate_id ORDER BY 2, 3
    ON CONFLICT (candidate_id, job_id) DO UPDATE SET changed_xid = excluded.changed_xid, left_at = NULL;
    IF gone IS NULL THEN
        RETURN NULL;
    END IF;
    UPDATE recruiting.job_candidates k
    SET changed_xid = CASE WHEN c.deleted_at IS NULL THEN pg_current_xact_id() ELSE c.changed_xid END,
        left_at = clock_timestamp()
    FROM unnest(gone) AS g LEFT JOIN recruiting.candidates c ON c.id = g.candidate_id
    WHERE k.candidate_id = g.candidate_id AND k.job_id = g.job_id;
    INSERT INTO recruiting.reach_changes (organization_id, membership_id, candidate_id, job_id, changed_xid, changed_at)
    SELECT g.organization_id, t.membership_id, g.candidate_id, g.job_id,
           CASE WHEN c.deleted_at IS NULL THEN pg_current_xact_id() ELSE c.changed_xid END, clock_timestamp()
    FROM unnest(gone) AS g JOIN recruiting.hiring_teams t ON t.job_id = g.job_id
    LEFT JOIN recruiting.candidates c ON c.id = g.candidate_id
    ORDER BY 2, 3, 4
    ON CONFLICT (membership_id, candidate_id, job_id)
        DO UPDATE SET changed_xid = excluded.changed_xid, changed_at = excluded.changed_at;
    RETURN NULL;
END $$;
CREATE TRIGGER follow_added AFTER INSERT ON recruiting.applications
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT
    EXECUTE FUNCTION recruiting.follow_applications();
CREATE TRIGGER follow_changed AFTER UPDATE ON recruiting.applications
    REFERENCING NEW TABLE AS added OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION recruiting.follow_applications();
CREATE TRIGGER follow_removed AFTER DELETE ON recruiting.applications
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT
    EXECUTE FUNCTION recruiting.follow_applications();

-- Joining a hiring team brings its job's candidates into the member's reach, leaving it takes them away. Waits for
-- changes of which candidates the job has (above), and then reads what they left. A deleted candidate enters no reach, and leaves
-- it with the number of the deletion.
CREATE FUNCTION recruiting.follow_teams() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    joined recruiting.hiring_teams[];
    parted recruiting.hiring_teams[];
BEGIN
    -- One branch an operation: transition tables exist only where the trigger names them.
    IF TG_OP = 'INSERT' THEN
        SELECT array_agg(ROW (organization_id, job_id, membership_id, role)::recruiting.hiring_teams) INTO joined
        FROM added;
    ELSIF TG_OP = 'DELETE' THEN
        SELECT array_agg(ROW (organization_id, job_id, membership_id, role)::recruiting.hiring_teams) INTO parted
        FROM removed;
    ELSE
        SELECT array_agg(ROW (x.*, '')::recruiting.hiring_teams) INTO joined
        FROM (SELECT organization_id, job_id, membership_id FROM added
              EXCEPT SELECT organization_id, job_id, membership_id FROM removed) AS x;
        SELECT array_agg(ROW (x.*, '')::recruiting.hiring_teams) INTO parted
        FROM (SELECT organization_id, job_id, membership_id FROM removed
              EXCEPT SELECT organization_id, job_id, membership_id FROM added) AS x;
    END IF;
    INSERT INTO recruiting.job_counts AS n (job_id, organization_id, applications)
    SELECT DISTINCT job_id, organization_id, 0 FROM unnest(joined || parted) ORDER BY 1
    ON CONFLICT (job_id) DO UPDATE SET applications = n.applications;
    -- Transactions that restore one of the deleted candidates are waited for: once live, they enter the reach as others do.
    PERFORM FROM recruiting.candidates c
    WHERE c.deleted_at IS NOT NULL
      AND c.id IN (SELECT k.candidate_id FROM unnest(joined || parted) AS m
                   JOIN recruiting.job_candidates k ON k.job_id = m.job_id AND k.left_at IS NULL)
    ORDER BY c.id FOR NO KEY UPDATE;
    INSERT INTO recruiting.reach_changes (organization_id, membership_id, candidate_id, job_id, changed_xid, changed_at)
    SELECT m.organization_id, m.membership_id, k.candidate_id, k.job_id,
           CASE WHEN c.deleted_at IS NULL THEN pg_current_xact_id() ELSE c.changed_xid END, clock_timestamp()
    FROM (SELECT *, true AS joins FROM unnest(joined) UNION ALL SELECT *, false FROM unnest(parted)) AS m
    JOIN recruiting.job_candidates k ON k.job_id = m.job_id AND k.left_at IS NULL
    JOIN recruiting.candidates c ON c.id = k.candidate_id AND NOT (m.joins AND c.deleted_at IS NOT NULL)
    ORDER BY 2, 3, 4
    ON CONFLICT (membership_id, candidate_id, job_id)
        DO UPDATE SET changed_xid = excluded.changed_xid, changed_at = excluded.changed_at;
    RETURN NULL;
END $$;
CREATE TRIGGER follow_joined AFTER INSERT ON recruiting.hiring_teams
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT
    EXECUTE FUNCTION recruiting.follow_teams();
CREATE TRIGGER follow_moved AFTER UPDATE ON recruiting.hiring_teams
    REFERENCING NEW TABLE AS added OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION recruiting.follow_teams();
CREATE TRIGGER follow_left AFTER DELETE ON recruiting.hiring_teams
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT
    EXECUTE FUNCTION recruiting.follow_teams();

-- An application shows its stage's name.
CREATE FUNCTION recruiting.follow_stages() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM recruiting.touch_candidates(ARRAY(
        SELECT a.candidate_id FROM changed c JOIN before b ON b.id = c.id AND b.name <> c.name
        JOIN recruiting.applications a ON a.stage_id = c.id AND a.deleted_at IS NULL));
    RETURN NULL;
END $$;
CREATE TRIGGER follow_changed AFTER UPDATE ON recruiting.stages
    REFERENCING NEW TABLE AS changed OLD TABLE AS before
    FOR EACH STATEMENT EXECUTE FUNCTION recruiting.follow_stages();

-- A job that is deleted or restored is a change of the applications for it.
CREATE FUNCTION recruiting.follow_jobs() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM recruiting.touch_candidates(ARRAY(
        SELECT a.candidate_id
        FROM changed c JOIN before b ON b.id = c.id AND (b.deleted_at IS NULL) <> (c.deleted_at IS NULL)
        JOIN recruiting.applications a ON a.job_id = c.id AND a.deleted_at IS NULL));
    RETURN NULL;
END $$;
CREATE TRIGGER follow_changed AFTER UPDATE ON recruiting.jobs
    REFERENCING NEW TABLE AS changed OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION recruiting.follow_jobs();

-- All that the public side can see: published views, owned by recruiting_owner, and nothing else.
-- An organization is public only once it has published a job: before that, its name and address concern no other.
-- It stays public while any published job is left, closed ones included, so that a careers page does not vanish between
-- two openings. The triggers below report each change of a published job, the last one's withdrawal included.
CREATE VIEW recruiting.published_organizations WITH (security_barrier) AS
SELECT o.id, o.slug, o.name, o.website_url, o.logo_url, o.time_zone, o.careers_page_url, o.accent_color, o.share_image_url, o.apply_url
FROM recruiting.organizations o
WHERE EXISTS (SELECT FROM recruiting.jobs j
              WHERE j.organization_id = o.id AND j.published AND j.status <> 'draft' AND j.deleted_at IS NULL);
ALTER VIEW recruiting.published_organizations OWNER TO recruiting_owner;

-- apply_url is the job's own: public-api falls back to the organization's, whose change leaves updated_at of its jobs.
CREATE VIEW recruiting.published_jobs WITH (security_barrier) AS
SELECT j.id, j.organization_id, j.title, j.department, j.location_name, j.location_city, j.location_region,
       j.location_country_code, j.workplace_type, j.employment_type,
       CASE WHEN j.salary_published THEN j.salary_min END AS salary_min,
       CASE WHEN j.salary_published THEN j.salary_max END AS salary_max,
       CASE WHEN j.salary_published THEN j.salary_currency END AS salary_currency,
       CASE WHEN j.salary_published THEN j.salary_period END AS salary_period,
       j.description_html, j.description_text, j.published_at, j.closes_at, j.updated_at, j.apply_url
FROM recruiting.jobs j
WHERE j.published AND j.status = 'open' AND j.deleted_at IS NULL AND (j.closes_at IS NULL OR j.closes_at > now());
ALTER VIEW recruiting.published_jobs OWNER TO recruiting_owner;

CREATE VIEW recruiting.published_stages WITH (security_barrier) AS
SELECT s.id, s.job_id, s.name, s.position, s.interview_duration_minutes
FROM recruiting.stages s JOIN recruiting.published_jobs j ON j.id = s.job_id
WHERE s.bookable AND s.interview_duration_minutes IS NOT NULL;
ALTER VIEW recruiting.published_stages OWNER TO recruiting_owner;
GRANT SELECT ON recruiting.published_organizations, recruiting.published_jobs, recruiting.published_stages
    TO recruiting_public;

-- The last id of each page of published organizations, for public-api: with both ends given, a page is read without all
-- organizations that follow it (no ORDER BY … LIMIT is planned into the view, which is a security barrier).
CREATE FUNCTION recruiting.published_pages(size integer) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT o.id FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM recruiting.published_organizations) o
     WHERE o.place % size = 0 ORDER BY o.id
$$;
ALTER FUNCTION recruiting.published_pages OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.published_pages FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.published_pages TO recruiting_public;

-- Which organization's published data changed in which transaction, for a day. public-api reads what changed since it read
-- last, whatever notifications it missed (decision 0101). Services learn the ids and nothing else, as by the notifications.
CREATE TABLE recruiting.published_changes (
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    organization_id uuid NOT NULL, -- references nothing: an organization that is deleted has changed
    changed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (changed_xid, organization_id) -- of a transaction's own number: no two wait for each other
);
ALTER TABLE recruiting.published_changes OWNER TO recruiting_owner, ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.published_changes TO recruiting_owner USING (true) WITH CHECK (true);
CREATE POLICY known ON recruiting.published_changes FOR SELECT TO recruiting_public USING (true);
GRANT SELECT ON recruiting.published_changes TO recruiting_public;
CREATE INDEX published_changes_by_time ON recruiting.published_changes (changed_at);

-- Reports to public-api which organization's published data has changed, so that what it serves from memory follows within
-- a second. One notification per transaction and organization: PostgreSQL drops repeated ones. Each call also deletes up to two
-- rows that are older than a day, so that the table needs no other care; rows that another transaction deletes are left to it.
CREATE FUNCTION recruiting.notify_published(organization uuid) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    INSERT INTO recruiting.published_changes (organization_id) VALUES (organization) ON CONFLICT DO NOTHING;
    IF FOUND THEN
        DELETE FROM recruiting.published_changes
         WHERE (changed_xid, organization_id) IN (
            SELECT p.changed_xid, p.organization_id FROM recruiting.published_changes p
             WHERE p.changed_at < now() - interval '1 day' ORDER BY p.changed_at LIMIT 2 FOR UPDATE SKIP LOCKED);
    END IF;
    PERFORM pg_notify('recruiting_published', replace(organization::text, '-', ''));
END $$;

CREATE FUNCTION recruiting.notify_published_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- One branch an operation: transition tables exist only where the trigger names them.
    IF TG_OP = 'INSERT' THEN
        PERFORM recruiting.notify_published(organization_id)
        FROM (SELECT DISTINCT organization_id FROM added WHERE published) AS touched;
    ELSIF TG_OP = 'DELETE' THEN
        PERFORM recruiting.notify_published(organization_id)
        FROM (SELECT DISTINCT organization_id FROM removed WHERE published) AS touched;
    ELSE
        PERFORM recruiting.notify_published(organization_id)
        FROM (SELECT organization_id FROM added WHERE published
              UNION SELECT organization_id FROM removed WHERE published) AS touched;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER notify_added AFTER INSERT ON recruiting.jobs
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION recruiting.notify_published_jobs();
CREATE TRIGGER notify_changed AFTER UPDATE ON recruiting.jobs
    REFERENCING NEW TABLE AS added OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION recruiting.notify_published_jobs();
CREATE TRIGGER notify_removed AFTER DELETE ON recruiting.jobs
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION recruiting.notify_published_jobs();

-- A change of a job's stages changes its row too (copy_stages): only organizations have to tell by themselves.
CREATE FUNCTION recruiting.notify_published_organization() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM recruiting.notify_published(coalesce(NEW.id, OLD.id));
    RETURN NULL;
END $$;
CREATE TRIGGER notify_published AFTER INSERT OR UPDATE OR DELETE ON recruiting.organizations
    FOR EACH ROW EXECUTE FUNCTION recruiting.notify_published_organization();

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
CREATE POLICY by_role ON recruiting.subscriptions AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin')));
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
CREATE POLICY by_role ON recruiting.invoices AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin')));
CREATE INDEX invoices_by_issued ON recruiting.invoices (organization_id, issued_at, id);

-- The metering ledger: one row per metered thing, written in the transaction that makes it.
-- A booking is billed once for each calendar day of its interview, however often it is canceled and booked again: one
-- booking is one application at one stage.
CREATE TABLE recruiting.usage_records (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES recruiting.organizations (id),
    kind text NOT NULL CHECK (kind IN ('agent_run', 'booking')),
    occurred_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    subject_id uuid,
    input_tokens bigint NOT NULL DEFAULT 0,
    output_tokens bigint NOT NULL DEFAULT 0,
    interview_day date -- of a booking
);
SELECT recruiting.protect_tenant_table('recruiting.usage_records');
CREATE INDEX usage_records_by_time ON recruiting.usage_records (organization_id, occurred_at, kind)
    INCLUDE (input_tokens, output_tokens);
CREATE UNIQUE INDEX usage_records_one_a_run ON recruiting.usage_records (subject_id) WHERE kind = 'agent_run';
CREATE UNIQUE INDEX usage_records_once_a_day ON recruiting.usage_records (subject_id, interview_day)
    WHERE kind = 'booking' AND interview_day IS NOT NULL;
CREATE POLICY by_role ON recruiting.usage_records AS RESTRICTIVE FOR SELECT TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin')));
