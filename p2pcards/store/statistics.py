"""Merits out of results. A person is a key; who has none that is known is a nick, never taken for somebody with a key.

Bots are counted apart, by level or program and whatever they are called. No match counts that was not played to its
end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import zip_longest

from msgspec.structs import replace

from p2pcards.store.folders import Folders
from p2pcards.store.history import History
from p2pcards.store.own_keys import OwnKeys
from p2pcards.store.rating import Ladders, Step, in_order, rated, ratings, steps
from p2pcards.store.rating_table import RatingTable
from p2pcards.table.merits import Against, Merit, Merits, Rating, Tally
from p2pcards.table.results import Result, Taker
from p2pcards.wire.identity import words

MOST_NAMES = 64
"""Characters of a nick or a program's name that are told; imported records hold what they like."""

_Person = tuple[str, str]
"""A key, or no key and a nick in lower case."""


def merits(results: Iterable[Result], own: Collection[str] = (), kept: Ladders | None = None, game: str = "") -> Merits:
    """Of all results, or of those of one game. own: keys of the owner; kept: ladders that all results led to."""
    ordered = in_order(results)
    ranks = ratings(ordered, kept)
    counted = [result for result in ordered if result.game == game or not game]
    people, bots = _counted(counted)
    told = [_merit(found, own, ranks) for found in people.values()]
    told.sort(key=lambda one: (-one.whole.games, one.nick.lower(), not one.key, one.key))
    levels: dict[str, dict[str, Tally]] = {}
    for (of, level), count in sorted(bots.items()):
        levels.setdefault(of, {})[level[:MOST_NAMES]] = count.tally()
    return Merits(dict(Counter(result.game for result in counted)), tuple(told), levels)


def called(found: Merits, name: str) -> tuple[Merit, ...]:
    """Who goes by the nick, upper and lower case being one, or by all or two words of the key; for "" the owner."""
    lower = name.lower()
    if not lower:
        return tuple(one for one in found.people if one.own)
    of_key = {one.key for one in found.people if one.key and lower in (one.key, "-".join(one.key.split("-")[:2]))}
    return tuple(one for one in found.people if one.nick.lower() == lower or one.key in of_key)


def once_called(found: Merits, results: Iterable[Result], name: str) -> tuple[Merit, ...]:
    """Who has ever gone by the nick."""
    lower = name.lower()
    whose = {
        _person(taker) for result in results for taker in result.takers if not taker.bot and taker.name.lower() == lower
    }
    return tuple(one for one in found.people if _identity(one) in whose)


def detailed(one: Merit, results: Iterable[Result], game: str = "") -> Merit:
    """The same person with endings, others and bots."""
    me = _identity(one)
    ordered = [result for result in in_order(results) if result.game == game or not game]
    endings: dict[str, Counter[str]] = {}
    people: dict[_Person, _Met] = {}
    bots: dict[str, _Met] = {}
    for result in ordered:
        seat = next((seat for seat, taker in enumerate(result.takers) if not taker.bot and _person(taker) == me), None)
        if seat is None:
            continue
        won = [ending.reason for ending in result.endings if seat in ending.winners]
        endings.setdefault(result.game, Counter()).update(won)
        mine = result.takers[seat].place
        for taker in (*result.takers[:seat], *result.takers[seat + 1 :]):
            met = bots.setdefault(taker.bot, _Met()) if taker.bot else people.setdefault(_person(taker), _Met())
            met.add(taker, mine)
    return replace(
        one,
        endings={of: _often(counts) for of, counts in endings.items() if counts},
        others=_most([met.against(key) for (key, _), met in people.items()]),
        bots=_most([replace(met.against(""), nick=level[:MOST_NAMES]) for level, met in bots.items()]),
    )


class _Count:
    """A tally while it is counted."""

    __slots__ = ("games", "longest", "places", "points", "streak", "wins")

    def __init__(self) -> None:
        self.games = self.wins = self.points = self.streak = self.longest = 0
        self.places: list[int] = [0] * 4

    def add(self, place: int, points: int, won: bool) -> None:
        self.games += 1
        self.points += points
        try:
            self.places[place - 1] += 1
        except IndexError:
            self.places += [0] * (place - 1 - len(self.places)) + [1]
        self.went_on(won)

    def went_on(self, won: bool) -> None:
        if won:
            self.wins += 1
            self.streak = streak = self.streak + 1 if self.streak > 0 else 1
            if streak > self.longest:
                self.longest = streak
        else:
            self.streak = self.streak - 1 if self.streak < 0 else -1

    def tally(self) -> Tally:
        places = self.places[: max((place for place, often in enumerate(self.places, 1) if often), default=0)]
        points = self.points / self.games if self.games else 0.0
        return Tally(self.games, self.wins, tuple(places), points, self.streak, self.longest)

    def over(self, parts: Iterable[_Count]) -> Tally:
        """The tally of all games: what adds up comes from its parts, what does not from here."""
        places = [sum(each) for each in zip_longest(*(part.tally().places for part in parts), fillvalue=0)]
        games = sum(places)
        points = sum(part.points for part in parts) / games if games else 0.0
        return Tally(games, self.wins, tuple(places), points, self.streak, self.longest)


class _Found:
    """A person while their matches are counted."""

    __slots__ = ("alone", "games", "key", "nick", "streaks")

    def __init__(self, key: str) -> None:
        self.key, self.nick = key, ""
        self.streaks, self.alone, self.games = _Count(), _Count(), dict[str, _Count]()


class _Met:
    """Somebody whom another met, while it is counted."""

    __slots__ = ("ahead", "behind", "games", "nick")

    def __init__(self) -> None:
        self.nick, self.games, self.ahead, self.behind = "", 0, 0, 0

    def add(self, taker: Taker, mine: int) -> None:
        self.nick = taker.name
        self.games += 1
        self.ahead += mine < taker.place
        self.behind += mine > taker.place

    def against(self, key: str) -> Against:
        level = self.games - self.ahead - self.behind
        return Against(key, self.nick[:MOST_NAMES], self.games, self.ahead, self.behind, level)


def _counted(ordered: Sequence[Result]) -> tuple[dict[_Person, _Found], dict[tuple[str, str], _Count]]:
    people: dict[_Person, _Found] = {}
    bots: dict[tuple[str, str], _Count] = {}
    for result in ordered:
        game, found, seated = result.game, None, 0
        for taker in result.takers:
            if taker.bot:
                level = (game, taker.bot)
                if (count := bots.get(level)) is None:
                    count = bots[level] = _Count()
                count.add(taker.place, taker.points, taker.won)
                continue
            who = (taker.key, "") if taker.key else ("", taker.name.lower())
            if (found := people.get(who)) is None:
                found = people[who] = _Found(taker.key)
            found.nick, won = taker.name, taker.won
            if (count := found.games.get(game)) is None:
                count = found.games[game] = _Count()
            count.add(taker.place, taker.points, won)
            found.streaks.went_on(won)
            last, seated = taker, seated + 1
        if seated == 1 and found is not None:
            found.alone.add(last.place, last.points, last.won)
    return people, bots


def _merit(found: _Found, own: Collection[str], ranks: Mapping[str, Mapping[str, Rating]]) -> Merit:
    counts = dict(sorted(found.games.items()))
    games = {game: count.tally() for game, count in counts.items()}
    mine = {game: ranks[game][found.key] for game in games if found.key in ranks.get(game, ())}
    whole = found.streaks.over(counts.values())
    return Merit(found.key, found.nick[:MOST_NAMES], found.key in own, whole, games, mine, found.alone.tally())


def _person(taker: Taker) -> _Person:
    return taker.key, "" if taker.key else taker.name.lower()


def _often(counts: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts.items(), key=lambda one: (-one[1], one[0])))


def _identity(one: Merit) -> _Person:
    return one.key, "" if one.key else one.nick.lower()


def _most(met: list[Against]) -> tuple[Against, ...]:
    return tuple(sorted(met, key=lambda one: (-one.games, one.nick.lower(), one.key)))


class HistoryStatistics:
    """A `table.merits.Statistics` of the history in these folders."""

    def __init__(self, folders: Folders) -> None:
        self._history, self._ladders, self._own = History(folders), RatingTable(folders), OwnKeys(folders.data)

    def everybody(self, game: str = "") -> Merits:
        """Of the matches of that game, or of all."""
        return self._merits(list(self._history.results()), game)

    def called(self, name: str, game: str = "") -> tuple[Merit, ...]:
        """Who goes by that nick or those words, else who ever did, with endings and others; the own ones for ""."""
        results = list(self._history.results())
        found = self._merits(results, game)
        people = called(found, name) or once_called(found, results, name)
        return tuple(detailed(one, results, game) for one in people)

    def course(self, one: Merit, game: str) -> tuple[tuple[Step, ...], tuple[tuple[str, int], ...]]:
        """How one person's rating in a game changed, and the date and score of each of their matches."""
        me = _identity(one)
        ordered = in_order(self._history.results(game))
        matches = rated(ordered).get(game, []) if one.key else []
        mine = (
            (result.date, taker.points)
            for result in ordered
            for taker in result.takers
            if not taker.bot and _person(taker) == me
        )
        return tuple(step for step in steps(matches) if one.key in step.ratings), tuple(mine)

    def _merits(self, results: Sequence[Result], game: str) -> Merits:
        return merits(results, set(map(words, self._own.keys())), self._ladders, game)
