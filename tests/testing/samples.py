"""docs/samples/: one match of each game, played by bots, as a record and as its play-through. To make them anew:

python -m tests.testing.samples
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from p2pcards.bots.registry import bot
from p2pcards.cards import deck
from p2pcards.games.base import DEALER, Game, Seat, Shuffle
from p2pcards.games.match import Match
from p2pcards.games.options import read_options
from p2pcards.games.record import Record, Round, played_round, write
from p2pcards.games.registry import GAMES
from p2pcards.games.replay import replay, told
from tests.testing.house import ROOT

FOLDER = ROOT / "docs" / "samples"
LEVELS = ("medium", "easy", "medium", "random")
SEED = 3

OPTIONS: Mapping[str, Mapping[str, str]] = {
    "tongits": {"scoring": "chips", "ante": "1", "match_rounds": "3"},
    "tienlen": {"match_rounds": "3"},
    "onecard": {"rounds": "3", "decks": "1"},
}
"""House rules of the matches; those of a game that is not here are the usual ones."""


def record_file(game: str) -> Path:
    """The record of the game."""
    return FOLDER / f"{game}.p2pcards.toml"


def story_file(game: str) -> Path:
    """Its play-through."""
    return FOLDER / f"{game}.txt"


def story(record: str) -> str:
    """What `p2pcards replay` prints."""
    return "".join(f"{line}\n" for line in told(replay(record)))


def sample(name: str) -> str:
    """A whole match as a record."""
    rules = GAMES[name]
    game = rules(read_options(rules, OPTIONS.get(name, {})))
    players = tuple(f"bot-{number}" for number in range(1, rules.usual_seats + 1))
    levels = dict(zip(players, LEVELS, strict=False))
    dice = random.Random(f"{name} {SEED}")  # noqa: S311 - the same match again
    match, rounds = Match.start(game, len(players)), []
    while not match.over:
        match, played = _round(game, match, levels, dice)
        rounds.append(played)
    return write(Record(name, game.options, players, tuple(rounds), title="sample", bots=levels))


def _round(
    game: Game[Any, Any, Any], match: Match, levels: Mapping[str, str], dice: random.Random
) -> tuple[Match, Round]:
    players, seats = tuple(levels), len(levels)
    bots = [bot(game.name, level) for level in levels.values()]
    order = list(deck(game.decks()))
    dice.shuffle(order)
    starter = match.starter(dice.randrange(seats))
    dealt = game.dealt(order, seats, starter, match.first)
    opener = game.opener(dealt, starter, match.first)
    state = game.position(dealt, opener, match.first)
    actions: list[tuple[int, str]] = []
    while acting := game.to_act(table := game.view(state, None)):
        if acting == (DEALER,):
            stock = list(game.to_shuffle(table))
            dice.shuffle(stock)
            chosen: list[tuple[Seat, Any]] = [(DEALER, Shuffle(tuple(stock)))]
        else:
            chosen = [(seat, bots[seat].choose(game, game.view(state, seat), dice)) for seat in acting]
        for seat, action in chosen:
            state = game.step(state, seat, action)
            actions.append((seat, game.format(action)))
    outcome = game.outcome(state)
    assert outcome is not None
    match = match.settle(outcome)
    return match, played_round(players, dealt, opener, actions, outcome.winners, match.points)


def main() -> None:
    """Writes all of them."""
    FOLDER.mkdir(exist_ok=True)
    for name in GAMES:
        record = sample(name)
        record_file(name).write_text(record, encoding="utf-8", newline="\n")
        story_file(name).write_text(story(record), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
