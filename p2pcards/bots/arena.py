"""Bots against each other without a table: every deal is played once from each rotation of the seats.

A deal is an order of the cards and a lot for who starts, drawn from the seed and the deal's number alone. Each bot
holds each of its hands once, so what luck deals out cancels, and other bots meet the same deals under the same seed. A
deal can be played by itself: in any order, in another process, or later.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from p2pcards.bots.base import Bot
from p2pcards.bots.thinking import AllSeeing
from p2pcards.cards import Stream, deck
from p2pcards.games.base import DEALER, Game, Outcome, Seat, Shuffle
from p2pcards.games.match import Match

AnyGame = Game[Any, Any, Any]
AnyBot = Bot[Any, Any] | AllSeeing


class Played(Struct, frozen=True):
    """One deal from every rotation: for each bot the mean of its shares of the wins, and of its points.

    defaults: for each how often the safe default was played in its place, for what it did wrong; empty for nobody.
    """

    shares: tuple[float, ...]
    points: tuple[float, ...]
    defaults: tuple[int, ...] = ()


_WORD = 1 << 32


class _Dice:
    """Chance that hangs on what it is for and nothing else."""

    def __init__(self, *what: object) -> None:
        self._stream = Stream("/".join(map(str, ("arena", *what))).encode())

    def randrange(self, stop: int, /) -> int:
        if stop <= _WORD:
            return self._stream.below(stop)
        while (number := self._below(stop)) >= stop:
            pass
        return number

    def _below(self, stop: int) -> int:
        """The next number that has no more bits than `stop`."""
        number = 0
        for _ in range(0, stop.bit_length(), 32):
            number = number * _WORD + self._stream.below(_WORD)
        return number & ((1 << stop.bit_length()) - 1)


def plays_matches(game: AnyGame) -> bool:
    """Whether a win is that of a whole match: where the options give it an end. Otherwise each round stands alone."""
    return not game.endless()


def play_deal(game: AnyGame, bots: Sequence[AnyBot], seed: int, number: int) -> Played:
    """The deal of that number, from every rotation of the seats; a game in which `check_seats` lets so many sit."""
    seats = len(bots)
    shares, points = [0.0] * seats, [0.0] * seats
    before = _defaulted(bots)
    for rotation in range(seats):
        seated = seating(seats, rotation)
        dice = [_Dice(seed, number, "bot", bot, rotation) for bot in seated]
        winners, scores = _play(game, [bots[bot] for bot in seated], dice, f"{seed}/{number}")
        for seat in winners:
            shares[seated[seat]] += 1 / len(winners)
        for place, score in enumerate(scores):
            points[seated[place]] += score
    defaults = tuple(now - then for now, then in zip(_defaulted(bots), before, strict=True))
    return Played(
        tuple(share / seats for share in shares),
        tuple(sum_ / seats for sum_ in points),
        defaults if any(defaults) else (),
    )


def _defaulted(bots: Sequence[AnyBot]) -> list[int]:
    """For each bot how often it has got the safe default so far."""
    return [getattr(bot, "defaulted", 0) for bot in bots]


def seating(seats: int, rotation: int) -> tuple[int, ...]:
    """Which bot sits at each seat; over all rotations each bot sits at each seat once."""
    return tuple((seat + rotation) % seats for seat in range(seats))


def _play(
    game: AnyGame, bots: Sequence[AnyBot], dice: Sequence[_Dice], deal: str
) -> tuple[tuple[Seat, ...], tuple[int, ...]]:
    """Who won the match, or the round where a match has no end, and what each seat scored."""
    match = Match.start(game if plays_matches(game) else game.stopped(1), len(bots))
    while not match.over:
        for bot in bots:
            if begin := getattr(bot, "begin", None):
                begin(match)
        outcome = _round(game, match, bots, dice, Stream(f"arena/{deal}/cards/{match.round}".encode()))
        match = match.settle(outcome)
    return match.winners if plays_matches(game) else outcome.winners, match.scores


def _round(game: AnyGame, match: Match, bots: Sequence[AnyBot], dice: Sequence[_Dice], chance: Stream) -> Outcome:
    """The next round of the match; `chance` gives its cards, its lot and its reshuffles."""
    order = chance.shuffle(tuple(deck(game.decks())))
    state = game.deal(order, len(bots), match.starter(chance.below(len(bots))), match.first)
    while acting := game.to_act(table := game.view(state, None)):
        if acting == (DEALER,):
            state = game.step(state, DEALER, Shuffle(chance.shuffle(game.to_shuffle(table))))
            continue
        # who are asked at once answer before any answer is known
        chosen = [(seat, _choice(bots[seat], game, state, seat, dice[seat])) for seat in acting]
        for seat, action in chosen:
            state = game.step(state, seat, action)
    outcome = game.outcome(state)
    if outcome is None:
        raise ValueError(f"{game.name} waits for nobody and is not over")
    return outcome


def _choice(bot: AnyBot, game: AnyGame, state: Any, seat: Seat, rng: _Dice) -> Any:
    """By what the seat may know, but for who sees everything."""
    if isinstance(bot, AllSeeing):
        return bot.choose_from(game, state, seat, rng)
    return bot.choose(game, game.view(state, seat), rng)
