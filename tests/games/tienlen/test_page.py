"""The rules page against the program: its options, its width, and that every rule has a test of its number."""

from __future__ import annotations

import re
from pathlib import Path

from p2pcards.games.options import explained
from p2pcards.games.tienlen import TienLen

TESTS = Path(__file__).parent
PAGE = (TESTS.parent.parent.parent / "docs" / "rules" / "tienlen.md").read_text(encoding="utf-8")


def test_it_fits_a_terminal_of_eighty_columns() -> None:
    assert [line for line in PAGE.splitlines() if len(line) > 80] == []


def test_rules_are_numbered_in_order() -> None:
    numbers = [int(number) for number in re.findall(r"^\*\*R(\d+)\.\*\*", PAGE, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))
    cited = {int(number) for number in re.findall(r"\bR(\d+)\b", PAGE)}
    assert cited <= set(numbers)


def test_every_rule_is_tested_by_its_number() -> None:
    rules = {int(number) for number in re.findall(r"^\*\*R(\d+)\.\*\*", PAGE, re.MULTILINE)}
    names = [name for file in TESTS.glob("test_*.py") for name in re.findall(r"def (test_r\d\w+)", file.read_text())]
    tested = {int(number) for name in names for number in re.findall(r"_r(\d\d)(?=_)", name)}
    assert rules - tested == set()
    assert tested - rules == set()


def test_its_examples_are_numbered_like_their_tests() -> None:
    section = PAGE[PAGE.index("## Examples") : PAGE.index("## Tips")]
    examples = [int(number) for number in re.findall(r"^(\d+)\. ", section, re.MULTILINE)]
    assert examples == list(range(1, 23))
    tests = (TESTS / "test_examples.py").read_text()
    assert [int(number) for number in re.findall(r"def test_r\w+_example_(\d\d)_", tests)] == examples


def test_every_option_and_its_default_are_there() -> None:
    rows = re.findall(r"^\| `(\w+)` +\| `(\w+)` +\|", PAGE, re.MULTILINE)
    assert rows == [(option.name, option.default) for option in explained(TienLen)]
