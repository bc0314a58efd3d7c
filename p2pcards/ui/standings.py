"""What came out of the arena, in lines."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.bots.standing import Standing
from p2pcards.bots.stopping import Clear, Narrow, Until
from p2pcards.ui.voice import counted

_HEAD = ("seat", "bot", "wins", "95 % interval", "points", "chance")
_ALIGNED = ("<", "<", ">", ">", ">", "<")


def told(
    title: str,
    matches: bool,
    bots: Sequence[str],
    standings: Sequence[Standing],
    deals: int,
    wanted: int,
    until: Until | None = None,
    reached: bool = False,
) -> list[str]:
    """A heading, a row for each seat, and what the numbers mean.

    title: of the game; matches: whether those were won, and not rounds; wanted: how many of them were asked for, at
    most where they were played `until` something; reached: whether it was.
    """
    seats = len(bots)
    played = deals * seats
    unit, units = ("match", "matches") if matches else ("round", "rounds")
    asked = f" ({wanted} asked for)" if played != wanted and not until else ""
    looked = ", however often one looks" if isinstance(until, Clear) else ""
    found = enumerate(zip(bots, standings, strict=True), 1)
    rows = [_HEAD, *(_row(seat, bot, standing, 1 / seats) for seat, (bot, standing) in found)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        f"{title}, {played} {units}{asked}: {counted(deals, 'deal')}, each played from all {seats} seats",
        *(
            "  ".join(f"{cell:{to}{width}}" for cell, to, width in zip(row, _ALIGNED, widths, strict=True)).rstrip()
            for row in rows
        ),
        *(
            f"{bot} got the safe default {counted(found.defaults, 'time')}, for what it did wrong."
            for bot, found in zip(bots, standings, strict=True)
            if found.defaults
        ),
        *([_end(until, reached)] if until else []),
        f"wins: the share won, ties split; {_percent(1 / seats)} is chance. 95 % interval: where the true share lies, "
        f"19 times in 20{looked}. points: on average, for each {unit}. chance: on which side of it the interval lies.",
    ]


def _row(seat: int, bot: str, found: Standing, chance: float) -> tuple[str, ...]:
    interval = f"{_percent(found.low)} to {_percent(found.high)}"
    side = "above" if found.low > chance else "below" if found.high < chance else "not clear"
    return (str(seat), bot, _percent(found.win_share), interval, f"{found.mean_points:.2f}", side)


def _end(until: Until, reached: bool) -> str:
    """What it was played for, and whether that was reached."""
    if isinstance(until, Narrow):
        far = f"{100 * until.reach:g} points to either side"
        return f"It ended with every interval at most {far}." if reached else f"Not every interval is within {far} yet."
    return "It ended with the first bot clear of chance." if reached else "The first bot isn't clear of chance yet."


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
