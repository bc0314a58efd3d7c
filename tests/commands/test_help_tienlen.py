"""Help for the verbs of Tiến lên."""

from __future__ import annotations

import re
from pathlib import Path

from p2pcards.commands.command import Command
from p2pcards.commands.help import explain
from p2pcards.commands.help_tienlen import VERBS
from p2pcards.commands.parse import parse
from p2pcards.games.tienlen import TienLen
from tests.testing.tienlen_spot import context, spot

LEADS = context(spot("7S 7C 8H 9D KD"))
FOLLOWS = context(spot("7S 8H 9D KD", "3 9C"))
PAGE = Path(__file__).parents[2] / "docs" / "rules" / "tienlen.md"


def test_every_verb_names_rules_that_there_are() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert set(VERBS) == set(TienLen.verbs)
    for told in VERBS.values():
        numbers = re.findall(r"R\d+", told.more)
        assert numbers
        assert all(f"**{number}.**" in page for number in numbers)


def test_examples_are_actions() -> None:
    for own, told in VERBS.items():
        where = LEADS if own == "play" else FOLLOWS
        for example in told.examples:
            found = parse(example, where)
            assert isinstance(found, Command)
            assert found.verb == own


def test_one_word() -> None:
    (line,) = explain("play", LEADS)
    assert (line.usage, line.here) == ("play CARDS", True)
