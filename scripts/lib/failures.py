"""What failed, and why, from ctest's log: the failing tests' names with their messages, short enough to be read where
only the end of a run's output is shown. Used by run_ctest (test_servers.sh).   usage: failures.py LastTest.log"""
import re
import sys

MOST_FAILURES = 20  # of one suite
MOST_LINES = 30  # of one failure
RULE = "-" * 79  # Catch2's
DOUBLE_RULE = "=" * 79


def suites(log):
    """(name, lines of output) of each suite that did not pass."""
    for text in re.split(r"^\d+/\d+ Testing: ", log, flags=re.M)[1:]:
        name, _, rest = text.partition("\n")
        output, _, verdict = rest.partition("\n<end of output>")
        if not re.search(r"^Test Passed\.", verdict, flags=re.M):
            yield name, output.partition("Output:\n")[2].splitlines()[1:]


def dedented(lines, by):
    return [line[by:] if not line[:by].strip() else line for line in lines]


def tap_failures(lines):
    """node:test: each `not ok` with its place and error; not that of a test which failed by its parts alone."""
    for at, line in enumerate(lines):
        found = re.match(r"( *)not ok \d+ - (?!.*# TODO)", line)
        if not found:
            continue
        indent = len(found[1])
        block = []
        for one in lines[at + 1:]:
            if one.strip() == "...":
                break
            block.append(one)
        block = dedented(block, indent + 2)
        if "failureType: 'subtestsFailed'" not in block:
            yield [line.strip(), *told(block)]


def told(block):
    """Of a diagnostic block: where, and what the error says."""
    wanted = False
    for line in block:
        key = re.match(r"([A-Za-z_]+):( |$)", line)
        if key:
            wanted = key[1] in ("location", "error", "exitCode", "signal")
        if wanted and line.strip():
            yield "  " + line


def catch_failures(lines):
    """Catch2: the names of the test case and its sections, then what each failing assertion says."""
    title, block, in_title = [], [], False
    for line in [*lines, RULE]:
        if line.endswith("FAILED:") or line in (RULE, DOUBLE_RULE):
            if block:
                yield [" / ".join(title), *block]
            block = []
        if line == RULE:
            in_title = not in_title
            title = [] if in_title else title
        elif in_title:
            title.append(line.strip())
        elif line.strip() and (block or line.endswith("FAILED:")):
            block.append("  " + line)


def sanitizer_report(lines):
    for at, line in enumerate(lines):
        if re.search(r"(ERROR|WARNING): \w+Sanitizer|: runtime error: ", line):
            yield ["a sanitizer's report:", *("  " + one for one in lines[at:])]
            return


def failures(lines):
    known = [*tap_failures(lines), *catch_failures(lines), *sanitizer_report(lines)]
    return known or [["the last it wrote:", *("  " + one for one in lines[-MOST_LINES:])]]


def shortened(block):
    return block if len(block) <= MOST_LINES + 1 else [*block[:MOST_LINES], f"  … {len(block) - MOST_LINES} lines more"]


def summary(log):
    for name, lines in suites(log):
        found = failures(lines)
        yield f"{name}: failed"
        for block in found[:MOST_FAILURES]:
            yield from ("  " + line for line in shortened(block))
        if len(found) > MOST_FAILURES:
            yield f"  … {len(found) - MOST_FAILURES} failures more"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8", errors="replace") as file:
        print("\n".join(summary(file.read())))
