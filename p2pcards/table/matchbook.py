"""What a guest makes of disclosed rounds: the audit, the scores, and the record of the match."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from msgspec.structs import replace

from p2pcards.games.match import Match
from p2pcards.games.record import Record, head_text, played_round, round_text
from p2pcards.table.audit import Shown, audit_round
from p2pcards.table.journal import Journal
from p2pcards.table.notices import Audited, Recorded
from p2pcards.table.openround import OpenRound
from p2pcards.table.public import Public
from p2pcards.wire.entries import MatchEnd
from p2pcards.wire.identity import words
from p2pcards.wire.text import table_text

_LATEST_MS = 253_402_300_799_000
"""The end of the year 9999: a host's clock may say anything."""


class MatchBook:
    """The match so far, from what was disclosed alone: nothing in it is taken on the host's word."""

    def __init__(self, journal: Journal, public: Public) -> None:
        self._journal, self._public = journal, public
        self.restart()

    def restart(self) -> None:
        """Forgets everything, as before the journal's first entry."""
        self.match = Match()
        self._rounds: list[str] = []  # as they stand in the record
        self._proved = 0  # entries before it stand in the proof of a round
        self.sealed: tuple[tuple[int, str], ...] = ()  # sealed choices of the last round: index of the entry, text
        self._unsound: Audited | None = None  # the first round of the match that was not in order

    def start(self) -> None:
        """A match begins."""
        self.match = Match.start(self._public.rules, len(self._public.seats))
        self._rounds, self._proved, self._unsound = [], 0, None

    def disclosed(self, ended: OpenRound, last: int, secret: bytes, shown: Mapping[int, Shown]) -> Audited:
        """Audits the round that ended and whose DISCLOSE is entry `last`; takes it into the match if it is sound.

        shown: the views that we were shown, by index. After a round that is not in order no later one of the match can
        be, because starter and scores follow from it.
        """
        rules, self.sealed = self._public.rules, ()
        if self._unsound:
            why = f"round {self._unsound.round} before it was not in order"
            return replace(self._unsound, round=ended.number, why=why)
        if self.match.over:
            self._unsound = self._found(ended, ended.opened_at, "the match was over before it")
            return self._unsound
        audit = audit_round(self._journal, rules, ended.opened_at, last - 1, secret, self.match, shown)
        if audit.bad is not None or audit.outcome is None or audit.dealt is None:
            self._unsound = self._found(ended, ended.opened_at if audit.bad is None else audit.bad, audit.why)
            return self._unsound
        self.sealed = audit.sealed
        self.match = self.match.settle(audit.outcome)
        played = played_round(
            self._public.names,
            audit.dealt,
            audit.opener,
            audit.actions,
            audit.outcome.winners,
            self.match.points,
            tuple(self._journal.wires[self._proved : last + 1]),
        )
        self._rounds.append(round_text(rules, self._public.names, played))
        self._proved = last + 1
        return Audited(ended.number, True)

    def _found(self, ended: OpenRound, bad: int, why: str) -> Audited:
        """The entry is that of its host: it alone deals, and it lets nothing in that it has not checked."""
        books = self._public
        return Audited(ended.number, False, bad, books.nick_of(books.host_at(bad)) or "host", why)

    def ended(self, end: MatchEnd) -> str:
        """The match is over; why the stated result is wrong, empty when it is right."""
        if self._unsound:
            return f"the result of the match can't be checked: round {self._unsound.round} was not in order"
        match = self.match
        if not match.over:
            if not match.round or not (match.endless or self._journal.full):
                return "the match was ended before its end"
            match = match.stop()
        if (end.scores, end.winners) != (match.scores, tuple(match.winners)):
            return "the result of the match is not what its rounds add up to"
        self.match = match
        return ""

    def recorded(self) -> list[Recorded]:
        """The record of the match so far; none before its first sound round.

        It proves itself, so that its first round brings all that happened at the table before: earlier matches, too.
        """
        books = self._public
        if not self._rounds:
            return []
        rules = self.match.game or books.rules
        record = Record(
            rules.name,
            rules.options,
            books.names,
            (),
            datetime.fromtimestamp(min(books.started_ms, _LATEST_MS) / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            books.title,
            table_text(books.match_table),
            {name: level for name, level in zip(books.names, books.levels, strict=True) if level},
            {name: words(key) for name, key in zip(books.names, books.keys, strict=True) if key},
        )
        return [Recorded((head_text(record), *self._rounds))]
