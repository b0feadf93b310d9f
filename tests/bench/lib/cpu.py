"""On-CPU time of processes and their descendants, in nanoseconds: user and system, from the scheduler's own account."""
import glob
import os


def children():
    found = {}
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                text = file.read()
        except OSError:
            continue  # it has just ended
        parent = int(text[text.rindex(")") + 2:].split()[1])
        found.setdefault(parent, []).append(int(path.split("/")[2]))
    return found


def family(pid):
    tree, todo, out = children(), [pid], []
    while todo:
        one = todo.pop()
        out.append(one)
        todo += tree.get(one, [])
    return out


def of_process(pid):
    total = 0
    for task in glob.glob(f"/proc/{pid}/task/*/schedstat"):
        try:
            with open(task, encoding="utf-8") as file:
                total += int(file.read().split()[0])
        except OSError:
            pass
    return total


class Meter:
    """Time since the meter was made, a group of processes each. A process born meanwhile counts from nothing; one that
    ended counts as it was seen last, so whoever starts short-lived ones observes now and then."""

    def __init__(self, **roots):
        self.roots = roots
        self.before = {name: self._read(pid) for name, pid in roots.items()}
        self.seen = {name: dict(times) for name, times in self.before.items()}

    def observe(self):
        for name, pid in self.roots.items():
            self.seen[name].update(self._read(pid))

    def read(self):
        """Nanoseconds per group."""
        self.observe()
        return {name: sum(time - self.before[name].get(pid, 0) for pid, time in times.items())
                for name, times in self.seen.items()}

    @staticmethod
    def _read(root):
        return {pid: of_process(pid) for pid in family(root)} if os.path.exists(f"/proc/{root}") else {}
