"""Who of the tables heard of is asked next, where more are heard of than can be asked: anybody may send adverts.

Tables that have answered before have places of their own, so that strangers never keep them waiting. Among strangers
those of our lab come first, then by turns those at addresses that led to nothing least often and the newest; once half
of the places are taken they are asked in haste. An address that leads to nothing
is tried a few times and once a second after that: whoever advertises tables at somebody else's would else have all of
us knock there.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable

from p2pcards.table.hearsay import Entry

KNOWN_AT_ONCE = 16
"""Questions on their way to tables that have answered before."""
AT_ONCE = 32
"""The same to strangers."""
BURST, BURST_SECONDS = 8, 8.0
"""Strangers asked in vain at one address in so many seconds."""
MOST_HOSTS = 512
"""Addresses kept track of."""


class Pace:
    """The questions on their way and what became of those before."""

    def __init__(self) -> None:
        self._running: dict[bytes, bool] = {}  # by table and key: whether it had answered before
        self._asked: dict[str, deque[float]] = {}  # when strangers were asked, by address
        self._turn = 0
        self._failed: Counter[str] = Counter()  # strangers that did not answer, by address

    def failures(self, host: str) -> int:
        """How often this address led to nothing since it last led to a table."""
        return self._failed[host]

    def is_asked(self, entry: Entry) -> bool:
        """Whether a question to it is on its way."""
        return entry.key in self._running

    def due(self, entry: Entry) -> float:
        """When it may be asked."""
        times = self._asked.get(entry.host)
        if entry.answer is not None or entry.lab or times is None or len(times) < BURST:
            return entry.due
        return max(entry.due, times[0] + BURST_SECONDS)

    def waiting(self, entries: Iterable[Entry]) -> list[Entry]:
        """Those that would be asked if it were time."""
        room = {known: self._room(known) > 0 for known in (True, False)}
        return [entry for entry in entries if room[entry.answer is not None] and not self.is_asked(entry)]

    def chosen(self, entries: Iterable[Entry], now: float) -> list[tuple[Entry, bool]]:
        """Those to ask now, and whether in haste; they count as asked."""
        waiting = [entry for entry in self.waiting(entries) if self.due(entry) <= now]
        known = sorted((entry for entry in waiting if entry.answer is not None), key=lambda entry: entry.due)
        strangers = [entry for entry in waiting if entry.answer is None]
        chosen = [(entry, False) for entry in known[: self._room(True)]]
        for room in range(self._room(False), 0, -1):
            strangers = [entry for entry in strangers if self.due(entry) <= now]
            if not strangers:
                break
            self._turn += 1
            entry = min(strangers, key=self._rank if self._turn % 2 else self._newest)
            strangers.remove(entry)
            self._note(entry.host, now)
            chosen.append((entry, room <= AT_ONCE // 2))
        self._running.update((entry.key, entry.answer is not None) for entry, _ in chosen)
        return chosen

    def over(self, key: bytes, host: str, answered: bool) -> None:
        """The question to this table came to its end."""
        self._running.pop(key, None)
        if answered:
            self._failed.pop(host, None)
            if self._asked.get(host):
                self._asked[host].pop()
        elif host in self._failed or len(self._failed) < MOST_HOSTS:
            self._failed[host] += 1

    def _room(self, known: bool) -> int:
        taken = sum(of_known is known for of_known in self._running.values())
        return (KNOWN_AT_ONCE if known else AT_ONCE) - taken

    def _rank(self, entry: Entry) -> tuple[bool, int, float]:
        return not entry.lab, self._failed[entry.host], -entry.due

    def _newest(self, entry: Entry) -> tuple[bool, int, float]:
        """In a flood that is faster than we ask, whoever waits behind it waits for ever."""
        return not entry.lab, entry.missed, -entry.due

    def _note(self, host: str, now: float) -> None:
        if host not in self._asked and len(self._asked) >= MOST_HOSTS:
            del self._asked[next(iter(self._asked))]
        self._asked.setdefault(host, deque(maxlen=BURST)).append(now)
