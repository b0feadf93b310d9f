"""scripts/checks/words: replaced words are found in prose, and left alone in code."""
import unittest

from support import load_check, project

words = load_check("words")


class Words(unittest.TestCase):
    def found(self, name, text):
        with project({name: text}) as folder:
            return [one.split(": ", 1)[1] for one in words.findings(folder / name)]

    def test_a_page(self):
        self.assertEqual(set(self.found("page.md", "Counts are Told later.\n\nNobody mends it; Redis is away.\n")),
                         {'"are Told": write "is reported, is notified"', '"mends": write "fix"', '"Nobody": write "no one"',
                          '"is away": write "unavailable"'})

    def test_code_and_exempt_lines(self):
        page = "`nobody`\n\n```sh\nsudo -u nobody id\n```\n[link](page.md#nobody)\nThe word nobody. <!-- words: quoted -->\n"
        self.assertEqual(self.found("page.md", page), [])

    def test_strings_of_a_source_file(self):
        self.assertEqual(self.found("error.cpp", 'int nobody; // mend\nsay("HTTP/1.1 is spoken");\n'), ['"is spoken": write "is supported"'])


if __name__ == "__main__":
    unittest.main()
