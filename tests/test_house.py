"""The style of the house (docs/architecture.md), as far as a machine can see it."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

from tests.testing.house import PACKAGE, ROOT, TESTS, TOP, relative, sources

LONGEST = 600
NO_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "misc", "handler", "data", "info"}
EVERYTHING = [*sources(), *sources(TESTS)]


def test_a_file_is_one_idea() -> None:
    assert [relative(file) for file in EVERYTHING if len(file.read_text().splitlines()) > LONGEST] == []


def test_names_say_what_is_inside() -> None:
    assert [relative(file) for file in EVERYTHING if set(file.stem.lower().split("_")) & NO_NAMES] == []


def _silent(file: Path) -> list[str]:
    """The module, if it has no docstring, and its public functions and classes that have none.

    Classes made from a base of their own file, or from `Body`, are rows of a table and need none.
    """
    tree = ast.parse(file.read_text())
    public = [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and not (
            isinstance(node, ast.ClassDef) and any(ast.unparse(base).startswith(("_", "Body")) for base in node.bases)
        )
    ]
    silent = [node.name for node in public if not ast.get_docstring(node)]
    return silent if ast.get_docstring(tree) else ["the module", *silent]


def test_public_names_have_their_contract_line() -> None:
    assert {relative(file): names for file in sources() if (names := _silent(file))} == {}


def _rooms(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if (path / "__init__.py").exists()}


def test_the_tests_mirror_the_package() -> None:
    assert _rooms(TESTS) - _rooms(PACKAGE) == {"bench", "e2e", "fuzz", "outlives", "sim", "testing", "vectors"}
    assert _rooms(PACKAGE) <= _rooms(TESTS)


def test_the_top_of_the_tree_is_tidy() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("not a git checkout")
    assert {name.split("/")[0] for name in listed.stdout.splitlines()} == TOP


def test_whatever_is_silenced_has_its_reason() -> None:
    bare = re.compile(r"# (?:type: ignore\[[\w, -]+\]|noqa(?:: [A-Z0-9, ]+)?)\s*$", re.MULTILINE)
    assert [relative(file) for file in EVERYTHING if bare.search(file.read_text())] == []
