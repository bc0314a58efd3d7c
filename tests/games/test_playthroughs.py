"""Whole rounds of every game as they stand in tests/playthroughs, move by move.

A change of behaviour shows as a change of these files. Write them anew with

    P2PCARDS_REWRITE=1 pytest tests/games/test_playthroughs.py

and commit the difference only if you understand every line of it.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2pcards.cards import Stream, deck, format_cards
from p2pcards.games.base import DEALER, Seat, Shuffle
from p2pcards.games.options import explained, read_options, written_options
from p2pcards.games.registry import GAMES
from tests.games.walk import AnyGame, seatings

FOLDER = Path(__file__).parent.parent / "playthroughs"
REWRITE = os.environ.get("P2PCARDS_REWRITE") == "1"
ROUNDS = 3
LONGEST = 100
"""Steps of a round that are played and written down at most."""


def _transcript(name: str) -> Iterator[str]:
    """Rounds with the default options, then rounds with every switch the other way."""
    kind = GAMES[name]
    yield f"# {kind.title}. Written by tests/games/test_playthroughs.py."
    others = {
        option.name: other
        for option in explained(kind)
        for other in [choice for choice in option.choices if choice != option.default][:1]
    }
    for texts in ({}, others):
        game = kind(read_options(kind, texts))
        for number in range(ROUNDS):
            chance = Stream(hashlib.sha256(f"{name} {len(texts)} {number}".encode()).digest())
            yield ""
            yield " ".join(["round", *(f"{key}={value}" for key, value in written_options(game.options))])
            possible = seatings(game)
            yield from _round(game, possible[-1 - number % len(possible)], chance)


def _round(game: AnyGame, seats: int, chance: Stream) -> Iterator[str]:
    order = chance.shuffle(list(deck(game.decks())))
    starter = Seat(chance.below(seats))
    yield "order " + " ".join(map(game.ranking.format, order))
    state = game.deal(order, seats, starter)
    step = 0
    while True:
        views = [game.view(state, seat) for seat in (*map(Seat, range(seats)), None)]
        acting = game.to_act(views[-1])
        yield ""
        for seat, view in enumerate(views[:-1]):
            yield f"  {seat}{'*' if seat in acting else ' '} {format_cards(game.ranking, game.hand(view))}"
        yield "  views " + " ".join(hashlib.sha256(game.encode_view(view)).hexdigest()[:8] for view in views)
        if not acting or step == LONGEST:
            break
        if acting == (DEALER,):
            shuffle = Shuffle(chance.shuffle(game.to_shuffle(views[-1])))
            yield f"  dealer: {game.format(shuffle)}"
            state = game.step(state, DEALER, shuffle)
            continue
        seat = acting[chance.below(len(acting))]
        actions = list(game.legal_actions(views[seat]))
        yield "  legal " + ", ".join(map(game.format, actions))
        action = actions[chance.below(len(actions))]
        step += 1
        yield f"{step}. {seat}: {game.format(action)}"
        state = game.step(state, seat, action)
    outcome = game.outcome(state)
    if outcome is None:
        yield "and so on"
        return
    yield f"over {outcome.reason}, winners {outcome.winners}, points {outcome.points}, next {outcome.starter}"


@pytest.mark.parametrize("name", GAMES)
def test_playthrough(name: str) -> None:
    path, text = FOLDER / f"{name}.txt", "\n".join(_transcript(name)) + "\n"
    if REWRITE:
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"{path.name} is missing; see the top of this file"
    assert text.splitlines() == path.read_text(encoding="utf-8").splitlines()


def test_every_playthrough_is_of_a_game() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(GAMES)
