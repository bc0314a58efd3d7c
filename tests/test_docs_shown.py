"""Every command line of the README and of docs/ is run by a test, or a table says which line is not, and why."""

from __future__ import annotations

import re

import pytest

from tests.testing.house import ROOT
from tests.testing.shown import ALL, Shown, lines, shown, way
from tests.testing.shown_tables import CANNOT, ELSEWHERE, IN_A_TREE, LAB, WITHOUT_ROOT

PAGE = """\
Type `p2pcards chess` or `history 12`; `.venv/bin/p2pcards` and `python3` are names, `curl -O x` fetches.

```sh
p2pcards host tongits \\
    --plain   # a table
# nothing
frobnicate
```

```json
{"p2pcards": 1}
    p2pcards arena x
```

```sh
#!/bin/sh
#   p2pcards arena y
echo
```
"""


def test_each_line_falls_in_a_class() -> None:
    assert [found for found in ALL if not way(found)] == []


@pytest.mark.parametrize("named", [ELSEWHERE, CANNOT, IN_A_TREE, WITHOUT_ROOT])
def test_the_tables_name_only_what_is_shown(named: dict[str, str]) -> None:
    assert set(named) - {found.line for found in ALL} == set()


@pytest.mark.parametrize("test", sorted({*ELSEWHERE.values(), LAB}))
def test_the_tests_that_run_others_are_there(test: str) -> None:
    file, _, name = test.partition("::")
    assert re.search(rf"^(async )?def {name}\(", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)


def test_lines_are_found_in_blocks_scripts_and_sentences() -> None:
    assert list(shown("x.md", PAGE)) == [
        Shown("x.md", "p2pcards host tongits --plain", True),
        Shown("x.md", "frobnicate", True),
        Shown("x.md", "p2pcards arena x", True),
        Shown("x.md", "p2pcards arena y", True),
        Shown("x.md", "p2pcards chess", False),
        Shown("x.md", ".venv/bin/p2pcards", False),
        Shown("x.md", "curl -O x", False),
    ]


def test_a_line_that_nobody_runs_is_told_from_the_others() -> None:
    ways = {found.line: way(found) for found in shown("x.md", PAGE)}
    assert ways == {
        "p2pcards host tongits --plain": "tables",
        "frobnicate": "",
        "p2pcards arena x": "alone",
        "p2pcards arena y": "alone",
        "p2pcards chess": "",
        ".venv/bin/p2pcards": "elsewhere",
        "curl -O x": "",
    }


def test_there_are_many_and_each_page_has_its_own() -> None:
    assert len(lines("alone")) > 30
    assert len(lines("tables")) > 20
    pages = {found.page for found in ALL}
    assert {"README.md", "docs/play.md", "docs/lab.md", "docs/bots.md", "docs/protocol.md"} <= pages
