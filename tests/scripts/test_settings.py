"""scripts/checks/settings: what --help and --print-config print becomes the rows of settings.md."""
import json
import unittest
from unittest import mock

from support import load_check

settings = load_check("settings")

HELP = """recruiting-gateway 0.1.0: the gateway

Settings are environment variables.

RECRUITING_GATEWAY_HEADERS_LIMIT
    Bytes of a request's headers; more is answered 431. (1024 to 1048576)
    default: 32768

RECRUITING_GATEWAY_IDLE_TIMEOUT
    Time between two requests (per connection). (250ms to 1h)
    default: 1m

RECRUITING_LOG_LEVEL
    Minimum log level. (one of debug,info)
    default: info

RECRUITING_CURSOR_SECRET_FILE
    File with the secret [32 bytes] a|b. (a path)

RECRUITING_REDIS_URL
    Redis. (or RECRUITING_REDIS_URL_FILE: a path)
    default: redis://127.0.0.1:6379
"""
EXAMPLE = "# File with the secret\n# It must be set.\n#RECRUITING_CURSOR_SECRET_FILE=\n"


class Settings(unittest.TestCase):
    def setUp(self):
        self.found = settings.parse_help(HELP, EXAMPLE)

    def test_names_ranges_and_defaults(self):
        self.assertEqual([one.name.removeprefix("RECRUITING_") for one in self.found],
                         ["GATEWAY_HEADERS_LIMIT", "GATEWAY_IDLE_TIMEOUT", "LOG_LEVEL", "CURSOR_SECRET_FILE", "REDIS_URL"])
        self.assertEqual([one.range for one in self.found], ["1024 to 1048576", "250ms to 1h", "one of debug,info", "a path", "or RECRUITING_REDIS_URL_FILE: a path"])
        self.assertEqual([one.required for one in self.found], [False, False, False, True, False])
        self.assertEqual(self.found[1].help, "Time between two requests (per connection).")

    def test_values_have_a_unit(self):
        self.assertEqual([settings.values(one) for one in self.found],
                         ["bytes, 1024 to 1048576", "duration, 250ms to 1h", "`debug`, `info`", "path", "URL, or `RECRUITING_REDIS_URL_FILE`: path"])

    def test_a_cell_breaks_no_table(self):
        self.assertIn("| must be set | File with the secret \\[32 bytes] a\\|b. |", settings.table(self.found))

    def test_what_all_servers_declare_alike_stands_once(self):
        made = settings.sections({**dict.fromkeys(settings.SERVERS, self.found), "recruitctl": self.found[2:3]})
        self.assertIn("RECRUITING_LOG_LEVEL", made["all"])
        self.assertNotIn("RECRUITING_LOG_LEVEL", made["gateway"])
        self.assertIn("RECRUITING_LOG_LEVEL", made["recruitctl"])

    def test_a_beginning_that_fits_no_setting_is_found(self):
        programs = {"gateway": self.found[:1], "auth-api": [], "public-api": [], "recruitctl": []}
        groups = {**dict.fromkeys([settings.SHARED, *programs], [("", r"")]), "gateway": [("Sizes", r"HEAD_|HEADERS_"), ("Others", r"")]}
        with mock.patch.object(settings, "GROUPS", groups):
            self.assertEqual(settings.unmatched(programs), ["gateway, Sizes: HEAD_"])

    def test_only_what_stands_between_the_marks_is_written(self):
        page = "text\n<!-- settings: a -->\nold\n<!-- end -->\nmore\n"
        self.assertEqual(settings.with_sections(page, {"a": "new\n"}), page.replace("old", "new"))

    def test_the_charts_schema_knows_each_servers_settings_and_no_others(self):
        programs = {**dict.fromkeys(settings.SERVERS, self.found[2:3]), "gateway": self.found[:3], "recruitctl": self.found}
        fresh = settings.with_names(settings.SCHEMA.read_text(encoding="utf-8"), programs)
        names = {name: [*entry["properties"]] for name, entry in json.loads(fresh)["definitions"]["settings"].items()}
        self.assertEqual(names, {"all": ["RECRUITING_LOG_LEVEL"], "gateway": [one.name for one in self.found[:3]],
                                 "auth-api": ["RECRUITING_LOG_LEVEL"], "public-api": ["RECRUITING_LOG_LEVEL"]})
        self.assertEqual(settings.with_names(fresh, programs), fresh)


if __name__ == "__main__":
    unittest.main()
