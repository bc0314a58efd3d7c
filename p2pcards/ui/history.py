"""What was played, in words: the matches one by one, one of them whole, and what `history` answers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from p2pcards.errors import UserError
from p2pcards.table.results import Past, Result, Taker
from p2pcards.ui import words_stats
from p2pcards.ui.dates import day
from p2pcards.ui.voice import WRITTEN, counted, listed, signed
from p2pcards.wire.text import clean

NICK_CHARS, TITLE_CHARS, WORD_CHARS, KEY_CHARS = 16, 40, 24, 64
"""Most characters that are shown; records from elsewhere hold what they like."""

REPLAY = "`p2pcards replay --history {}` on the command line shows every move."

READING = "The history is read…"

NOTHING = "Nothing has been played yet; `practise tongits` plays bots now, and every match is kept."


def answer(number: str, past: Past, most: int, wall: float, minus: str = WRITTEN) -> list[str]:
    """What `history` or `history N` says: at most so many matches, the newest first; UserError without the one.

    minus: that sign, as below.
    """
    if number:
        found = past.result(int(number))
        if found is None:
            raise UserError(missing(int(number)))
        return [*match_lines(found, wall, minus), REPLAY.format(int(number))]
    results = past.newest(limit=most + 1)
    lines = [f"{result.number}: {told(result, wall, minus)}" for result in results[:most]]
    if len(results) > most:
        lines.append("There are older ones; `p2pcards history` on the command line shows them all.")
    return lines or [NOTHING]


def missing(number: int) -> str:
    """That there is no such match."""
    return f"No match of the history has the number {number}; `history` shows those that there are."


def told(result: Result, wall: float, minus: str = WRITTEN) -> str:
    """One match in a sentence, without its number. wall: unix seconds, now."""
    head = f"{title(result.game)}, {when(result, wall)}{where(result)}"
    return f"{head}: {outcome(result, minus)}."


def outcome(result: Result, minus: str = WRITTEN) -> str:
    """`ana won with 3; ben 1, cy 0`, or how things stand where it is not over."""
    if not result.over:
        after = f"not over after {counted(result.rounds, 'round')}" if result.rounds else "not over"
        return f"{after}: {_scores(_placed(result), minus)}" if result.rounds else after
    won = [taker for taker in result.takers if taker.won]
    others = [taker for taker in _placed(result) if not taker.won]
    names = listed([nick(taker) for taker in won], "and")
    rest = f"; {_scores(others, minus)}" if others else ""
    return f"{names} won with {signed(won[0].points if won else 0, minus)}{rest}"


def match_lines(result: Result, wall: float, minus: str = WRITTEN) -> list[str]:
    """One match: when and where it was, who took which place, how its rounds ended."""
    about = [title(result.game), f"{when(result, wall)}{where(result)}", counted(result.rounds, "round")]
    lines = [f"Match {result.number}: {', '.join(about)}{'' if result.over else ', not over'}."]
    lines += [
        f"{taker.place}: {nick(taker)}{_who(taker)}, {signed(taker.points, minus)}{', won' if taker.won else ''}."
        for taker in _placed(result)
    ]
    for number, ending in enumerate(result.endings, 1):
        winners = listed([nick(result.takers[seat]) for seat in ending.winners if seat < len(result.takers)], "and")
        lines.append(
            f"Round {number}: {winners or 'nobody'} won ({words_stats.ending(clean(ending.reason, WORD_CHARS))})."
        )
    return lines


def title(game: str) -> str:
    """Of a game; its name where this version has it no more."""
    from p2pcards.games.registry import GAMES  # takes long to load, and not everybody needs it

    return GAMES[game].title if game in GAMES else clean(game, WORD_CHARS)


def nick(taker: Taker) -> str:
    """The name of who played the seat, safe to show."""
    return clean(taker.name, NICK_CHARS)


def when(result: Result, wall: float) -> str:
    """`today, 14:05`, `30 November 2026`, or that nobody knows."""
    try:
        return day(datetime.fromisoformat(result.date).timestamp(), wall)
    except (ValueError, OverflowError, OSError):
        return "no date"


def where(result: Result) -> str:
    """`, at` the table, or that it was practice."""
    if result.practice:
        return ", practice"
    shown = clean(result.title, TITLE_CHARS)
    return f", at {shown}" if shown else ""


def _placed(result: Result) -> list[Taker]:
    return sorted(result.takers, key=lambda taker: taker.place)


def _scores(takers: Sequence[Taker], minus: str) -> str:
    return ", ".join(f"{nick(taker)} {signed(taker.points, minus)}" for taker in takers)


def _who(taker: Taker) -> str:
    if taker.bot:
        return f" (a bot, {clean(taker.bot, WORD_CHARS)})"
    return f" ({clean(taker.key, KEY_CHARS)})" if taker.key else ""
