-- One statement a line that neither service's role may run, whatever it has set: every command of PostgreSQL that changes
-- something outside a session, and functions with the same effect. {role} is the role itself, {database} this database.
ALTER AGGREGATE recruiting.sample_aggregate(int) RENAME TO mine
ALTER COLLATION recruiting.sample_collation RENAME TO mine
ALTER CONVERSION recruiting.sample_conversion RENAME TO mine
ALTER DATABASE {database} SET work_mem = '1GB'
ALTER DATABASE {database} CONNECTION LIMIT 1
ALTER DEFAULT PRIVILEGES FOR ROLE recruiting_owner GRANT ALL ON TABLES TO PUBLIC
ALTER DOMAIN recruiting.sample_domain DROP NOT NULL
ALTER EVENT TRIGGER sample_event DISABLE
ALTER EXTENSION plpgsql SET SCHEMA recruiting
ALTER FOREIGN DATA WRAPPER sample_wrapper NO HANDLER
ALTER FUNCTION recruiting.sample_function(int) STABLE
ALTER GROUP recruiting_owner ADD USER {role}
ALTER INDEX recruiting.sample_words RENAME TO mine
ALTER LANGUAGE plpgsql RENAME TO mine
ALTER LARGE OBJECT 4242 OWNER TO {role}
ALTER MATERIALIZED VIEW recruiting.sample_copy RENAME TO mine
ALTER OPERATOR recruiting.<#> (int, int) SET (RESTRICT = NONE)
ALTER POLICY sample_policy ON recruiting.sample USING (false)
ALTER PROCEDURE recruiting.sample_procedure() SECURITY DEFINER
ALTER PUBLICATION sample_publication SET (publish = 'insert')
ALTER ROLE recruiting_owner PASSWORD 'mine'
ALTER ROLE recruiting_owner SET work_mem = '1GB'
ALTER ROLE ALL SET work_mem = '1GB'
ALTER ROLE {role} SUPERUSER
ALTER ROLE {role} BYPASSRLS
ALTER ROLE {role} CREATEROLE
ALTER ROLE {role} CREATEDB
ALTER ROLE {role} REPLICATION
ALTER ROLE {role} INHERIT
ALTER ROLE {role} CONNECTION LIMIT 1000
ALTER ROLE {role} VALID UNTIL 'infinity'
ALTER ROLE {role} SET session_preload_libraries = 'mine'
ALTER ROLE {role} SET temp_file_limit = -1
ALTER ROUTINE recruiting.sample_function(int) STABLE
ALTER RULE sample_rule ON recruiting.sample RENAME TO mine
ALTER SCHEMA recruiting RENAME TO mine
ALTER SEQUENCE recruiting.sample_sequence RESTART
ALTER SERVER sample_server VERSION '2'
ALTER STATISTICS recruiting.sample_statistics RENAME TO mine
ALTER SUBSCRIPTION sample_subscription ENABLE
ALTER SYSTEM SET work_mem = '1GB'
ALTER TABLE recruiting.sample DISABLE ROW LEVEL SECURITY
ALTER TABLESPACE pg_default RENAME TO mine
ALTER TEXT SEARCH CONFIGURATION recruiting.sample_search RENAME TO mine
ALTER TEXT SEARCH DICTIONARY recruiting.sample_dictionary RENAME TO mine
ALTER TRIGGER sample_trigger ON recruiting.sample RENAME TO mine
ALTER TYPE recruiting.sample_type ADD VALUE 'b'
ALTER USER MAPPING FOR PUBLIC SERVER sample_server OPTIONS (ADD a 'b')
ALTER VIEW recruiting.sample_view RENAME TO mine
CALL recruiting.sample_procedure()
CHECKPOINT
CLUSTER recruiting.sample USING sample_words
COMMENT ON TABLE recruiting.sample IS 'mine'
COMMENT ON ROLE {role} IS 'mine'
COMMENT ON DATABASE {database} IS 'mine'
COPY recruiting.sample FROM '/etc/passwd'
COPY (SELECT 1) TO '/tmp/mine'
COPY (SELECT 1) TO PROGRAM 'true'
CREATE ACCESS METHOD mine TYPE INDEX HANDLER bthandler
CREATE AGGREGATE recruiting.mine(int) (SFUNC = int4pl, STYPE = int)
CREATE CAST (recruiting.sample_type AS int) WITH INOUT
CREATE COLLATION recruiting.mine FROM "C"
CREATE CONVERSION recruiting.mine FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8
CREATE DATABASE mine
CREATE DOMAIN recruiting.mine AS int
CREATE EVENT TRIGGER mine ON ddl_command_start EXECUTE FUNCTION recruiting.sample_event()
CREATE EXTENSION pg_trgm SCHEMA recruiting
CREATE FOREIGN DATA WRAPPER mine
CREATE FOREIGN TABLE recruiting.mine (id int) SERVER sample_server
CREATE FUNCTION recruiting.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'
CREATE FUNCTION public.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'
CREATE GROUP mine
CREATE INDEX mine ON recruiting.sample (id)
CREATE LANGUAGE mine HANDLER plpgsql_call_handler
CREATE MATERIALIZED VIEW recruiting.mine AS SELECT 1
CREATE OPERATOR recruiting.<##> (LEFTARG = int, RIGHTARG = int, FUNCTION = int4pl)
CREATE OPERATOR CLASS recruiting.mine FOR TYPE int USING btree AS OPERATOR 1 <
CREATE OPERATOR FAMILY recruiting.mine USING btree
CREATE POLICY mine ON recruiting.sample USING (true)
CREATE PROCEDURE recruiting.mine() LANGUAGE sql AS 'SELECT 1'
CREATE PUBLICATION mine
CREATE ROLE mine
CREATE RULE mine AS ON DELETE TO recruiting.sample DO ALSO NOTHING
CREATE SCHEMA mine
CREATE SEQUENCE recruiting.mine
CREATE SERVER mine FOREIGN DATA WRAPPER sample_wrapper
CREATE STATISTICS recruiting.mine ON id, words FROM recruiting.sample
CREATE SUBSCRIPTION mine CONNECTION 'host=127.0.0.1' PUBLICATION none WITH (connect = false)
CREATE TABLE recruiting.mine (id int)
CREATE TABLE public.mine (id int)
CREATE TABLE mine AS SELECT 1
CREATE TEMPORARY TABLE mine (id int)
CREATE TABLESPACE mine LOCATION '/tmp'
CREATE TEXT SEARCH CONFIGURATION recruiting.mine (COPY = simple)
CREATE TEXT SEARCH DICTIONARY recruiting.mine (TEMPLATE = simple)
CREATE TEXT SEARCH PARSER recruiting.mine (START = prsd_start, GETTOKEN = prsd_nexttoken, END = prsd_end, LEXTYPES = prsd_lextype)
CREATE TEXT SEARCH TEMPLATE recruiting.mine (LEXIZE = dsimple_lexize)
CREATE TRANSFORM FOR int LANGUAGE sql (FROM SQL WITH FUNCTION prsd_lextype(internal))
CREATE TRIGGER mine AFTER DELETE ON recruiting.sample EXECUTE FUNCTION recruiting.sample_trigger()
CREATE TYPE recruiting.mine AS ENUM ('a')
CREATE USER mine
CREATE USER MAPPING FOR PUBLIC SERVER sample_server
CREATE VIEW recruiting.mine AS SELECT 1
DELETE FROM recruiting.sample
DELETE FROM pg_catalog.pg_authid
DROP ACCESS METHOD heap
DROP AGGREGATE recruiting.sample_aggregate(int)
DROP CAST (text AS regclass)
DROP COLLATION recruiting.sample_collation
DROP CONVERSION recruiting.sample_conversion
DROP DATABASE {database}
DROP DATABASE postgres
DROP DOMAIN recruiting.sample_domain
DROP EVENT TRIGGER sample_event
DROP EXTENSION plpgsql
DROP FOREIGN DATA WRAPPER sample_wrapper
DROP FUNCTION recruiting.sample_function(int)
DROP INDEX recruiting.sample_words
DROP LANGUAGE plpgsql
DROP MATERIALIZED VIEW recruiting.sample_copy
DROP OPERATOR recruiting.<#> (int, int)
DROP OPERATOR CLASS int4_ops USING btree
DROP OPERATOR FAMILY integer_ops USING btree
DROP OWNED BY recruiting_owner
DROP POLICY sample_policy ON recruiting.sample
DROP PROCEDURE recruiting.sample_procedure()
DROP PUBLICATION sample_publication
DROP ROLE recruiting_owner
DROP ROUTINE recruiting.sample_function(int)
DROP RULE sample_rule ON recruiting.sample
DROP SCHEMA recruiting CASCADE
DROP SEQUENCE recruiting.sample_sequence
DROP SERVER sample_server
DROP STATISTICS recruiting.sample_statistics
DROP SUBSCRIPTION sample_subscription
DROP TABLE recruiting.sample
DROP TABLESPACE pg_default
DROP TEXT SEARCH CONFIGURATION recruiting.sample_search
DROP TEXT SEARCH DICTIONARY recruiting.sample_dictionary
DROP TEXT SEARCH PARSER "default"
DROP TEXT SEARCH TEMPLATE simple
DROP TRIGGER sample_trigger ON recruiting.sample
DROP TYPE recruiting.sample_type
DROP USER MAPPING FOR PUBLIC SERVER sample_server
DROP VIEW recruiting.sample_view
GRANT recruiting_owner TO {role}
GRANT ALL ON recruiting.sample TO {role}
GRANT SET ON PARAMETER temp_file_limit TO {role}
IMPORT FOREIGN SCHEMA a FROM SERVER sample_server INTO recruiting
INSERT INTO recruiting.sample VALUES (1)
LOAD 'plpgsql'
MERGE INTO recruiting.sample_other USING (VALUES (1)) v ON true WHEN MATCHED THEN DELETE
REASSIGN OWNED BY recruiting_owner TO {role}
REFRESH MATERIALIZED VIEW recruiting.sample_copy
REINDEX TABLE recruiting.sample
REINDEX DATABASE {database}
REINDEX SYSTEM {database}
SELECT FROM recruiting.sample
SELECT rolpassword FROM pg_catalog.pg_authid
SELECT FROM pg_catalog.pg_largeobject
SELECT FROM pg_catalog.pg_statistic
SELECT FROM pg_catalog.pg_user_mapping
SET ROLE recruiting_owner
SET ROLE postgres
SET SESSION AUTHORIZATION recruiting_owner
SET temp_file_limit = -1
SET session_replication_role = replica
SET log_statement = 'none'
TRUNCATE recruiting.sample
UPDATE recruiting.sample SET id = 2
UPDATE pg_catalog.pg_database SET datallowconn = false
SELECT lo_creat(-1)
SELECT lo_create(0)
SELECT lo_from_bytea(0, '\x00')
SELECT lo_import('/etc/passwd')
SELECT lo_import('/etc/passwd', 1)
SELECT lo_export(4242, '/tmp/mine')
SELECT lo_open(4242, 262144)
SELECT lo_get(4242)
SELECT lo_put(4242, 0, '\x00')
SELECT lo_unlink(4242)
SELECT pg_notify('recruiting_published', '')
SELECT pg_read_file('PG_VERSION')
SELECT pg_read_binary_file('PG_VERSION')
SELECT pg_ls_dir('.')
SELECT pg_stat_file('PG_VERSION')
SELECT pg_ls_logdir()
SELECT pg_ls_waldir()
SELECT pg_current_logfile()
SELECT pg_reload_conf()
SELECT pg_rotate_logfile()
SELECT pg_switch_wal()
SELECT pg_create_restore_point('mine')
SELECT pg_backup_start('mine')
SELECT pg_promote()
SELECT pg_create_physical_replication_slot('mine')
SELECT pg_create_logical_replication_slot('mine', 'test_decoding')
SELECT pg_drop_replication_slot('mine')
SELECT pg_replication_origin_create('mine')
SELECT pg_log_backend_memory_contexts(pg_backend_pid())
SELECT pg_get_backend_memory_contexts()
SELECT FROM pg_catalog.pg_hba_file_rules
SELECT FROM pg_catalog.pg_file_settings
SELECT FROM pg_catalog.pg_shadow
SELECT FROM pg_catalog.pg_config
SELECT 1; LOCK TABLE recruiting.sample IN ACCESS SHARE MODE
SELECT subconninfo FROM pg_catalog.pg_subscription
