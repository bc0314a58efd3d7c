"""The audit of a round (protocol 6.8, as far as the plain deal goes).

When R is disclosed everybody can repeat the round: the deck that R gives must lead, act by act, to every view this
program was shown, to the result in the journal and to the points. The first entry that doesn't fit is named. It is the
host's, whoever signed the act in it: the host alone sees the cards, and it must refuse what the rules forbid. Chain,
signatures and the commitment to R were checked entry by entry as they came.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from p2pcards.cards import face
from p2pcards.errors import IllegalAction, InvalidAction, InvalidCard, P2PCardsError, ProtocolError
from p2pcards.games.base import Dealt, Game, Outcome, Seat, Secrecy
from p2pcards.games.match import Match
from p2pcards.table.deal import deal_from
from p2pcards.table.fold import RoundFold
from p2pcards.table.journal import Journal
from p2pcards.table.sealed import open_choice
from p2pcards.wire.encode import digest, u64
from p2pcards.wire.entries import (
    DealOpen,
    DealStart,
    Entry,
    EntryFlag,
    EntryKind,
    OpenPub,
    RoundEnd,
    decode_pub,
)
from p2pcards.wire.envelope import choice_commitment, decode_envelope, unpack_opening


class Audit(Struct, frozen=True):
    """What the audit of a round came to. bad: index of the first bad entry, None when all is well."""

    bad: int | None
    why: str
    dealt: Dealt | None  # None where not even the deal was in order
    opener: Seat
    actions: tuple[tuple[int, str], ...]  # seat (DEALER for a shuffle), canonical text, as far as they were good
    sealed: tuple[tuple[int, str], ...]  # index of each sealed choice, and what it was
    outcome: Outcome | None


class _Unsound(P2PCardsError):
    """The entry that is looked at is not in order; says why."""


class Shown(Struct, frozen=True):
    """A view that a guest was shown. seat: whose (None: a spectator's); digest: see `shown_digest`."""

    seat: int | None
    digest: bytes


def shown_digest(table: bytes, index: int, view: bytes) -> bytes:
    """What a guest keeps of a view it was shown."""
    return digest("view", table, u64(index), view)


def audit_round(
    journal: Journal,
    game: Game[Any, Any, Any],
    first: int,
    last: int,
    secret: bytes,
    match: Match,
    shown: Mapping[int, Shown],
) -> Audit:
    """Repeats the round whose DEAL_OPEN is entry `first` and whose ROUND_END is entry `last`.

    match: as it stood before the round. shown: the views that we were shown, by index.
    """
    repeat = _Repeat(journal, game, first, secret, match)
    for index in range(first, last + 1):
        try:
            repeat.take(journal.entries[index])
        except (_Unsound, ProtocolError) as error:
            return repeat.found(index, str(error))
        if repeat.fold and index in shown:
            view = game.encode_view(repeat.fold.view(shown[index].seat))
            if shown_digest(journal.table, index, view) != shown[index].digest:
                return repeat.found(index, "we were shown something else")
    return repeat.found(None, "")


class _Repeat:
    """A round on its way through the audit."""

    def __init__(self, journal: Journal, game: Game[Any, Any, Any], first: int, secret: bytes, match: Match) -> None:
        opened = decode_pub(EntryKind.DEAL_OPEN, journal.entries[first].pub)
        if not isinstance(opened, DealOpen):
            raise TypeError("no DEAL_OPEN there")
        self._journal, self._game, self._secret, self._match = journal, game, secret, match
        self._seats = len(opened.seats)
        self._deal = deal_from(journal.table, opened.epoch, secret, opened.cards, self._seats)
        self._shuffle: DealOpen | None = None
        self._openings: dict[int, str] = {}
        self._sealed: list[tuple[int, str]] = []
        self._begun = match.starter(self._deal.lot)
        self.fold: RoundFold | None = None

    def found(self, index: int | None, why: str) -> Audit:
        """The result, as far as the round was repeated."""
        fold = self.fold
        sealed = tuple(self._sealed)
        if fold is None:
            return Audit(index, why, None, self._begun, (), sealed, None)
        return Audit(index, why, fold.dealt, fold.opener, tuple(fold.actions), sealed, fold.outcome)

    def take(self, entry: Entry) -> None:
        """Takes the next entry in; raises _Unsound where it is not in order."""
        match entry.kind:
            case EntryKind.DEAL_OPEN if self.fold:
                self._reshuffle(self.fold, entry)
            case EntryKind.DEAL_START:
                self._start(entry)
            case EntryKind.OPEN:
                self._opened(decode_pub(entry.kind, entry.pub))
            case EntryKind.ACT | EntryKind.SEALED if self.fold:
                self._act(self.fold, entry)
            case EntryKind.BLIND | EntryKind.OPENING if self.fold:
                self._answer(self.fold, entry)
            case EntryKind.ROUND_END if self.fold:
                self._end(self.fold, decode_pub(entry.kind, entry.pub))

    def _start(self, entry: Entry) -> None:
        start = decode_pub(entry.kind, entry.pub)
        if self._shuffle and self.fold:
            deal = deal_from(self._journal.table, entry.epoch, self._secret, self._shuffle.cards, self._seats)
            self.fold.shuffle(deal.order, entry.index)
            self._shuffle = None
            return
        if not isinstance(start, DealStart) or start.starter != self._begun:
            raise _Unsound("another seat had to start")
        self.fold = RoundFold(self._game, self._deal, self._seats, self._begun, self._match.first, entry.index)

    def _reshuffle(self, fold: RoundFold, entry: Entry) -> None:
        opened = decode_pub(entry.kind, entry.pub)
        if not isinstance(opened, DealOpen) or not fold.to_shuffle or opened.cards != fold.to_shuffle:
            raise _Unsound("a shuffle that was not due, or of other cards")
        self._shuffle = opened

    def _opened(self, pub: object) -> None:
        if not isinstance(pub, OpenPub) or [card[3] for card in pub.cards] != [face(card) for card in self._deal.order]:
            raise _Unsound("another deck was laid open")

    def _act(self, fold: RoundFold, entry: Entry) -> None:
        said = decode_envelope(entry.pub)
        if fold.to_shuffle:
            raise _Unsound("an act where a shuffle was due")
        if said.seen_index < fold.given.get(entry.seat, 0):
            raise _Unsound("an act kept back from an earlier turn")
        text = said.payload.decode() if entry.kind is EntryKind.ACT else self._choice(entry, said.n, said.payload)
        if entry.flags is EntryFlag.TIME and not self._is_default(fold, entry.seat, text):
            raise _Unsound("not what is played when the time is up")
        try:
            fold.act(entry.seat, text, entry.index)
        except (IllegalAction, InvalidAction, InvalidCard) as error:
            raise _Unsound(f"an act that the rules forbid: {error}") from error

    def _is_default(self, fold: RoundFold, seat: int, text: str) -> bool:
        return seat in fold.to_act and text == self._game.format(self._game.default(fold.view(seat)))

    def _choice(self, entry: Entry, n: int, committed: bytes) -> str:
        """What was sealed into the entry; it must be what its seat committed to."""
        salt, body = open_choice(self._secret, entry.term, entry.index, entry.sealed)
        if choice_commitment(self._journal.table, entry.epoch, entry.seat, n, salt, body) != committed:
            raise _Unsound("a sealed choice that is not the one committed to")
        text = body.decode("utf-8", "replace")
        if not self._is_hidden(text):
            raise _Unsound("a sealed choice that is none")
        self._sealed.append((entry.index, text))
        return text

    def _is_hidden(self, text: str) -> bool:
        """Whether this is the canonical text of an action that is to be sealed."""
        try:
            action = self._game.parse(text)
        except (InvalidAction, InvalidCard):
            return False
        return self._game.secrecy(action) is Secrecy.SEALED and self._game.format(action) == text

    def _answer(self, fold: RoundFold, entry: Entry) -> None:
        said = decode_envelope(entry.pub)
        if not fold.asks(entry.seat):
            raise _Unsound("an answer to no question")
        if entry.kind is EntryKind.OPENING:
            self._openings[entry.seat] = unpack_opening(said.payload)[2].decode("utf-8", "replace")
        elif said.seen_index < fold.given[entry.seat]:
            raise _Unsound("an answer kept back from an earlier turn")
        if self._openings.keys() == set(fold.to_act):
            fold.answer(self._openings, entry.index)
            self._openings = {}

    def _end(self, fold: RoundFold, ended: object) -> None:
        outcome = fold.outcome
        if outcome is None or not isinstance(ended, RoundEnd):
            raise _Unsound("the round was not over")
        points = self._match.settle(outcome).points
        if (ended.reason, ended.winners, ended.points) != (outcome.reason, tuple(outcome.winners), points):
            raise _Unsound("another result")
