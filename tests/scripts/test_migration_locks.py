"""scripts/checks/migration_locks: statements that lock existing tables for long are found, safe ones are not."""
import unittest

from support import load_check

locks = load_check("migration_locks")
STEPWISE = "-- recruitctl: statement by statement\n"


def finds(sql, earlier=()):
    return len(locks.check("0030_x.sql", sql, earlier))


class MigrationLocks(unittest.TestCase):
    def test_statements_that_lock_an_existing_table_for_long_are_found(self):
        for sql in (
            "CREATE INDEX a ON recruiting.jobs (id);",
            "CREATE UNIQUE INDEX a ON recruiting.jobs (id);",
            "ALTER TABLE recruiting.jobs ADD CONSTRAINT a CHECK (n > 0);",
            "ALTER TABLE recruiting.jobs ADD CHECK (n > 0);",
            "ALTER TABLE recruiting.jobs\n  ADD CONSTRAINT a FOREIGN KEY (b) REFERENCES recruiting.b (id);",
            "ALTER TABLE recruiting.jobs ADD CONSTRAINT a UNIQUE (b);",
            "ALTER TABLE recruiting.jobs ADD CONSTRAINT a EXCLUDE USING gist (b WITH =);",
            "ALTER TABLE recruiting.jobs ADD COLUMN a uuid REFERENCES recruiting.b (id);",
            "ALTER TABLE recruiting.jobs ADD COLUMN a int CHECK (a > 0);",
            "ALTER TABLE recruiting.jobs ADD COLUMN a uuid NOT NULL DEFAULT gen_random_uuid();",
            "ALTER TABLE recruiting.jobs ADD COLUMN a text GENERATED ALWAYS AS (lower(b)) STORED;",
            "ALTER TABLE recruiting.jobs ADD COLUMN a bigserial;",
            "ALTER TABLE recruiting.jobs ALTER COLUMN a TYPE bigint;",
            "ALTER TABLE ONLY recruiting.jobs ALTER a SET DATA TYPE bigint;",
            "ALTER TABLE recruiting.jobs ALTER COLUMN a SET NOT NULL;",
            "ALTER TABLE recruiting.audit_log ATTACH PARTITION recruiting.x FOR VALUES IN (1);",
            "UPDATE recruiting.jobs SET a = 1;",
            "DELETE FROM recruiting.jobs WHERE a;",
            "LOCK TABLE recruiting.jobs;",
            "REINDEX TABLE recruiting.jobs;",
            "-- a comment; with a semicolon\nCREATE INDEX a ON recruiting.jobs (id);",
            "CREATE INDEX CONCURRENTLY IF NOT EXISTS a ON recruiting.jobs (id);",
            "ALTER TABLE recruiting.jobs ADD CONSTRAINT a CHECK (n > 0) NOT VALID;\n"
            "ALTER TABLE recruiting.jobs VALIDATE CONSTRAINT a;",
        ):
            with self.subTest(sql):
                self.assertEqual(finds(sql), 1)

    def test_do_blocks_are_looked_into_and_function_bodies_are_not(self):
        for sql in (
            "DO $$ BEGIN ALTER TABLE recruiting.jobs ALTER COLUMN a TYPE bigint; END $$;",
            "DO $do$ BEGIN IF true THEN CREATE INDEX a ON recruiting.jobs (id); END IF; END $do$;",
            "DO LANGUAGE plpgsql $$ BEGIN UPDATE recruiting.jobs SET a = 1; END $$;",
            "DO 'BEGIN LOCK TABLE recruiting.jobs; END';",
            "DO $$ DECLARE t text; BEGIN\n  FOR t IN SELECT 'jobs' LOOP\n"
            "    EXECUTE format('ALTER TABLE recruiting.%I ADD CONSTRAINT a CHECK (n > 0)', t);\n  END LOOP; END $$;",
            "DO $$ BEGIN EXECUTE 'CREATE INDEX a ON ' || 'recruiting.jobs (id)'; END $$;",
            "DO $$ BEGIN IF true THEN PERFORM 1; ELSE DELETE FROM recruiting.jobs; END IF; END $$;",
        ):
            with self.subTest(sql):
                self.assertEqual(finds(sql), 1)
        for sql in (
            "CREATE FUNCTION recruiting.f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN\n"
            "ALTER TABLE recruiting.jobs ALTER COLUMN a TYPE bigint; END $$;",
            "DO $$ BEGIN ALTER TABLE recruiting.jobs ADD COLUMN a text; END $$;",
            "DO $$ BEGIN EXECUTE format('GRANT SELECT ON recruiting.%I TO recruiting_auth', 'jobs'); END $$;",
            "CREATE TABLE recruiting.a (id int);\nDO $$ BEGIN UPDATE recruiting.a SET id = 1; END $$;",
            "DO $$ BEGIN RAISE NOTICE 'UPDATE recruiting.jobs SET a = 1'; END $$;",
            "DO $$ BEGIN\n-- locks: the table has a row per organization\nUPDATE recruiting.jobs SET a = 1; END $$;",
            "-- locks: the table has a row per organization\nDO $$ BEGIN UPDATE recruiting.jobs SET a = 1; END $$;",
        ):
            with self.subTest(sql):
                self.assertEqual(finds(sql), 0)

    def test_a_statement_in_a_do_block_is_reported_with_its_own_line(self):
        sql = "SELECT 1;\nDO $$\nBEGIN\n    PERFORM 1;\n    UPDATE recruiting.jobs SET a = 1;\nEND $$;"
        self.assertEqual([line for _, line, _ in locks.check("0030_x.sql", sql)], [5])

    def test_short_locks_and_new_tables_are_left_alone(self):
        for sql in (
            "ALTER TABLE recruiting.jobs ADD COLUMN a text;",
            "ALTER TABLE recruiting.jobs ADD COLUMN a int NOT NULL DEFAULT 0;",
            "ALTER TABLE recruiting.jobs ADD CONSTRAINT a CHECK (n > 0) NOT VALID;",
            "ALTER TABLE recruiting.jobs VALIDATE CONSTRAINT a;",
            "ALTER TABLE recruiting.jobs ADD CONSTRAINT a UNIQUE USING INDEX b;",
            "ALTER TABLE recruiting.jobs ALTER COLUMN a SET DEFAULT gen_random_uuid();",
            "CREATE TABLE recruiting.a (id int);\nCREATE INDEX b ON recruiting.a (id);\nUPDATE recruiting.a SET id = 1;",
            "CREATE FUNCTION recruiting.f() RETURNS void LANGUAGE sql AS $$ UPDATE recruiting.jobs SET a = 1; $$;",
            "GRANT SELECT ON recruiting.jobs TO recruiting_auth;",
            "SELECT 'CREATE INDEX a ON recruiting.jobs (id);';",
            "-- CREATE INDEX a ON recruiting.jobs (id);\nSELECT 1;",
        ):
            with self.subTest(sql):
                self.assertEqual(finds(sql), 0)

    def test_not_null_needs_a_validated_check(self):
        add = "ALTER TABLE recruiting.jobs ADD CONSTRAINT a CHECK (b IS NOT NULL) NOT VALID;"
        validate = "ALTER TABLE recruiting.jobs VALIDATE CONSTRAINT a;"
        set_it = "ALTER TABLE recruiting.jobs ALTER COLUMN b SET NOT NULL;"
        self.assertEqual(finds(set_it, [add, validate]), 0)
        self.assertEqual(finds(set_it, [add]), 1)
        self.assertEqual(finds(set_it.replace(" b ", " c "), [add, validate]), 1)
        self.assertEqual(finds(set_it.replace("jobs", "members"), [add, validate]), 1)

    def test_a_marker_with_a_reason_directly_above_accepts_a_statement(self):
        statement = "CREATE INDEX a ON recruiting.jobs (id);"
        self.assertEqual(finds("-- locks: the table has a row per organization\n" + statement), 0)
        self.assertEqual(finds("-- locks:\n" + statement), 1)
        self.assertEqual(finds("-- locks: the table has a row per organization\n" + statement + statement), 1)

    def test_stepwise_files_hold_only_what_can_be_run_again(self):
        safe = "CREATE INDEX CONCURRENTLY IF NOT EXISTS a ON recruiting.jobs (id);\n"
        self.assertEqual(finds(STEPWISE + safe), 0)
        self.assertEqual(finds(STEPWISE + "DROP INDEX CONCURRENTLY IF EXISTS recruiting.a;"), 0)
        self.assertEqual(finds(STEPWISE + safe.replace("IF NOT EXISTS ", "")), 1)
        self.assertEqual(finds(STEPWISE + "ALTER TABLE recruiting.jobs ADD COLUMN a text;"), 1)
        self.assertGreaterEqual(finds(STEPWISE + "DO $$ BEGIN END $$;"), 1)


if __name__ == "__main__":
    unittest.main()
