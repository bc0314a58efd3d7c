"""Moments in words, in the local time of the machine and without its locale."""

from __future__ import annotations

from datetime import datetime

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_MINUTE, _HOUR, _DAY = 60, 3600, 86400


def until(moment: int, wall: float) -> str:
    """How long something stands: `for good` (0), `for 10 minutes`, `until 14:05`, `until 7 December 2026`."""
    left = moment - wall
    then = _local(moment)
    if moment == 0 or then is None:
        return "for good"
    if left < 2 * _HOUR:
        return f"for {span(left)}"
    if left < _DAY:
        return f"until {then:%H:%M}"
    return f"until {_date(then)}, {then:%H:%M}" if left < 7 * _DAY else f"until {_date(then)}"


def span(seconds: float) -> str:
    """So many seconds as people count them: `45 seconds`, `10 minutes`, `3 hours`."""
    whole = max(1, round(seconds))
    for size, least, noun in ((_DAY, 2 * _DAY, "day"), (_HOUR, 2 * _HOUR, "hour"), (_MINUTE, 2 * _MINUTE, "minute")):
        if whole >= least - size / 2:
            return _counted(round(whole / size), noun)
    return _counted(whole, "second")


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


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
