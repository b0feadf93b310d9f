-- Jobs, hiring teams, stages, candidates, applications.
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
    -- (openapi: hiringTeam, Stage), and where a published job is shown.
    hiring_team text NOT NULL DEFAULT '[]',
    stages text NOT NULL DEFAULT '[]',
    public_url text,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    deleted_at timestamptz,
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    UNIQUE (organization_id, external_id)
);
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
CREATE TRIGGER stamp BEFORE UPDATE ON recruiting.jobs FOR EACH ROW EXECUTE FUNCTION recruiting.stamp_change();

CREATE FUNCTION recruiting.set_public_url() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.published AND NEW.published_at IS NULL THEN
        NEW.published_at := clock_timestamp(); -- the public lists are in its order
    END IF;
    NEW.public_url := CASE WHEN NEW.published AND NEW.status = 'open' THEN (
        SELECT rtrim(o.careers_page_url, '/') || '/jobs/' || replace(NEW.id::text, '-', '')
        FROM recruiting.organizations o WHERE o.id = NEW.organization_id) END;
    RETURN NEW;
END $$;
CREATE TRIGGER set_public_url BEFORE INSERT OR UPDATE OF published, status ON recruiting.jobs
    FOR EACH ROW EXECUTE FUNCTION recruiting.set_public_url();
CREATE FUNCTION recruiting.refresh_public_urls() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE recruiting.jobs SET published = published WHERE organization_id = NEW.id AND published;
    RETURN NULL;
END $$;
CREATE TRIGGER refresh_public_urls AFTER UPDATE OF careers_page_url ON recruiting.organizations
    FOR EACH ROW WHEN (OLD.careers_page_url IS DISTINCT FROM NEW.careers_page_url)
    EXECUTE FUNCTION recruiting.refresh_public_urls();

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
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION recruiting.copy_stages();
CREATE TRIGGER copy_changed AFTER UPDATE ON recruiting.stages
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION recruiting.copy_stages();
CREATE TRIGGER copy_removed AFTER DELETE ON recruiting.stages
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION recruiting.copy_stages();

CREATE TABLE recruiting.candidates (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES recruiting.organizations (id),
    external_id text,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 300),
    sort_name text COLLATE "C" NOT NULL GENERATED ALWAYS AS (lower(name)) STORED,
    email text CHECK (length(email) BETWEEN 3 AND 254),
    email_key text GENERATED ALWAYS AS (lower(email)) STORED,
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
    UNIQUE (organization_id, external_id)
);
SELECT recruiting.protect_tenant_table('recruiting.candidates');
CREATE INDEX candidates_by_created ON recruiting.candidates (organization_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX candidates_by_updated ON recruiting.candidates (organization_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX candidates_by_name ON recruiting.candidates (organization_id, sort_name, id) WHERE deleted_at IS NULL;
CREATE INDEX candidates_by_email ON recruiting.candidates (organization_id, email_key) WHERE deleted_at IS NULL;
CREATE INDEX candidates_by_source ON recruiting.candidates (organization_id, source, created_at, id)
    WHERE deleted_at IS NULL;
CREATE INDEX candidates_by_change ON recruiting.candidates (organization_id, changed_xid, id);
CREATE TRIGGER stamp BEFORE UPDATE ON recruiting.candidates FOR EACH ROW EXECUTE FUNCTION recruiting.stamp_change();

-- Words and tags by which candidates are found. A table and not a GIN index, because array and pattern operators are
-- not leakproof and row-level security then keeps PostgreSQL from using them in an index.
CREATE TABLE recruiting.candidate_terms (
    organization_id uuid NOT NULL,
    kind "char" NOT NULL CHECK (kind IN ('w', 't')), -- w: word of name, e-mail, title, company; t: tag
    term text COLLATE "C" NOT NULL,
    candidate_id uuid NOT NULL REFERENCES recruiting.candidates (id) ON DELETE CASCADE,
    PRIMARY KEY (organization_id, kind, term, candidate_id)
);
SELECT recruiting.protect_tenant_table('recruiting.candidate_terms');
CREATE INDEX candidate_terms_by_candidate ON recruiting.candidate_terms (candidate_id);

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
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION recruiting.add_candidate_terms();

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

-- How many applications stand in each stage and status: lists and pipelines cost the same at any number of candidates.
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

CREATE TABLE recruiting.job_counts (
    job_id uuid PRIMARY KEY REFERENCES recruiting.jobs (id) ON DELETE CASCADE,
    organization_id uuid NOT NULL,
    applications bigint NOT NULL
);
SELECT recruiting.protect_tenant_table('recruiting.job_counts');
CREATE INDEX job_counts_by_organization ON recruiting.job_counts (organization_id);

CREATE FUNCTION recruiting.count_of_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO recruiting.job_counts AS c (job_id, organization_id, applications)
    VALUES (NEW.job_id, NEW.organization_id, NEW.applications)
    ON CONFLICT (job_id) DO UPDATE SET applications = c.applications + NEW.applications -
        CASE WHEN TG_OP = 'UPDATE' THEN OLD.applications ELSE 0 END;
    RETURN NULL;
END $$;
CREATE TRIGGER count_of_job AFTER INSERT OR UPDATE OF applications ON recruiting.stage_counts
    FOR EACH ROW EXECUTE FUNCTION recruiting.count_of_job();

CREATE FUNCTION recruiting.count_applications() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- Ordered, so that two bulk changes lock the counts in one order. One branch an operation: transition tables
    -- exist only where the trigger names them.
    IF TG_OP = 'INSERT' THEN
        INSERT INTO recruiting.stage_counts AS c (organization_id, job_id, stage_id, status, applications)
        SELECT organization_id, job_id, stage_id, status, count(*)
        FROM added WHERE deleted_at IS NULL GROUP BY 1, 2, 3, 4 ORDER BY 2, 3, 4
        ON CONFLICT (job_id, stage_id, status) DO UPDATE SET applications = c.applications + excluded.applications;
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO recruiting.stage_counts AS c (organization_id, job_id, stage_id, status, applications)
        SELECT organization_id, job_id, stage_id, status, -count(*)
        FROM removed WHERE deleted_at IS NULL GROUP BY 1, 2, 3, 4 ORDER BY 2, 3, 4
        ON CONFLICT (job_id, stage_id, status) DO UPDATE SET applications = c.applications + excluded.applications;
    ELSE
        INSERT INTO recruiting.stage_counts AS c (organization_id, job_id, stage_id, status, applications)
        SELECT organization_id, job_id, stage_id, status, sum(n)
        FROM (SELECT organization_id, job_id, stage_id, status, 1 AS n FROM added WHERE deleted_at IS NULL
              UNION ALL
              SELECT organization_id, job_id, stage_id, status, -1 FROM removed WHERE deleted_at IS NULL) AS moves
        GROUP BY 1, 2, 3, 4 HAVING sum(n) <> 0 ORDER BY 2, 3, 4
        ON CONFLICT (job_id, stage_id, status) DO UPDATE SET applications = c.applications + excluded.applications;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER count_added AFTER INSERT ON recruiting.applications
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION recruiting.count_applications();
CREATE TRIGGER count_moved AFTER UPDATE ON recruiting.applications
    REFERENCING NEW TABLE AS added OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION recruiting.count_applications();
CREATE TRIGGER count_removed AFTER DELETE ON recruiting.applications
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION recruiting.count_applications();

-- The role's narrowing, written once: candidates and applications are for admins and recruiters, and for hiring
-- managers on the jobs whose hiring team they are on (design: API keys, scopes, roles).
CREATE POLICY by_role ON recruiting.applications AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin', 'recruiter'))
           OR ((SELECT recruiting.has_role('hiring_manager'))
               AND job_id IN (SELECT t.job_id FROM recruiting.hiring_teams t
                              WHERE t.membership_id = (SELECT recruiting.current_member_id()))));
-- A function, and PL/pgSQL, so that it stays out of the plan: inlined, every statement of an admin would set it up
-- too, and a hiring manager's would hash all of the organization's applications. Its query is narrowed by the policy
-- above, as every other.
CREATE FUNCTION recruiting.has_application_in_reach(candidate uuid) RETURNS boolean
    LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
    RETURN EXISTS (SELECT FROM recruiting.applications a
                   WHERE a.candidate_id = candidate AND a.deleted_at IS NULL);
END $$;
CREATE POLICY by_role ON recruiting.candidates AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin', 'recruiter'))
           OR ((SELECT recruiting.has_role('hiring_manager')) AND recruiting.has_application_in_reach(id)));
CREATE POLICY by_role ON recruiting.candidate_terms AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin', 'recruiter', 'hiring_manager')));
