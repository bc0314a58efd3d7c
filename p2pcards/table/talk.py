"""What people say to each other over the host: who may say what to whom, and whom a guest believes (protocol 5.4).

Words are signed by their speaker and go over the host, which passes them on as they are. Nothing of it stands in the
journal: whoever comes later does not read it.
"""

from __future__ import annotations

from collections import deque
from math import ceil

from p2pcards.table.notices import Spoken
from p2pcards.table.public import Public
from p2pcards.table.round import Refused
from p2pcards.wire.chat import sign_chat, verify_chat
from p2pcards.wire.entries import SeatKind
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import CHAT_CHARS, TO_ALL, TO_SPECTATORS, Chat
from p2pcards.wire.text import clean

FLOOD = 5
"""So many messages may be said within FLOOD_SECONDS."""

FLOOD_SECONDS = 5.0

NEWCOMER = 3
"""So many at once by somebody who has just come; all of FLOOD after FLOOD_SECONDS at the table."""

SILENCED_SECONDS = 15.0
"""How long somebody who said more is not heard."""

REMEMBERED = 256
"""Keys whose counts are kept at the most; a key that is at the table is never forgotten."""


MOST_N = 2**32 - 2**20
"""From there on nobody follows another program's count: room is left for what is said behind it."""


class Switchboard:
    """The host's: checks what is said, and tells whom it is for."""

    def __init__(self) -> None:
        self._speakers: dict[bytes, _Speaker] = {}  # the one who spoke or came longest ago first

    def came(self, key: bytes, now: float, books: Public) -> None:
        """Somebody was let in. Who was here before is no newcomer."""
        if key not in self._speakers:
            self._remember(key, _Speaker(_newcomer(now)), books)

    def relay(self, there: bytes, said: Chat, books: Public, now: float) -> tuple[bytes, ...]:
        """Keys of those to whom it is to be sent, the speaker among them; raises Refused, which uses nothing up.

        there: the key that the link has proved. Codes: not_yours, stale, whose detail is the key's newest n,
        nobody_there, nothing_said, not_clean and chat_flood, whose detail is the seconds until one is heard again.
        """
        if said.key != there or books.nick_of(there) == "":
            raise Refused("not_yours")
        speaker = self._speakers.get(there) or _Speaker(deque(maxlen=FLOOD))
        if said.n <= speaker.n:
            raise Refused("stale", str(speaker.n))
        hearers = _hearers(said, books)
        if not said.text:
            raise Refused("nothing_said")
        if clean(said.text, CHAT_CHARS) != said.text:
            raise Refused("not_clean")
        if now < speaker.silent_until:
            raise Refused("chat_flood", str(ceil(speaker.silent_until - now)))
        if not verify_chat(books.journal.table, said):
            raise Refused("not_yours")
        self._remember(there, speaker, books)
        if len(speaker.times) == FLOOD and now < speaker.times[0] + FLOOD_SECONDS:
            speaker.silent_until = now + SILENCED_SECONDS
            raise Refused("chat_flood", str(ceil(SILENCED_SECONDS)))
        speaker.n = said.n
        speaker.times.append(now)
        return hearers

    def _remember(self, key: bytes, speaker: _Speaker, books: Public) -> None:
        self._speakers.pop(key, None)
        self._speakers[key] = speaker
        _forget(self._speakers, books)


class _Speaker:
    """One key: its newest n, when it spoke, and until when it is not heard."""

    __slots__ = ("n", "silent_until", "times")

    def __init__(self, times: deque[float]) -> None:
        self.n, self.times, self.silent_until = -1, times, 0.0


def _newcomer(now: float) -> deque[float]:
    """As if a few things had been said shortly before, so that the right to speak fills up second by second."""
    missing = FLOOD - NEWCOMER
    return deque((now - back for back in reversed(range(missing))), maxlen=FLOOD)


def _hearers(said: Chat, books: Public) -> tuple[bytes, ...]:
    watchers = tuple(key for key, _ in books.spectators)
    if said.scope == TO_ALL:
        members = tuple(held.key for held in books.seats if held.kind is SeatKind.MEMBER)
        return members + watchers
    if said.scope == TO_SPECTATORS:
        return watchers if said.key in watchers else (said.key, *watchers)
    if said.scope >= len(books.seats) or books.seats[said.scope].kind is not SeatKind.MEMBER:
        raise Refused("nobody_there")
    listener = books.seats[said.scope].key
    return (said.key,) if listener == said.key else (said.key, listener)


class Talk:
    """A guest's: signs what its player says, and delivers only what it can prove to come from who is at the table."""

    def __init__(self, identity: Identity, start: int) -> None:
        """start: what the count of our words begins behind, higher than any of an earlier program of ours (unix
        seconds do)."""
        self._identity, self._n = identity, start
        self._last: tuple[int, str] | None = None  # scope and text of what was said last, until it is said again
        self._heard: dict[bytes, int] = {}  # newest n of each key
        self.dropped = 0  # messages that no one was shown

    def say(self, table: bytes, scope: int, text: str) -> Chat:
        """The signed words, made safe to show; raises Refused: nothing_said, or too_long with the limit as detail."""
        safe = clean(text, 4 * len(text))
        if not safe:
            raise Refused("nothing_said")
        if len(safe) > CHAT_CHARS:
            raise Refused("too_long", str(CHAT_CHARS))
        self._last = scope, safe
        return self._signed(table, scope, safe)

    def again(self, table: bytes, newest: int) -> Chat | None:
        """What was said last, once more, where an earlier program of ours has counted up to `newest`; else None.

        The machine on which that ran may have a clock that is ahead of this one's, or this one's was set back. What
        was for one seat is not said again: somebody else may have it by now.
        """
        last, self._last = self._last, None
        if last is None or not self._n <= newest <= MOST_N:
            return None
        self._n = newest
        return self._signed(table, *last) if last[0] in (TO_ALL, TO_SPECTATORS) else None

    def _signed(self, table: bytes, scope: int, text: str) -> Chat:
        self._n += 1
        return sign_chat(self._identity, table, self._n, scope, text)

    def hear(self, said: Chat, books: Public) -> Spoken | None:
        """What the player is to be told; None (and counted) where it is not proved, not new or not for us."""
        nick, to, text = books.nick_of(said.key), self._whom(said, books), clean(said.text, CHAT_CHARS)
        new = said.n > self._heard.get(said.key, -1)
        if not (nick and text and new) or to is None or not verify_chat(books.journal.table, said):
            self.dropped += 1
            return None
        self._heard.pop(said.key, None)
        self._heard[said.key] = said.n
        _forget(self._heard, books)
        return Spoken(nick, said.key, to, text)

    def _whom(self, said: Chat, books: Public) -> str | None:
        """As in Spoken.to; None where we are not to hear it."""
        me = self._identity.key
        if said.scope == TO_ALL:
            return ""
        if said.scope == TO_SPECTATORS:
            return "spectators" if me in (said.key, *dict(books.spectators)) else None
        if said.scope >= len(books.seats) or books.seats[said.scope].kind is not SeatKind.MEMBER:
            return None
        listener = books.seats[said.scope]
        return listener.nick if me in (said.key, listener.key) else None


def _forget(kept: dict[bytes, _Speaker] | dict[bytes, int], books: Public) -> None:
    """Keeps no more than REMEMBERED keys: those go first that were heard longest ago and are not at the table."""
    if len(kept) > REMEMBERED:
        gone = next((key for key in kept if not books.nick_of(key)), None)
        if gone is not None:
            del kept[gone]
