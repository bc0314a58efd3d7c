"""What stands beside a suggestion can be read whole at 80 columns, in every usual state."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

from p2pcards.commands.command import Command
from p2pcards.commands.context import Choice, Context
from p2pcards.commands.meanings import meanings, means
from p2pcards.commands.suggest import suggest
from p2pcards.games.registry import GAMES
from p2pcards.ui.frame import menu
from p2pcards.ui.local import Offer
from p2pcards.ui.words import Words
from tests.testing import onecard_spot, straights_spot, tienlen_spot, tongits_spot
from tests.testing.fake_node import FakeNode, row
from tests.ui.test_prompt import at

COLS, ROWS = 80, 4
WORDS = Words(me="ana")


def cut(where: Context, line: str) -> Iterator[str]:
    """Of what is offered behind the line the notes that the menu does not show whole, wherever one has scrolled to."""
    offers = [Offer(one.display, WORDS.note(one.note)) for one in suggest(line, where)]
    for first in range(0, len(offers), ROWS):
        shown = offers[first : first + ROWS]
        painted = ["".join(text for _, text in line) for line in menu(shown, None, COLS, ROWS)]
        yield from (
            f"{one.word}: {one.note}" for one, text in zip(shown, painted, strict=False) if one.note not in text
        )


def rounds(game: str) -> Iterator[Context]:
    for seed in range(3):
        if game == "tongits":
            yield from map(tongits_spot.context, islice(tongits_spot.random_views(seed), 60))
        elif game == "tienlen":
            yield from (tienlen_spot.context(view) for _, view in islice(tienlen_spot.random_views(seed), 60))
        elif game == "onecard":
            yield from map(onecard_spot.context, islice(onecard_spot.random_states(seed, 4), 60))
    if game == "straights":
        yield straights_spot.context(straights_spot.spot("8S 6S AD 2S"))
        yield straights_spot.context(straights_spot.spot("AD 2S"))


@pytest.mark.parametrize("game", GAMES)
def test_in_a_round(game: str) -> None:
    for where in rounds(game):
        for line in ("", *(f"{own} " for own in GAMES[game].verbs)):
            assert not list(cut(where, line)), line


@pytest.mark.parametrize("game", GAMES)
def test_in_the_lobby_and_for_every_option(game: str) -> None:
    node = FakeNode()
    node.do(Command("host", (game,)))
    where = at(node).here.context()
    for line in ("", "set ", "help ", "tell ", "preset ", "bot ", *(f"set {one.name} " for one in where.choices)):
        assert not list(cut(where, line)), line


def test_at_home() -> None:
    node = FakeNode()
    node.rows(row("lab"), row("friday", 2))
    where = at(node).here.context()
    for line in ("", "join ", "watch ", "host ", "help ", "tell ", "theme ", "rules ", "tell my_turn "):
        assert not list(cut(where, line)), line


def test_every_value_that_can_be_named_says_what_it_does() -> None:
    for game in GAMES:
        node = FakeNode()
        node.do(Command("host", (game,)))
        for one in at(node).here.context().choices:
            told = meanings(one)
            known = set(one.values) if len(told) > 1 else set()
            assert known <= told.keys() | {"none"}, one.name
            assert not known or all(means(one, value) == told[value] for value in known), one.name


def test_a_number_that_is_none_has_a_meaning_of_its_own() -> None:
    rounds = Choice("match_rounds", "0", (), "the match ends after so many rounds; 0: when you stop")
    assert means(rounds, "0") == "when you stop"
    assert means(rounds, "3") == "the match ends after so many rounds"
