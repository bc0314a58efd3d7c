"""What came out of the arena, in lines."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.bots.standing import Standing
from p2pcards.ui.voice import counted

_HEAD = ("seat", "bot", "wins", "95 % interval", "points")
_ALIGNED = ("<", "<", ">", ">", ">")


def told(
    title: str, matches: bool, bots: Sequence[str], standings: Sequence[Standing], deals: int, wanted: int
) -> list[str]:
    """A heading, a row for each seat, and what the numbers mean.

    title: of the game; matches: whether those were won, and not rounds; wanted: how many of them were asked for.
    """
    seats = len(bots)
    played = deals * seats
    unit, units = ("match", "matches") if matches else ("round", "rounds")
    asked = f" ({wanted} asked for)" if played != wanted else ""
    rows = [_HEAD, *(_row(seat, bot, found) for seat, (bot, found) in enumerate(zip(bots, standings, strict=True), 1))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        f"{title}, {played} {units}{asked}: {counted(deals, 'deal')}, each played from all {seats} seats",
        *(
            "  ".join(f"{cell:{to}{width}}" for cell, to, width in zip(row, _ALIGNED, widths, strict=True))
            for row in rows
        ),
        f"wins: the share won, ties split; {_percent(1 / seats)} is chance. 95 % interval: where the true share lies, "
        f"19 times in 20. points: on average, for each {unit}.",
    ]


def _row(seat: int, bot: str, found: Standing) -> tuple[str, ...]:
    interval = f"{_percent(found.low)} to {_percent(found.high)}"
    return (str(seat), bot, _percent(found.win_share), interval, f"{found.mean_points:.2f}")


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
