"""Ratings out of results: OpenSkill's Plackett-Luce model, one ladder for each game, match after match.

Only people with a known key are rated, and a match in which fewer than two of them sat rates nobody: bots are as strong
as their level, whoever plays them, and would tie everybody's rating to how much they practise. Places among the people
count, not points.

The order of matches matters to the model. It is that of their dates; where two have one date, what was played decides,
so that neither numbers in this history nor the order of an import change a rating.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

import msgspec
from msgspec import Struct

from p2pcards.table.merits import Rating
from p2pcards.table.results import Result

MODEL = "openskill PlackettLuce 1"
"""Changes whenever the same matches give other ratings."""

Rated = tuple[str, str, tuple[tuple[str, int], ...]]
"""A match as ratings see it: date, table, and key and place of each person, by key."""


class Ladder(Struct, frozen=True):
    """Ratings after the first `matches` of a game, whose `digest` tells whether they are still the same ones.

    people: mean, spread and number of matches, by key.
    """

    model: str = MODEL
    matches: int = 0
    digest: str = ""
    people: dict[str, tuple[float, float, int]] = {}


class Ladders(Protocol):
    """Where ladders are kept, so that only matches that are new cost anything."""

    def load(self) -> Mapping[str, Ladder]:
        """By game; nothing where none can be read."""

    def keep(self, ladders: Mapping[str, Ladder]) -> None:
        """In place of those that were kept; silently not, where it can't be done."""


class Step(NamedTuple):
    """Ratings of those who played, after that match."""

    date: str
    ratings: Mapping[str, Rating]


def in_order(results: Iterable[Result]) -> list[Result]:
    """The finished matches as they were played."""
    ordered = sorted((result for result in results if result.over), key=_moment)
    for start, end in _ties(ordered):
        ordered[start:end] = sorted(ordered[start:end], key=_content)
    return ordered


def rated(results: Iterable[Result]) -> dict[str, list[Rated]]:
    """The matches that rate somebody, by game, in the order of `results`."""
    found: dict[str, list[Rated]] = {}
    for result in results:
        people = {taker.key: taker.place for taker in result.takers if taker.key and not taker.bot}
        if len(people) > 1:
            players = tuple(sorted(people.items()))
            found.setdefault(result.game, []).append((result.date, result.table, players))
    return found


def ratings(results: Sequence[Result], kept: Ladders | None = None) -> dict[str, dict[str, Rating]]:
    """Everybody's rating by game and key, after these matches, which are all there are and in order."""
    known = dict(kept.load()) if kept else {}
    ladders = {game: _climbed(matches, known.get(game, Ladder())) for game, matches in rated(results).items()}
    if kept and ladders != known:
        kept.keep(ladders)
    return {game: {key: Rating(*one) for key, one in ladder.people.items()} for game, ladder in ladders.items()}


def steps(matches: Iterable[Rated]) -> Iterator[Step]:
    """The ratings of one game as they change, from its first match on."""
    rate, people = _model(), dict[str, tuple[float, float, int]]()
    for date, _, players in matches:
        rate(people, players)
        yield Step(date, {key: Rating(*people[key]) for key, _ in players})


def _climbed(matches: Sequence[Rated], ladder: Ladder) -> Ladder:
    """The ladder after all these matches: from where it stood, or anew where other matches had led there."""
    at = ladder.matches
    if ladder.model != MODEL or at > len(matches) or (at and ladder.digest != _digest(matches[:at])):
        ladder, at = Ladder(), 0
    if at == len(matches):
        return ladder
    rate, people = _model(), dict(ladder.people)
    for _, _, players in matches[at:]:
        rate(people, players)
    return Ladder(MODEL, len(matches), _digest(matches), people)


def _digest(matches: Sequence[Rated]) -> str:
    return hashlib.blake2b(msgspec.msgpack.encode(matches), digest_size=16).hexdigest()


def _model() -> Callable[[dict[str, tuple[float, float, int]], Sequence[tuple[str, int]]], None]:
    """What takes one match into ratings by key."""
    from openskill.models import PlackettLuce  # only who has played others pays for it

    model = PlackettLuce()

    def rate(people: dict[str, tuple[float, float, int]], players: Sequence[tuple[str, int]]) -> None:
        before = [people.get(key) or (model.mu, model.sigma, 0) for key, _ in players]
        teams = [[model.create_rating([mean, spread])] for mean, spread, _ in before]
        after = model.rate(teams, ranks=[float(place) for _, place in players])
        for (key, _), (rating,), (_, _, count) in zip(players, after, before, strict=True):
            people[key] = (rating.mu, rating.sigma, count + 1)

    return rate


def _moment(result: Result) -> str:
    """The date as a text that sorts, whole seconds before parts of them."""
    return result.date.removesuffix("Z")


def _ties(ordered: Sequence[Result]) -> Iterator[tuple[int, int]]:
    """Where several in a row have one date: from, and up to."""
    start = 0
    for place in range(1, len(ordered) + 1):
        if place == len(ordered) or ordered[place].date != ordered[start].date:
            if place - start > 1:
                yield start, place
            start = place


def _content(result: Result) -> tuple[object, ...]:
    """What was played, whatever the seats and the number in this history."""
    takers = sorted((one.key, one.bot, one.name, one.place, one.points) for one in result.takers)
    return result.table, result.game, result.title, result.rounds, takers
