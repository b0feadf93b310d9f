"""scripts/checks/log_events: what a call logs is read from the source, and compared with the page."""
import unittest
from pathlib import Path

from support import load_check

log_events = load_check("log_events")


def read(source, path="services/auth_api/a.cpp"):
    return [(event, sorted(levels), list(names)) for event, levels, names in log_events.events_in(Path(path), source)]


class Reading(unittest.TestCase):
    def test_level_event_and_fields(self):
        self.assertEqual(read('void f() { log::warning("mail_late", {{"mailId", to_string(id)}, {"why", x.why}}); }'),
                         [("mail_late", ["warning"], ["mailId", "why"])])
        self.assertEqual(read('void f() { log::info("stopped"); }'), [("stopped", ["info"], [])])

    def test_both_events_and_both_levels_of_a_choice(self):
        self.assertEqual(read('void f() { log::info(hurried ? "closing" : "draining", {{"signal", s}}); }'),
                         [("closing", ["info"], ["signal"]), ("draining", ["info"], ["signal"])])
        self.assertEqual(read('void f() { log::write(ok ? log::level::info : log::level::warning, "run_ended", {{"status", s}}); }'),
                         [("run_ended", ["info", "warning"], ["status"])])

    def test_fields_in_variables(self):
        self.assertEqual(read('void f() { log::field const which{"mailId", id}; log::info("mail_sent", {which, {"why", w}}); }'),
                         [("mail_sent", ["info"], ["mailId", "why"])])

    def test_inside_conditions_and_lambdas(self):
        self.assertEqual(read('void f() { if (a) g([&] { if (b) log::error("broken"); }); }'), [("broken", ["error"], [])])

    def test_forwarded_events(self):
        self.assertEqual(read('struct t : pg::periodic_task { t() : pg::periodic_task(c, d, every, "round_failed") {} };'),
                         [("round_failed", ["error", "warning"], ["sqlstate", "constraint"])])

    def test_an_event_that_is_no_literal_is_refused(self):
        with self.assertRaises(SystemExit):
            read("void f(char const* event) { log::error(event); }")

    def test_a_level_that_is_chosen_and_then_called_is_refused(self):
        with self.assertRaises(SystemExit):
            read('void f() { (ok ? log::info : log::warning)("run_ended"); }')

    def test_comments_log_nothing(self):
        self.assertEqual(read('// log::info("never");\n'), [])


class Comparing(unittest.TestCase):
    row = "| `mail_sent` | info | auth-api | `mailId` | A mail was accepted |\n"

    def differs(self, page, levels=("info",), fields=("mailId",)):
        seen = {("mail_sent", "auth-api"): log_events.Seen(set(levels), list(fields))}
        return log_events.problems(seen, log_events.events_on_page(page))

    def test_the_same(self):
        self.assertEqual(self.differs(self.row), [])

    def test_missing_gone_and_changed(self):
        self.assertIn("| `mail_sent` | info | auth-api | `mailId` |  |", self.differs("")[0])
        self.assertIn("nothing in the source", self.differs(self.row + self.row.replace("mail_sent", "mail_gone"))[0])
        self.assertTrue(self.differs(self.row, levels=("warning",)))
        self.assertTrue(self.differs(self.row, fields=("mailId", "why")))
        self.assertTrue(self.differs(self.row.replace("A mail was accepted", "")))


if __name__ == "__main__":
    unittest.main()
