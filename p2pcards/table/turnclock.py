"""The turn clock and the wish to skip: how long the present turn may take, and who does not want to wait for it.

A turn begins when somebody else is to act, or the same seat anew; what is done within a turn does not wind the clock
again. Neither the clock nor a wish is in the journal: only the safe default that came of it.
"""

from __future__ import annotations

Turn = tuple[int, int]
"""Which turn it is: the round's number, and the entry with which the turn began."""


class TurnClock:
    """The clock of one table."""

    def __init__(self) -> None:
        self._turn: Turn | None = None
        self._by: float | None = None
        self._left: float | None = None  # seconds of the turn's time, while it rests
        self._skips: list[bytes] = []

    @property
    def turn(self) -> Turn | None:
        """The turn that the clock was wound for."""
        return self._turn

    @property
    def by(self) -> float | None:
        """When the present turn's time is up."""
        return self._by

    @property
    def skips(self) -> tuple[bytes, ...]:
        """Keys of those who want the turn skipped, in the order in which they said so."""
        return tuple(self._skips)

    def wind(self, turn: Turn | None, seconds: int, now: float) -> None:
        """Starts anew if this is another turn. turn: None where nobody is waited for; seconds: 0 for no clock."""
        left, self._left = self._left, None
        if turn != self._turn:
            self._turn, self._skips = turn, []
            self._by = now + seconds if turn and seconds else None
        elif left is not None:
            self._by = now + left

    def rest(self, now: float) -> None:
        """Stands still until it is wound again: within a turn, cards are being shuffled."""
        if self._by is not None:
            self._left, self._by = self._by - now, None

    def want(self, key: bytes) -> None:
        """A player wants the turn skipped."""
        if key not in self._skips:
            self._skips.append(key)

    def is_up(self, now: float) -> bool:
        """Whether the time of the present turn is over."""
        return self._by is not None and now >= self._by
