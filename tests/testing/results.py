"""Results of matches, written short."""

from __future__ import annotations

from p2pcards.store.history_match import KeptMatch
from p2pcards.table.results import Ending, Over, Result, Taker

FOUR = "mango-tiger-plum-otter"


def key(nick: str) -> str:
    """Words that stand for the nick's key."""
    return f"{nick}-{FOUR}-fern"


def taker(text: str) -> Taker:
    """`ana 1` or `ana 1 12`: a nick, a place and points; `ana? 1` has no known key, `bot-1/hard 2` is a bot's seat."""
    name, place, *points = text.split()
    name, _, level = name.partition("/")
    nick = name.removesuffix("?")
    own = "" if level or name != nick else key(nick)
    return Taker(nick, own, level, int(points[0]) if points else 0, int(place), place == "1")


def kept(one: Result) -> KeptMatch:
    """The same as the history takes it, with a record that is none."""
    over = Over.YES if one.over else Over.NO
    key = one.number.to_bytes(16, "big")
    return KeptMatch(key, ("head\n",), one.date, one.game, one.title, one.table, over, one.takers, one.endings)


def result(*takers: str, number: int = 1, game: str = "tongits", date: str = "", endings: str = "") -> Result:
    """A finished match of these. number: also its hour, where there is no date; endings: `call 0, tongits 1 2`."""
    ended = [one.split() for one in endings.split(",") if one]
    return Result(
        number,
        f"{number:032x}",
        date or f"2026-05-{1 + number // 24:02d}T{number % 24:02d}:00:00Z",
        game,
        "Friday night",
        1,
        tuple(map(taker, takers)),
        tuple(Ending(reason, tuple(map(int, winners))) for reason, *winners in ended),
    )
