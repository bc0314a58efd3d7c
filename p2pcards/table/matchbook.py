"""What a guest makes of disclosed rounds: the audit, the scores, and the record of the match."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from p2pcards.games.match import Match
from p2pcards.games.record import Record, Round, played_round, write
from p2pcards.table.audit import audit_round
from p2pcards.table.journal import Journal
from p2pcards.table.notices import Audited, Recorded
from p2pcards.table.public import OpenRound, Public
from p2pcards.wire.entries import MatchEnd
from p2pcards.wire.identity import words
from p2pcards.wire.text import table_text


class MatchBook:
    """The match so far, from what was disclosed alone: nothing in it is taken on the host's word."""

    def __init__(self, journal: Journal, public: Public) -> None:
        self._journal, self._public = journal, public
        self.match = Match()
        self._rounds: list[Round] = []

    def start(self) -> None:
        """A match begins."""
        self.match = Match.start(self._public.rules, len(self._public.seats))
        self._rounds = []

    def disclosed(
        self, ended: OpenRound, last: int, secret: bytes, seat: int | None, shown: Mapping[int, bytes]
    ) -> Audited:
        """Audits the round that ended and whose DISCLOSE is entry `last`; takes it into the match if it is sound.

        seat: whose views we were shown (None: a spectator's), shown: their digests by index.
        """
        rules = self._public.rules
        audit = audit_round(self._journal, rules, ended.opened_at, last - 1, secret, self.match, seat, shown)
        if audit.bad is not None or audit.outcome is None:
            whose = "" if audit.seat is None else self._public.names[audit.seat]
            return Audited(ended.number, False, audit.bad, whose, audit.why)
        self.match = self.match.settle(audit.outcome)
        played = played_round(
            rules,
            self._public.names,
            audit.deal.order,
            audit.starter,
            audit.actions,
            audit.outcome.winners,
            self.match.points,
        )
        self._rounds.append(played)
        return Audited(ended.number, True)

    def ended(self, end: MatchEnd) -> str:
        """The match is over; why the stated result is wrong, empty when it is right."""
        match = self.match if self.match.over or not self.match.round else self.match.stop()
        if (end.scores, end.winners) != (match.scores, tuple(match.winners)):
            return "the result of the match is not what its rounds add up to"
        self.match = match
        return ""

    def recorded(self) -> list[Recorded]:
        """The record of the match so far; none before its first sound round."""
        books = self._public
        if not self._rounds:
            return []
        rules = self.match.game or books.rules
        record = Record(
            rules.name,
            rules.options,
            books.names,
            tuple(self._rounds),
            datetime.fromtimestamp(books.started_ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            books.title,
            table_text(self._journal.table),
            {name: level for name, level in zip(books.names, books.levels, strict=True) if level},
            {name: words(key) for name, key in zip(books.names, books.keys, strict=True) if key},
        )
        return [Recorded(write(record))]
