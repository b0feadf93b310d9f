-- A revoked key stays revoked, whoever asks: recruiting_auth may write revoked_at, and its policy for notes of last use
-- does not look at that column (SECURITY.md: auth-api taken over).
CREATE FUNCTION recruiting.refuse_to_unrevoke() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a revoked key stays revoked' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER revoked_for_good BEFORE UPDATE OF revoked_at ON recruiting.api_keys
    FOR EACH ROW WHEN (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NULL)
    EXECUTE FUNCTION recruiting.refuse_to_unrevoke();
