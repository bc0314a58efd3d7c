"""The audit of a round (protocol 6.8).

When R is disclosed everybody can repeat the round: the deck that R and the parts give must be the one that the leaves
bind, and must lead, act by act, to every view this program was shown, to the result in the journal and to the points.
The first entry that doesn't fit is named. It is the host's, whoever signed the act in it: the host alone sees the
cards, and it must refuse what the rules forbid. Chain, signatures and what the commitments to parts and answers open to
were checked entry by entry as they came (`public`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from p2pcards.errors import IllegalAction, InvalidAction, InvalidCard, ProtocolError
from p2pcards.games.base import Dealt, Game, Outcome, Seat, Secrecy
from p2pcards.games.match import Match
from p2pcards.table.audit_deal import DealAudit, Unsound
from p2pcards.table.fold import RoundFold
from p2pcards.table.journal import Journal
from p2pcards.table.leaves import Leaf, opened
from p2pcards.table.openround import deck_piece
from p2pcards.table.sealed import open_choice
from p2pcards.wire.encode import digest, expand, u64
from p2pcards.wire.entries import (
    DealOpen,
    DealReveal,
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
        except (Unsound, ProtocolError) as error:
            return repeat.found(index, str(error))
        if repeat.fold and index in shown:
            view = game.encode_view(repeat.fold.view(shown[index].seat))
            if shown_digest(journal.table, index, view) != shown[index].digest:
                return repeat.found(index, "we were shown something else")
    return repeat.found(None, "")


class _Repeat:
    """A round on its way through the audit."""

    def __init__(self, journal: Journal, game: Game[Any, Any, Any], first: int, secret: bytes, match: Match) -> None:
        opening = decode_pub(EntryKind.DEAL_OPEN, journal.entries[first].pub)
        if not isinstance(opening, DealOpen):
            raise TypeError("no DEAL_OPEN there")
        self._journal, self._game, self._secret, self._match = journal, game, secret, match
        self._opening = opening
        self._deal = DealAudit(journal.table, secret, opening)
        self._to_open: tuple[Leaf, ...] = ()  # cards dealt face up, which the next entry must lay open
        self._laid_open = 0  # so many cards of the deck lie open to everybody
        self._answers: dict[int, str] = {}  # opened answers to the present question
        self._by_bots: set[int] = set()  # seats whose answer to it a bot committed to
        self._sealed: list[tuple[int, str]] = []
        self.fold: RoundFold | None = None

    def found(self, index: int | None, why: str) -> Audit:
        """The result, as far as the round was repeated."""
        fold = self.fold
        sealed = tuple(self._sealed)
        if fold is None:
            return Audit(index, why, None, Seat(0), (), sealed, None)
        return Audit(index, why, fold.dealt, fold.opener, tuple(fold.actions), sealed, fold.outcome)

    def take(self, entry: Entry) -> None:
        """Takes the next entry in; raises Unsound where it is not in order."""
        if self._to_open and entry.kind is not EntryKind.OPEN:
            raise Unsound("cards dealt face up were not laid open")
        match entry.kind:
            case EntryKind.DEAL_OPEN | EntryKind.DEAL_REVEAL | EntryKind.DEAL_START:
                self._dealt(entry, decode_pub(entry.kind, entry.pub))
            case EntryKind.OPEN if self.fold:
                self._opened(self.fold, decode_pub(entry.kind, entry.pub))
            case EntryKind.ACT | EntryKind.SEALED if self.fold:
                self._act(self.fold, entry)
            case EntryKind.BLIND | EntryKind.OPENING if self.fold:
                self._answer(self.fold, entry)
            case EntryKind.ROUND_END if self.fold:
                self._end(self.fold, decode_pub(entry.kind, entry.pub))

    # ---- cards

    def _dealt(self, entry: Entry, pub: object) -> None:
        if isinstance(pub, DealOpen):
            if self.fold is None:
                self._deal.check_secret()
            elif not self.fold.to_shuffle or pub.cards != self.fold.to_shuffle:
                raise Unsound("a shuffle that was not due, or of other cards")
            self._deal.open(pub.cards)
        elif isinstance(pub, DealReveal):
            self._deal.reveal(pub)
        elif isinstance(pub, DealStart):
            self._start(entry, pub)

    def _start(self, entry: Entry, pub: DealStart) -> None:
        deal = self._deal.shuffled(entry.epoch)
        self._deal.check_leaves(entry.epoch, deal, pub)
        if self.fold:
            self.fold.shuffle(deal.order, entry.index, entry.epoch)
            return
        starter, seats = self._match.starter(deal.lot), len(self._opening.seats)
        if pub.starter != starter:
            raise Unsound("another seat had to start")
        self.fold = RoundFold(self._game, deal, seats, starter, self._match.first, entry.index, entry.epoch)
        self._to_open = self.fold.leaves.up

    def _opened(self, fold: RoundFold, pub: object) -> None:
        """The cards dealt face up, or else the deck, piece by piece; whether the table allows this, the books know."""
        due, self._to_open = self._to_open, ()
        if not due:
            due = tuple(deck_piece(self._opening.epoch, self._laid_open, len(fold.order)))
            self._laid_open += len(due)
        if not isinstance(pub, OpenPub) or pub.cards != opened(fold, self._secret, due):
            raise Unsound("other cards were laid open than were to be")

    # ---- acts

    def _act(self, fold: RoundFold, entry: Entry) -> None:
        said = decode_envelope(entry.pub)
        if fold.to_shuffle:
            raise Unsound("an act where a shuffle was due")
        if said.seen_index < fold.given.get(entry.seat, 0):
            raise Unsound("an act kept back from an earlier turn")
        text = said.payload.decode() if entry.kind is EntryKind.ACT else self._choice(entry, said.n, said.payload)
        if entry.flags is EntryFlag.TIME and not self._is_default(fold, entry.seat, text):
            raise Unsound("not what is played when the time is up")
        try:
            fold.act(entry.seat, text, entry.index)
        except (IllegalAction, InvalidAction, InvalidCard) as error:
            raise Unsound(f"an act that the rules forbid: {error}") from error

    def _is_default(self, fold: RoundFold, seat: int, text: str) -> bool:
        return seat in fold.to_act and text == self._game.format(self._game.default(fold.view(seat)))

    def _choice(self, entry: Entry, n: int, committed: bytes) -> str:
        """What was sealed into the entry; it must be what its seat committed to."""
        salt, body = open_choice(self._secret, entry.term, entry.index, entry.sealed)
        if choice_commitment(self._journal.table, entry.epoch, entry.seat, n, salt, body) != committed:
            raise Unsound("a sealed choice that is not the one committed to")
        text = body.decode("utf-8", "replace")
        if not self._is_hidden(text):
            raise Unsound("a sealed choice that is none")
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
        said, seat = decode_envelope(entry.pub), entry.seat
        if not fold.asks(seat):
            raise Unsound("an answer to no question")
        if entry.kind is EntryKind.OPENING:
            if entry.flags is EntryFlag.TIME and seat in self._by_bots:
                raise Unsound("a bot's answer was held back")
            self._answers[seat] = unpack_opening(said.payload)[2].decode("utf-8", "replace")
        elif said.seen_index < fold.given[seat]:
            raise Unsound("an answer kept back from an earlier turn")
        elif entry.flags is EntryFlag.BOT:
            self._by_bots.add(seat)
            self._check_bot(fold, entry, said.payload)
        if self._answers.keys() == set(fold.to_act):
            fold.answer(self._answers, entry.index)
            self._answers, self._by_bots = {}, set()

    def _check_bot(self, fold: RoundFold, entry: Entry, committed: bytes) -> None:
        """A bot's answer is one that it may give; its salt follows from R, so that nothing else can be opened."""
        salt = expand(self._secret, "bot salt", u64(entry.index))
        table, game = self._journal.table, self._game
        for action in game.legal_actions(fold.view(entry.seat)):
            body = game.format(action).encode()
            if choice_commitment(table, entry.epoch, entry.seat, 0, salt, body) == committed:
                return
        raise Unsound("a bot's answer that it may not give")

    def _end(self, fold: RoundFold, ended: object) -> None:
        outcome = fold.outcome
        if outcome is None or not isinstance(ended, RoundEnd):
            raise Unsound("the round was not over")
        points = self._match.settle(outcome).points
        if (ended.reason, ended.winners, ended.points) != (outcome.reason, tuple(outcome.winners), points):
            raise Unsound("another result")
