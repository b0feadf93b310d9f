"""scripts/checks/addresses: folded addresses are found, other folded texts are not."""
import unittest
from pathlib import Path

from support import load_check

addresses = load_check("addresses")


def finds(source, path="services/auth_api/dispatch.cpp"):
    return bool(addresses.check(Path(path), source))


class Addresses(unittest.TestCase):
    def test_folded_addresses(self):
        for source in (
            '"u.email_key = lower($2)"', '"lower(u.email) = $2"', "to_lower(person.email)", "iequals(trim(a.email), b)",
            "lower(coalesce(c.candidate_email, m.id::text))", '"email ILIKE $1"', '"email::citext"', "to_lower(mailbox)",
        ):
            with self.subTest(source):
                self.assertTrue(finds(source))
        self.assertTrue(finds("SELECT lower(email) FROM recruiting.users", "deploy/migrations/0054_x.sql"))

    def test_others(self):
        for source in ("to_lower(host)", '"lower(k.name)"', "mail::canonical_address(person.email)", "f(lower(name), email)"):
            with self.subTest(source):
                self.assertFalse(finds(source))
        self.assertFalse(finds("to_lower(mailbox)", "libs/mail/address.cpp"))


if __name__ == "__main__":
    unittest.main()
