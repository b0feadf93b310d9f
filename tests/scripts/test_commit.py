"""What a build says of its commit, and the version that packages get from it (scripts/lib/commit.sh, debs.sh)."""
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COPIED = [".gitattributes", "CMakeLists.txt", "cmake/write_commit"] + [
    f"scripts/lib/{name}.sh" for name in ("common", "packages", "build", "commit", "debs")]
QUIET = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "PATH": "/usr/bin:/bin"}


class TestCommit(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="recruiting-commit-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.tree = self.folder / "tree"
        for name in COPIED:
            (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.tree / name)
        self.git("init", "--quiet")
        self.time = 1_700_000_000
        self.first = self.commit()

    def git(self, *args):
        return self.run_in(self.tree, "git", "-c", "user.name=a", "-c", "user.email=a@example.com", *args)

    def run_in(self, folder, *args):
        time = f"@{getattr(self, 'time', 0)} +0000"
        env = {**QUIET, "GIT_AUTHOR_DATE": time, "GIT_COMMITTER_DATE": time}
        return subprocess.run(args, cwd=folder, env=env, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self):
        self.time += 1
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "x")
        return self.git("rev-parse", "HEAD")[:12]

    def version(self, folder=None):
        libraries = "".join(f". scripts/lib/{name}.sh; " for name in ("common", "packages", "build", "debs"))
        return self.run_in(folder or self.tree, "bash", "-c", f"set -Eeuo pipefail; {libraries} source_commit; deb_version; echo $REPLY")

    def written(self, folder=None, *given):
        file = self.folder / "commit.cpp"
        self.run_in(folder or self.tree, "cmake/write_commit", str(file), *given)
        return re.search(r'return "(.*)";', file.read_text())[1]

    def assert_sorts_before(self, lower, higher):
        self.run_in("/", "dpkg", "--compare-versions", lower, "lt", higher)

    def test_two_commits_are_two_versions_and_the_later_one_sorts_after_the_first(self):
        first = self.version()
        self.assertIn(f"~20231114221321.{self.first}~deb", first)
        second_commit = self.commit()
        second = self.version()
        self.assertIn(f".{second_commit}~deb", second)
        self.assert_sorts_before(first, second)
        self.assertEqual(self.written(), second_commit)

    def test_the_tagged_commit_has_the_plain_version_which_sorts_after_the_commits_before_it(self):
        before = self.version()
        number = re.search(r"project\(recruiting VERSION ([0-9.]+)", (self.tree / "CMakeLists.txt").read_text())[1]
        self.commit()
        self.git("tag", f"v{number}")
        self.assertRegex(self.version(), rf"^{re.escape(number)}~deb1[23]$")
        self.assert_sorts_before(before, self.version())
        archive = self.archived()
        self.assertEqual(self.version(archive), self.version())
        self.git("tag", "--delete", f"v{number}")
        self.git("tag", "v99.0.0")
        self.assertIn("~2023", self.version(), "the tag of another version")

    def test_a_changed_tree_is_marked(self):
        with (self.tree / "CMakeLists.txt").open("a") as file:
            file.write("# changed\n")
        self.assertEqual(self.written(), f"{self.first}+dirty")
        self.assertIn(f".{self.first}+dirty~deb", self.version())

    def test_a_file_that_git_does_not_know_is_no_change(self):
        (self.tree / "notes").write_text("x")
        self.assertEqual(self.written(), self.first)

    def archived(self):
        folder = self.folder / "archive"
        folder.mkdir()
        self.run_in(self.tree, "sh", "-c", f"git archive HEAD | tar -x -C '{folder}'")
        return folder

    def test_an_archive_knows_its_commit_also_within_another_repository(self):
        inside = self.archived()
        self.assertEqual(self.written(inside), self.first)
        self.assertEqual(self.version(inside), self.version())
        outer = self.tree / "run"
        shutil.copytree(inside, outer)
        self.assertEqual(self.written(outer), self.first)

    def test_a_tree_without_either_says_unknown_or_what_it_is_given(self):
        shutil.rmtree(self.tree / ".git")
        self.assertEqual(self.written(), "unknown")
        self.assertEqual(self.written(None, "0123456789ab"), "0123456789ab")

    def test_the_same_commit_leaves_the_file_as_it_is(self):
        self.written()
        file = self.folder / "commit.cpp"
        before = file.stat().st_mtime_ns
        self.written()
        self.assertEqual(file.stat().st_mtime_ns, before)


if __name__ == "__main__":
    unittest.main()
