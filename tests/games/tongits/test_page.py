"""The rules page against the program: its options, its width, and that every rule has a test of its number."""

from __future__ import annotations

import re
from pathlib import Path

from p2pcards.games.options import explained
from p2pcards.games.tongits import TongIts

TESTS = Path(__file__).parent.parent
PAGE = (TESTS.parent.parent / "docs" / "rules" / "tongits.md").read_text(encoding="utf-8")


def test_it_fits_a_terminal_of_eighty_columns() -> None:
    assert [line for line in PAGE.splitlines() if len(line) > 80] == []


def test_rules_are_numbered_in_order() -> None:
    numbers = [int(number) for number in re.findall(r"^\*\*R(\d+)\.\*\*", PAGE, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))
    cited = {int(number) for number in re.findall(r"\bR(\d+)\b", PAGE)}
    assert cited <= set(numbers)


def test_every_rule_is_tested_by_its_number() -> None:
    rules = {int(number) for number in re.findall(r"^\*\*R(\d+)\.\*\*", PAGE, re.MULTILINE)}
    files = [*TESTS.glob("test_*.py"), *Path(__file__).parent.glob("test_*.py")]  # what all games share, and its own
    names = [name for file in files for name in re.findall(r"def (test_r\d\w+)", file.read_text())]
    tested = {int(number) for name in names for number in re.findall(r"_r(\d\d)(?=_)", name)}
    assert rules - tested == set()
    assert tested - rules == set()


def test_its_examples_are_numbered_like_their_tests() -> None:
    section = PAGE[PAGE.index("## Examples") : PAGE.index("## Tips")]
    examples = [int(number) for number in re.findall(r"^(\d+)\. ", section, re.MULTILINE)]
    assert examples == list(range(1, 28))
    tests = (Path(__file__).parent / "test_examples.py").read_text()
    tested = {int(number) for number in re.findall(r"_(\d\d)(?=_)", " ".join(re.findall(r"examples?(_\w+)", tests)))}
    assert set(examples) <= tested | {21}  # "20 to 22" are one test


def test_every_option_and_its_default_are_there() -> None:
    rows = re.findall(r"^\| `(\w+)` +\| `(\w+)` +\|", PAGE, re.MULTILINE)
    assert rows == [(option.name, option.default) for option in explained(TongIts)]
