"""Moments in words, in the local time of the machine and without its locale."""

from __future__ import annotations

from datetime import datetime

from p2pcards.ui.voice import counted

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_MINUTE, _HOUR, _DAY = 60, 3600, 86400
_ROUND = 0.05
"""How far off a round number may be, as a part of it."""


def until(moment: int, wall: float) -> str:
    """How long something stands: `for good` (0), `for 10 minutes`, `until 14:05`, `until 7 December 2026`."""
    left = moment - wall
    then = _local(moment)
    if moment == 0 or then is None:
        return "for good"
    hours = left / _HOUR
    if hours < 1 or (hours < 2 and abs(hours - round(hours)) <= _ROUND * hours):
        return f"for {span(left)}"
    if left < _DAY:
        return f"until {then:%H:%M}"
    return f"until {_date(then)}, {then:%H:%M}" if left < 7 * _DAY else f"until {_date(then)}"


def span(seconds: float) -> str:
    """So many seconds in the largest unit that they are a round number of: `45 seconds`, `10 minutes`, `3 hours`."""
    whole = max(1, round(seconds))
    for size, noun in ((_DAY, "day"), (_HOUR, "hour"), (_MINUTE, "minute")):
        count = whole / size
        if round(count) and abs(count - round(count)) <= _ROUND * count:
            return counted(round(count), noun)
    return counted(whole, "second")


def day(moment: float, wall: float) -> str:
    """When something was: `today, 14:05`, `30 November 2026`."""
    then, now = _local(moment), _local(wall)
    if then is None or now is None:
        return "long ago"
    return f"today, {then:%H:%M}" if then.date() == now.date() else _date(then)


def _date(then: datetime) -> str:
    return f"{then.day} {_MONTHS[then.month - 1]} {then.year}"


def _local(moment: float) -> datetime | None:
    """None for what no calendar has."""
    try:
        return datetime.fromtimestamp(moment).astimezone()
    except (OverflowError, OSError, ValueError):
        return None
