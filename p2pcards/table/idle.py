"""How long nobody has done anything at a table: after a while it closes, and says so before.

What counts is what everybody sees: somebody comes or goes, plays, votes or talks, wants to go on or the turn skipped,
the host changes something, another one takes over. What bots do, and what time brings, does not. So the host, which
closes the table, and its guests, who warn of it, come to the same by clocks of their own.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from p2pcards.table.notices import DeckShown, Notice, Ready, SkipWanted, Spoken, Stopped
from p2pcards.table.public import Public
from p2pcards.table.pulse import ASLEEP
from p2pcards.wire.entries import BotPub, BotReason, Cause, Entry, EntryFlag, EntryKind, Roster, decode_pub

IDLE = "nobody did anything"
"""How the reason begins for which such a table closes."""

WARNING_SECONDS = 120.0
"""So long before it closes everybody is told."""

_DOINGS = frozenset(
    {
        EntryKind.GENESIS,
        EntryKind.OPTIONS,
        EntryKind.KICK,
        EntryKind.MATCH_START,
        EntryKind.TERM_START,
        EntryKind.HANDOVER,
        EntryKind.FORK,
    }
)
"""Kinds that stand in the journal because somebody wanted something."""

_SAID = (Spoken, Ready, SkipWanted, DeckShown, Stopped)
"""What a guest hears of beside the journal that somebody did."""


class Idle:
    """One table's. wakes: this machine looks every second, so that a longer time between two looks is sleep."""

    def __init__(self, public: Public, *, wakes: bool) -> None:
        self._public, self._asleep = public, ASLEEP if wakes else math.inf
        self._read = 0  # entries of the journal
        self._at: float | None = None  # when somebody did something last
        self._looked: float | None = None
        self._warned = False

    def stir(self, now: float) -> None:
        """Somebody does something that the journal does not tell."""
        self._at, self._warned = now, False

    def look(self, now: float, told: Iterable[Notice] = ()) -> None:
        """Reads what has come since. told: what a guest has just heard."""
        entries = self._public.journal.entries
        fresh = entries[min(self._read, len(entries)) :]
        self._read = len(entries)
        slept = 0.0 if self._looked is None or now - self._looked <= self._asleep else now - self._looked
        self._looked = now
        if self._at is None or any(map(_is_doing, fresh)) or any(isinstance(one, _SAID) for one in told):
            self.stir(now)
        else:
            self._at += slept

    @property
    def closes_at(self) -> float | None:
        """When the table closes unless somebody does something; None for never."""
        seconds = 60.0 * int(self._public.setting("idle_minutes"))
        return self._at + seconds if seconds and self._at is not None else None

    @property
    def warns_at(self) -> float | None:
        """When it is to be told that it will; None once it has been."""
        closes = self.closes_at
        return None if closes is None or self._warned else closes - WARNING_SECONDS

    def warns(self, now: float) -> bool:
        """Whether to tell it now, which is so once."""
        at = self.warns_at
        if at is None or now < at:
            return False
        self._warned = True
        return True


def _is_doing(entry: Entry) -> bool:
    if entry.kind not in (EntryKind.ROSTER, EntryKind.BOT):
        return entry.kind in _DOINGS or entry.flags is EntryFlag.ACTSIG
    match decode_pub(entry.kind, entry.pub):
        case Roster(cause=cause, subject=subject):
            return cause in (Cause.JOINS, Cause.LEAVES) or not subject  # without one the host gave seats to bots
        case BotPub(reason=reason):
            return reason in (BotReason.LOBBY, BotReason.BACK)
    return False
