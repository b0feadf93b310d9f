-- API keys that were sent to the public API. public-api may not read keys: it seals what it saw to a public key that
-- auth-api has published here, and auth-api looks whether it is a real one (design: Public API; action key.exposed).
CREATE TABLE recruiting.exposure_keys (
    public_key bytea PRIMARY KEY CHECK (length(public_key) = 32), -- X25519; the private one is derived from the pepper
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
ALTER TABLE recruiting.exposure_keys OWNER TO recruiting_owner;
ALTER TABLE recruiting.exposure_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE recruiting.exposure_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.exposure_keys TO recruiting_owner USING (true) WITH CHECK (true);
CREATE POLICY worker ON recruiting.exposure_keys TO recruiting_auth
    USING ((SELECT recruiting.is_worker('exposure'))) WITH CHECK ((SELECT recruiting.is_worker('exposure')));
CREATE POLICY seal ON recruiting.exposure_keys FOR SELECT TO recruiting_public USING (true);
GRANT SELECT, INSERT, DELETE ON recruiting.exposure_keys TO recruiting_auth;
GRANT SELECT ON recruiting.exposure_keys TO recruiting_public;

CREATE TABLE recruiting.exposed_credentials (
    id uuid PRIMARY KEY,
    sealed bytea NOT NULL CHECK (length(sealed) <= 512),
    seen_in text NOT NULL CHECK (length(seen_in) <= 200), -- header name, query or path; never the value
    endpoint text CHECK (length(endpoint) <= 200),
    method text CHECK (length(method) <= 20),
    ip_address inet,
    user_agent text CHECK (length(user_agent) <= 500),
    request_id text CHECK (length(request_id) <= 64),
    seen_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
ALTER TABLE recruiting.exposed_credentials OWNER TO recruiting_owner;
ALTER TABLE recruiting.exposed_credentials ENABLE ROW LEVEL SECURITY;
ALTER TABLE recruiting.exposed_credentials FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.exposed_credentials TO recruiting_owner USING (true) WITH CHECK (true);
CREATE POLICY report ON recruiting.exposed_credentials FOR INSERT TO recruiting_public WITH CHECK (true);
CREATE POLICY worker ON recruiting.exposed_credentials TO recruiting_auth
    USING ((SELECT recruiting.is_worker('exposure')));
GRANT INSERT ON recruiting.exposed_credentials TO recruiting_public;
GRANT SELECT, DELETE ON recruiting.exposed_credentials TO recruiting_auth;
CREATE INDEX exposed_credentials_by_time ON recruiting.exposed_credentials (seen_at, id);
