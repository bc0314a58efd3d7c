"""Help for the verbs of Tiến lên."""

from __future__ import annotations

from p2pcards.commands.command import Command
from p2pcards.commands.help import explain
from p2pcards.commands.help_tienlen import VERBS
from p2pcards.commands.parse import parse
from tests.testing.tienlen_spot import context, spot

LEADS = context(spot("7S 7C 8H 9D KD"))
FOLLOWS = context(spot("7S 8H 9D KD", "3 9C"))


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
