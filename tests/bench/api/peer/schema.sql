-- The peer's tables and rows: 20 organizations, 200 members, 1,000 keys (key-1 to key-1000), 2,000 jobs, 100,000 candidates.
CREATE EXTENSION IF NOT EXISTS pgcrypto;
CREATE TABLE organizations (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, slug text UNIQUE NOT NULL, name text NOT NULL);
CREATE TABLE members (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, org_id bigint NOT NULL REFERENCES organizations, email text NOT NULL,
    role text NOT NULL CHECK (role IN ('owner', 'admin', 'recruiter', 'viewer')), active boolean NOT NULL DEFAULT true,
    UNIQUE (org_id, email));
CREATE TABLE api_keys (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, member_id bigint NOT NULL REFERENCES members,
    hash bytea NOT NULL UNIQUE, revoked_at timestamptz, created_at timestamptz NOT NULL DEFAULT now());
CREATE TABLE jobs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, org_id bigint NOT NULL REFERENCES organizations, slug text NOT NULL,
    title text NOT NULL, location text, description text NOT NULL, status text NOT NULL, published_at timestamptz,
    updated_at timestamptz NOT NULL DEFAULT now(), UNIQUE (org_id, slug));
CREATE TABLE candidates (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, org_id bigint NOT NULL REFERENCES organizations,
    job_id bigint NOT NULL REFERENCES jobs, full_name text NOT NULL, email text NOT NULL, phone text, stage text NOT NULL,
    score int NOT NULL, created_at timestamptz NOT NULL DEFAULT now());
CREATE INDEX ON candidates (org_id, created_at DESC, id DESC);
CREATE INDEX ON candidates (job_id);
CREATE TABLE audit_log (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, org_id bigint NOT NULL, member_id bigint NOT NULL, key_id bigint NOT NULL,
    action text NOT NULL, target_type text NOT NULL, target_id bigint, ip inet, request_id uuid NOT NULL,
    at timestamptz NOT NULL DEFAULT now());
CREATE INDEX ON audit_log (org_id, at);

INSERT INTO organizations (slug, name) SELECT 'org-' || i, 'Organization ' || i FROM generate_series(1, 20) i;
INSERT INTO members (org_id, email, role)
SELECT 1 + (i % 20), 'm' || i || '@example.org', (ARRAY['owner', 'admin', 'recruiter', 'viewer'])[1 + i % 4]
FROM generate_series(1, 200) i;
INSERT INTO api_keys (member_id, hash) SELECT 1 + (i - 1) % 200, digest('key-' || i, 'sha256') FROM generate_series(1, 1000) i;
INSERT INTO jobs (org_id, slug, title, location, description, status, published_at)
SELECT 1 + (i % 20), 'job-' || i, 'Senior Engineer ' || i, 'Berlin', repeat('Lorem ipsum dolor sit amet. ', 32),
       CASE WHEN i % 5 = 0 THEN 'draft' ELSE 'published' END, now()
FROM generate_series(1, 2000) i;
INSERT INTO candidates (org_id, job_id, full_name, email, phone, stage, score, created_at)
SELECT j.org_id, j.id, 'Candidate Number ' || i, 'cand' || i || '@example.com', '+49 30 ' || (1000000 + i),
       (ARRAY['applied', 'screen', 'interview', 'offer', 'hired'])[1 + i % 5], i % 100, now() - i * interval '1 second'
FROM generate_series(1, 100000) i JOIN jobs j ON j.id = 1 + i % 2000;
