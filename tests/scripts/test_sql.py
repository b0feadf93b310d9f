"""scripts/checks/sql: statements are found outside stores, English is not."""
import unittest
from pathlib import Path

from support import load_check

sql = load_check("sql")


def finds(literal, path="services/auth_api/dispatch.cpp"):
    return bool(sql.check(Path(path), f"auto s = {literal};"))


class Sql(unittest.TestCase):
    def test_statements(self):
        for literal in (
            '"SELECT id FROM recruiting.jobs"', '"select 1"', '"select set_config($1, $2, true)"',
            '"INSERT INTO jobs (id) VALUES ($1)"', '"update jobs set title = $1"', '"delete from jobs"',
            'R"(\n  with x as (select 1) select * from x)"', 'R"sql(\n-- why\nSELECT 1\n)sql"',
            '"select id "\n"from jobs"', '"create table x (id int)"', '"begin"', '"COMMIT;"', '"listen jobs"',
            '"copy jobs (id) from stdin"', '"set role recruiting_auth"', '" and id where x.id = $1"',
        ):
            with self.subTest(literal):
                self.assertTrue(finds(literal))

    def test_english(self):
        for literal in (
            '"select an organization"', '"Delete the key"', '"update"', '"with"', '"set"', '"begin with a letter"',
            '"commit failed"', '"commit"', '"create the organization first"', '"insert"', '"listen"', '"copy"', '"from"',
            '"truncated"', '"listens on"', '"RECRUITING_SELECT"', '"notify"',
        ):
            with self.subTest(literal):
                self.assertFalse(finds(literal))

    def test_homes(self):
        for path in ("services/auth_api/background/booking/store.cpp", "services/auth_api/agent/run/run_store.cpp",
                     "services/auth_api/resources/jobs.cpp", "libs/pg/pool.cpp"):
            self.assertFalse(finds('"select 1"', path))

    def test_conditions(self):
        for literal in (
            'list.where("deleted_at IS NULL")', 'list.where_any({"role", "m.role = ?"}, *roles)',
            'list.where(fresh ? "a > b" : "", 1)', 'condition("j.status = ?")', '"a.id = any ($1)"',
        ):
            with self.subTest(literal):
                self.assertTrue(finds(literal))
        for literal in ('list.where(job_has_status, "open")', 'list.where_words("senior engineer", words)', '"Is it = ?"'):
            with self.subTest(literal):
                self.assertFalse(finds(literal))

    def test_comments_are_not_code(self):
        self.assertFalse(finds('0; // "select 1"'))


if __name__ == "__main__":
    unittest.main()
