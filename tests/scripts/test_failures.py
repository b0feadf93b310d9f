"""What scripts/test says of failing suites, from ctest's log."""
import sys
import unittest

from support import ROOT

sys.path.insert(0, str(ROOT / "scripts" / "lib"))
from failures import summary  # noqa: E402

TAP = """TAP version 13
# Subtest: a whole
    # Subtest: a part
    not ok 1 - a part
      ---
      duration_ms: 0.2
      location: '/tests/a.test.mjs:3:76'
      failureType: 'testCodeFailure'
      error: |-
        Expected values to be strictly equal:

        1 !== 2

      code: 'ERR_ASSERTION'
      stack: |-
        somewhere
      ...
    1..1
not ok 1 - a whole
  ---
  failureType: 'subtestsFailed'
  error: '1 subtest failed'
  ...
# Subtest: a good one
ok 2 - a good one
not ok 3 - not yet # TODO
"""
CATCH = f"""
{"-" * 79}
a case
  a section
{"-" * 79}
a_test.cpp:3
{"." * 79}

a_test.cpp:4: FAILED:
  CHECK( one == two )
with expansion:
  1 == 2

{"=" * 79}
test cases: 1 | 1 failed
"""


def log(name, output, verdict="Failed"):
    return (f"1/1 Testing: {name}\n1/1 Test: {name}\nCommand: \"x\"\nOutput:\n{'-' * 58}\n{output}\n<end of output>\n"
            f"Test time =   0.50 sec\n{'-' * 58}\nTest {verdict}.\n")


class Failures(unittest.TestCase):
    def summary(self, *suites):
        return "\n".join(summary("Start testing: now\n" + "\n".join(suites)))

    def test_node(self):
        self.assertEqual(self.summary(log("edge", TAP)), "edge: failed\n  not ok 1 - a part\n    location: '/tests/a.test.mjs:3:76'\n"
                         "    error: |-\n      Expected values to be strictly equal:\n      1 !== 2")

    def test_catch(self):
        self.assertEqual(self.summary(log("unit", CATCH)), "unit: failed\n  a case / a section\n    a_test.cpp:4: FAILED:\n"
                         "      CHECK( one == two )\n    with expansion:\n      1 == 2")

    def test_sanitizer(self):
        self.assertIn("heap-use-after-free", self.summary(log("unit", "many\n==1==ERROR: AddressSanitizer: heap-use-after-free\n#0")))

    def test_unknown_output_is_told_by_its_end(self):
        self.assertEqual(self.summary(log("crash", "\n".join(map(str, range(99))))).splitlines()[-1], "    98")

    def test_what_passed_is_left_out(self):
        self.assertEqual(self.summary(log("ok", TAP, "Passed"), log("edge", "")), "edge: failed\n  the last it wrote:")

    def test_a_long_failure_is_cut(self):
        self.assertLess(len(self.summary(log("x", "ERROR: AddressSanitizer\n" + "#0\n" * 500)).splitlines()), 40)


if __name__ == "__main__":
    unittest.main()
