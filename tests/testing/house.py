"""The source tree as the tests of the house see it."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "p2pcards"
TESTS = ROOT / "tests"
TOP = {".ci", ".gitignore", "LICENSE", "README.md", "docs", "p2pcards", "pyproject.toml", "tests"}
"""What lies at the top of the tree."""


def sources(folder: Path = PACKAGE) -> list[Path]:
    """The Python files of the folder, sorted."""
    return sorted(folder.rglob("*.py"))


def module_name(file: Path) -> str:
    """`p2pcards.games.base` for its file; a package for its `__init__.py`."""
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def relative(file: Path) -> str:
    """The file's path from the root, with forward slashes."""
    return file.relative_to(ROOT).as_posix()
