"""What each program found when it checked a round: signed, passed on by the host, told to everybody (protocol 6.8).

A verdict is about the round disclosed last, and its maker says it once. The host keeps those on that round, so that
everybody is sent each of them behind the journal it is about, whoever comes a moment later too. None of it stands in
the journal.
"""

from __future__ import annotations

from p2pcards.table.notices import Audited, Verdict
from p2pcards.table.presence import Connection
from p2pcards.table.public import Public
from p2pcards.table.round import Refused
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import NOTHING_BAD, REASON_CHARS, Audit
from p2pcards.wire.text import clean
from p2pcards.wire.verdict import finding, sign_verdict, verify_verdict

MOST = 64
"""So many verdicts on one round are passed on: whoever comes again and again under other keys gets no further."""


class _Verdicts:
    """Those on the round disclosed last, in the order in which they came."""

    def __init__(self, public: Public) -> None:
        self._public = public
        self._at = 0  # the DISCLOSE that they are about
        self._said: dict[bytes, Audit] = {}
        self.dropped = 0  # messages that came too late, twice, or from nobody

    def _look(self) -> None:
        """A round disclosed since makes room for what is said of it."""
        if self._at != self._public.disclosed_at:
            self._at, self._said = self._public.disclosed_at, {}

    def _is_new(self, said: Audit) -> bool:
        """Whether it is the first that this key, which is somebody's at the table, says of the round."""
        self._look()
        there, about = self._public.nick_of(said.key) != "", self._at and said.round == self._public.disclosed
        return bool(there and about) and said.key not in self._said and len(self._said) < MOST

    def _is_clean(self, said: Audit) -> bool:
        """Whether it can be shown: a reason goes with a bad entry, and only with one."""
        why = finding(said)
        placed = said.bad < len(self._public.journal) if why else said.bad == NOTHING_BAD
        return placed and clean(said.reason, REASON_CHARS) == said.reason

    def _is_signed(self, said: Audit) -> bool:
        journal = self._public.journal
        return verify_verdict(journal.table_at(self._at), journal.heads[self._at], said)


class Relay(_Verdicts):
    """The host's: checks what is said, and passes it on."""

    def take(self, there: bytes, said: Audit) -> None:
        """A verdict that came over the link of that key. What an honest program may send too late or twice is dropped.

        Raises Refused for what none sends: not_yours, not_clean.
        """
        if said.key != there:
            raise Refused("not_yours")
        if not self._is_new(said):
            self.dropped += 1
            return
        if not self._is_clean(said):
            raise Refused("not_clean")
        if not self._is_signed(said):
            raise Refused("not_yours")
        self._said[there] = said

    def due(self, there: Connection) -> list[Audit]:
        """What is to be sent to a connection that holds the journal; it counts as sent."""
        self._look()
        at, sent = there.verdicts
        fresh = list(self._said.values())[sent if at == self._at else 0 :]
        there.verdicts = self._at, len(self._said)
        return [said for said in fresh if said.key != there.key]


class Hearing(_Verdicts):
    """A guest's: signs what we found, and delivers only what it can prove to come from who is at the table."""

    def __init__(self, identity: Identity, public: Public) -> None:
        super().__init__(public)
        self._identity = identity
        self._nicks: dict[bytes, str] = {}
        self.ours: Audit | None = None  # on the last round that we saw disclosed

    def sign(self, found: Audited) -> Audit:
        """Our verdict on the round that was just disclosed."""
        journal, at, why = self._public.journal, self._public.disclosed_at, clean(found.why, REASON_CHARS)
        table, head = journal.table_at(at), journal.heads[at]
        self.ours = sign_verdict(self._identity, table, head, found.round, found.bad, why)
        return self.ours

    def hear(self, said: Audit) -> Verdict | None:
        """What the player is to be told; None (and counted) where it is not proved, not new, or our own."""
        mine = said.key == self._identity.key
        if mine or not (self._is_new(said) and self._is_clean(said) and self._is_signed(said)):
            self.dropped += 1
            return None
        self._said[said.key] = said
        nick = self._nicks[said.key] = self._public.nick_of(said.key)
        bad = None if said.bad == NOTHING_BAD else said.bad
        return Verdict(said.round, nick, said.key, bad, finding(said))

    @property
    def others(self) -> tuple[tuple[str, bool], ...]:
        """What others found of the last round: nick, and whether all is well."""
        self._look()
        return tuple((self._nicks[key], said.bad == NOTHING_BAD) for key, said in self._said.items())

    @property
    def doubts(self) -> tuple[tuple[str, int, str], ...]:
        """Those of them that found something: nick, index of the first bad entry, and why."""
        self._look()
        bad = ((key, said) for key, said in self._said.items() if said.bad != NOTHING_BAD)
        return tuple((self._nicks[key], said.bad, finding(said)) for key, said in bad)
