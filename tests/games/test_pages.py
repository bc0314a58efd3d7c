"""The rules page of every game against the program: its width, its options, and that each rule and example is tested.

Tests are named after the numbers: `test_r07_…`, `test_r07_r26_…`, `test_example_13_…`, `test_r23_examples_12_13_…`,
`test_examples_20_to_22_…`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from p2pcards.games.options import explained
from p2pcards.games.registry import GAMES

HERE = Path(__file__).parent
PAGES = HERE.parent.parent / "docs" / "rules"

SHARED = {"tongits": ("test_match.py",)}
"""Tests of this folder that a game's rules are the example of."""

every_game = pytest.mark.parametrize("name", GAMES)


def page(name: str) -> str:
    return (PAGES / f"{name}.md").read_text(encoding="utf-8")


def rules(name: str) -> list[int]:
    return [int(number) for number in re.findall(r"^\*\*R(\d+)\.\*\*", page(name), re.MULTILINE)]


def examples(name: str) -> list[int]:
    text = page(name)
    section = text[text.index("## Examples") : text.index("## Tips")]
    return [int(number) for number in re.findall(r"^(\d+)\. ", section, re.MULTILINE)]


def numbered(name: str) -> list[tuple[str, str]]:
    """Of each test's name the part with numbers of rules, and that with numbers of examples."""
    files = [*(HERE / name).glob("test_*.py"), *(HERE / file for file in SHARED.get(name, ()))]
    pattern = r"def test_((?:r\d\d_)*)(?:examples?_((?:\d\d_)(?:to_|\d\d_)*))?"
    return [found for file in files for found in re.findall(pattern, file.read_text(encoding="utf-8"))]


def numbers(text: str) -> set[int]:
    """Those in `12_13_` or `20_to_22_`."""
    spans = re.findall(r"(\d\d)_(?:to_(\d\d)_)?", text)
    return {number for first, last in spans for number in range(int(first), int(last or first) + 1)}


@every_game
def test_it_fits_a_terminal_of_eighty_columns(name: str) -> None:
    assert [line for line in page(name).splitlines() if len(line) > 80] == []


@every_game
def test_rules_are_numbered_in_order_and_none_else_is_cited(name: str) -> None:
    assert rules(name) == list(range(1, len(rules(name)) + 1))
    assert {int(number) for number in re.findall(r"\bR(\d+)\b", page(name))} <= set(rules(name))


@every_game
def test_every_rule_is_tested_by_its_number(name: str) -> None:
    assert {number for found, _ in numbered(name) for number in numbers(found)} == set(rules(name))


@every_game
def test_every_example_is_tested_by_its_number(name: str) -> None:
    assert len(examples(name)) > 20
    assert examples(name) == list(range(1, len(examples(name)) + 1))
    assert {number for _, found in numbered(name) for number in numbers(found)} == set(examples(name))


@every_game
def test_every_option_and_its_default_are_there(name: str) -> None:
    rows = re.findall(r"^\| `(\w+)` +\| `(\w+)` +\|", page(name), re.MULTILINE)
    assert rows == [(option.name, option.default) for option in explained(GAMES[name])]


def test_every_page_is_of_a_game() -> None:
    assert {path.stem for path in PAGES.glob("*.md")} == set(GAMES)
