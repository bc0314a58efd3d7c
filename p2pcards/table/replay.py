"""A round repeated from its journal and its secret, entry by entry (protocol 6.8).

When R is disclosed everybody repeats the round, to audit it; and a new host that has opened R from shares repeats what
there is of it, to go on (`succession`). Both take the same steps in the same order, so what a new host goes on from is
what the audit will come to. `Unsound` says what is not in order; it is the host's fault, whoever signed the act: the
host alone sees the cards, and it must refuse what the rules forbid. Chain, signatures and what the commitments to parts
and answers open to were checked entry by entry as they came (`public`).
"""

from __future__ import annotations

from typing import Any

from p2pcards.errors import IllegalAction, InvalidAction, InvalidCard
from p2pcards.games.base import Game, Secrecy
from p2pcards.games.match import Match
from p2pcards.table.audit_deal import DealAudit, Unsound
from p2pcards.table.fold import RoundFold
from p2pcards.table.journal import Journal
from p2pcards.table.leaves import Leaf, opened
from p2pcards.table.openround import deck_piece
from p2pcards.table.sealed import open_choice
from p2pcards.wire.encode import expand, u64
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

_PLAY = frozenset(
    {
        EntryKind.DEAL_OPEN,
        EntryKind.ACT,
        EntryKind.SEALED,
        EntryKind.BLIND,
        EntryKind.OPENING,
        EntryKind.ROUND_END,
    }
)
"""What may not follow a deal before the cards that it turns up are opened."""


class Replay:
    """What a round has come to so far. match: as it stood before the round; first: index of its DEAL_OPEN."""

    def __init__(self, journal: Journal, game: Game[Any, Any, Any], first: int, secret: bytes, match: Match) -> None:
        opening = decode_pub(EntryKind.DEAL_OPEN, journal.entries[first].pub)
        if not isinstance(opening, DealOpen):
            raise TypeError("no DEAL_OPEN there")
        self._journal, self._game, self._secret, self._match = journal, game, secret, match
        self._opening = opening
        self._deal = DealAudit(journal.table_at(first), secret, opening)
        self._laid_open = 0  # so many cards of the deck lie open to everybody
        self._answers: dict[int, str] = {}  # opened answers to the present question
        self._by_bots: set[int] = set()  # seats whose answer to it a bot committed to
        self.fold: RoundFold | None = None  # none until the cards are dealt
        self.to_open: tuple[Leaf, ...] = ()  # cards dealt face up, to be laid open before anybody plays
        self.sealed: list[tuple[int, str]] = []  # index of each sealed choice, and what it was

    def take(self, entry: Entry) -> None:
        """Takes the next entry in; raises Unsound where it is not in order."""
        if self.to_open and entry.kind in _PLAY:
            raise Unsound("cards dealt face up were not laid open")
        match entry.kind:
            case EntryKind.DEAL_OPEN | EntryKind.DEAL_REVEAL | EntryKind.DEAL_START:
                self._dealing(entry, decode_pub(entry.kind, entry.pub))
            case EntryKind.OPEN if self.fold:
                self._opened(self.fold, decode_pub(entry.kind, entry.pub))
            case EntryKind.ACT | EntryKind.SEALED if self.fold:
                self._act(self.fold, entry)
            case EntryKind.BLIND | EntryKind.OPENING if self.fold:
                self._answer(self.fold, entry)
            case EntryKind.ROUND_END if self.fold:
                self._end(self.fold, decode_pub(entry.kind, entry.pub))

    # ---- cards

    def _dealing(self, entry: Entry, pub: object) -> None:
        if isinstance(pub, DealOpen):
            if self.fold is None:
                self._deal.check_secret()
            elif not self.fold.to_shuffle or pub.cards != self.fold.to_shuffle:
                raise Unsound("a shuffle that was not due, or of other cards")
            self._deal.open(pub.cards, self._journal.table_at(entry.index))
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
        self.to_open = self.fold.leaves.up

    def _opened(self, fold: RoundFold, pub: object) -> None:
        """The cards dealt face up, or else the deck, piece by piece; whether the table allows this, the books know."""
        due, self.to_open = self.to_open, ()
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
        if choice_commitment(self._journal.table_at(entry.index), entry.epoch, entry.seat, n, salt, body) != committed:
            raise Unsound("a sealed choice that is not the one committed to")
        text = body.decode("utf-8", "replace")
        if not self._is_hidden(text):
            raise Unsound("a sealed choice that is none")
        self.sealed.append((entry.index, text))
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
        table, game = self._journal.table_at(entry.index), self._game
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
