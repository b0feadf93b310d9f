"""Loads a check of scripts/checks, which has no .py in its name, as a module; makes little projects to check."""
import importlib.machinery
import importlib.util
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]


def load_check(name):
    path = str(ROOT / "scripts" / "checks" / name)
    loader = importlib.machinery.SourceFileLoader(f"check_{name}", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class project(tempfile.TemporaryDirectory):
    """A folder with these files, {relative path: contents}; as a context manager it gives the folder's Path."""

    def __init__(self, files):
        super().__init__()
        for name, contents in files.items():
            path = Path(self.name) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(contents, encoding="utf-8")

    def __enter__(self):
        return Path(super().__enter__())
