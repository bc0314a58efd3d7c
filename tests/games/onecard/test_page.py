"""The rules page against the program: its options, its width, and that every rule has a test of its number."""

from __future__ import annotations

import re
from pathlib import Path

from p2pcards.games.onecard import OneCard
from p2pcards.games.options import explained

HERE = Path(__file__).parent
PAGE = (HERE.parent.parent.parent / "docs" / "rules" / "onecard.md").read_text(encoding="utf-8")
RULES = [int(number) for number in re.findall(r"^\*\*R(\d+)\.\*\*", PAGE, re.MULTILINE)]


def _tested(kind: str) -> set[int]:
    """The numbers in the names of tests of this folder: `test_r07_…`, `test_examples_09_10_…`."""
    names = [name for file in HERE.glob("test_*.py") for name in re.findall(r"def test_(\w+)", file.read_text())]
    found = [re.match(rf"{kind}_?((?:\d\d_)+)", name) for name in names]
    return {int(number) for match in found if match for number in match[1].split("_") if number}


def test_it_fits_a_terminal_of_eighty_columns() -> None:
    assert [line for line in PAGE.splitlines() if len(line) > 80] == []


def test_rules_are_numbered_in_order() -> None:
    assert list(range(1, len(RULES) + 1)) == RULES
    assert {int(number) for number in re.findall(r"\bR(\d+)\b", PAGE)} <= set(RULES)


def test_every_rule_is_tested_by_its_number() -> None:
    assert _tested("r") == set(RULES)


def test_its_examples_are_numbered_like_their_tests() -> None:
    section = PAGE[PAGE.index("## Examples") : PAGE.index("## Tips")]
    examples = [int(number) for number in re.findall(r"^(\d+)\. ", section, re.MULTILINE)]
    assert examples == list(range(1, 23))
    assert _tested("examples?") == set(examples)


def test_every_option_and_its_default_are_there() -> None:
    rows = re.findall(r"^\| `(\w+)` +\| `(\w+)` +\|", PAGE, re.MULTILINE)
    assert rows == [(option.name, option.default) for option in explained(OneCard)]
