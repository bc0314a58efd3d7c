"""A match written by an honest hand: entries that go through every audit, whoever hosts in between."""

from __future__ import annotations

import random
from collections.abc import Callable

from p2pcards.games.base import DEALER, Secrecy
from p2pcards.games.match import Match
from p2pcards.games.registry import GAMES
from p2pcards.table.deal import deal_from, faces, leaves
from p2pcards.table.fold import RoundFold
from p2pcards.table.leaves import opened
from p2pcards.table.matchbook import MatchBook
from p2pcards.table.notices import Audited
from p2pcards.table.public import Public
from p2pcards.table.sealed import seal_choice
from p2pcards.wire.encode import expand, u64
from p2pcards.wire.entries import (
    DealOpen,
    DealStart,
    Disclose,
    EntryFlag,
    EntryKind,
    MatchStart,
    OpenPub,
    RoundEnd,
    SeatKind,
    decode_pub,
)
from p2pcards.wire.envelope import ActKind, choice_commitment, pack_opening
from p2pcards.wire.fields import NO_SEAT
from tests.testing import deals
from tests.testing.cluster import identity
from tests.testing.dice import dice
from tests.testing.forge import NAMES, Forge, bot, member, roster

_OPTIONS = {"onecard": (("cards", "6"), ("decks", "1"), ("rounds", "3"))}


class Written:
    """A table of ana, ben and cy (and a bot where four must sit); the host has no seat. Every entry is folded at once.

    book: what a reader audits and records. draws: how gladly everybody draws, of 10.
    """

    def __init__(self, game: str, seed: int, draws: int = 3) -> None:
        self.rng: random.Random = dice(seed)
        self.draws = draws
        self.alone = False  # the host deals without anybody's part
        self.forge = forge = Forge()
        self.public = Public(forge.journal)
        self.book = MatchBook(forge.journal, self.public)
        self.audits: list[Audited] = []
        self._folded = 0
        seats = [*map(member, NAMES), *([] if game == "tongits" else [bot()])]
        forge.genesis(game=game, rules=GAMES[game].rules)
        forge.options(options=_OPTIONS.get(game, ()))
        forge.entry(EntryKind.ROSTER, roster(*seats))
        forge.entry(EntryKind.MATCH_START, MatchStart(1, tuple(range(len(seats)))))
        self.read()
        self.match = Match.start(self.public.rules, len(seats))
        self.fold: RoundFold | None = None
        self.secret = b""

    def read(self) -> None:
        """Everybody folds what was written."""
        entries = self.forge.journal.entries
        for entry in entries[self._folded :]:
            current = self.public.round
            body = self.public.fold(entry)
            if isinstance(body, MatchStart):
                self.book.start()
            elif isinstance(body, Disclose) and current:
                self.audits.append(self.book.disclosed(current, entry.index, body.secret, {}))
        self._folded = len(entries)

    # ---- the deal

    def deal(self) -> None:
        """A round begins; who has a seat and is not the host adds a part."""
        forge, books = self.forge, self.public
        self.secret = self.rng.randbytes(32)
        self.open_deal(faces(books.rules.decks()))
        deal = deal_from(books.table, books.epoch, self.secret, faces(books.rules.decks()), self._seats, forge.parts)
        starter = self.match.starter(deal.lot)
        bound = leaves(books.table, books.epoch, self.secret, deal.order)
        forge.entry(EntryKind.DEAL_START, DealStart(starter, bound))
        self.read()
        at = forge.journal.last
        self.fold = RoundFold(books.rules, deal, self._seats, starter, self.match.first, at, books.epoch)
        self.turn_up()

    def open_deal(self, cards: bytes) -> None:
        """DEAL_OPEN, DEAL_COMMIT and DEAL_REVEAL."""
        forge, books = self.forge, self.public
        first = books.round
        asked = tuple(
            seat
            for seat, held in enumerate(books.seats)
            if not self.alone
            and held.kind is SeatKind.MEMBER
            and held.key != books.host
            and books.drops.get(held.key, 0) < 2
        )
        forge.parts = {}
        if first is None:
            number = books.round_number + 1
            pub = deals.opened(
                books.table,
                books.epoch + 1,
                self.secret,
                books.voters,
                books.host,
                round=number,
                seats=self._seats,
                contributors=asked,
                cards=cards,
            )
        else:
            opening = decode_pub(EntryKind.DEAL_OPEN, forge.journal.entries[first.opened_at].pub)
            assert isinstance(opening, DealOpen)
            places = (opening.round, opening.epoch, opening.seats, asked, opening.holders, opening.threshold)
            pub = DealOpen(*places, cards, opening.root, opening.shares)
        forge.entry(EntryKind.DEAL_OPEN, pub)
        self.read()
        if asked:
            forge.n = {name: books.said.get(identity(name).key, 0) for name in NAMES}
            parts = {seat: self.rng.randbytes(32) for seat in asked}
            forge.deal_commit(parts)
            forge.deal_reveal(parts)
            self.read()

    def turn_up(self) -> None:
        """The cards of the deal that lie face up are opened."""
        fold = self._round
        if fold.leaves.up:
            shown = OpenPub(opened(fold, self.secret, fold.leaves.up))
            self.forge.entry(EntryKind.OPEN, shown)
            self.read()

    def shuffle(self) -> None:
        """The discards are shuffled anew."""
        fold, forge, books = self._round, self.forge, self.public
        cards = fold.to_shuffle
        self.open_deal(cards)
        deal = deal_from(books.table, books.epoch, self.secret, cards, self._seats, forge.parts)
        bound = leaves(books.table, books.epoch, self.secret, deal.order)
        forge.entry(EntryKind.DEAL_START, DealStart(NO_SEAT, bound))
        self.read()
        fold.shuffle(deal.order, forge.journal.last, books.epoch)

    # ---- the round

    def step(self) -> bool:
        """One act at random, all answers to a question, or a shuffle; False where the round is over."""
        fold = self._round
        if fold.outcome is not None:
            return False
        if fold.to_act == (DEALER,):
            self.shuffle()
        elif fold.asks(fold.to_act[0]):
            self.answer()
        else:
            self.act(fold.to_act[0])
        return True

    def act(self, seat: int) -> None:
        """A public act or a sealed choice."""
        fold, forge, books = self._round, self.forge, self.public
        text = self.choice(seat)
        if fold.secrecy(seat, text) is Secrecy.PUBLIC:
            self._says(seat, ActKind.ACT, text.encode())
        else:
            n, salt = self._n(seat), self._salt(seat)
            committed = choice_commitment(books.table, books.epoch, seat, n, salt, text.encode())
            index = len(forge.journal)
            sealed = seal_choice(self.secret, books.term, index, salt, text.encode())
            self._says(seat, ActKind.SEALED, committed, sealed)
        fold.act(seat, text, forge.journal.last)

    def answer(self, between: Callable[[], object] = bool) -> None:
        """Everybody asked commits to an answer and opens it; between: what happens before they do."""
        fold, books = self._round, self.public
        given: dict[int, tuple[int, bytes, str]] = {}
        asked = fold.to_act
        for seat in asked:
            n, salt, text = self._n(seat), self._salt(seat), self.choice(seat)
            given[seat] = n, salt, text
            committed = choice_commitment(books.table, books.epoch, seat, n, salt, text.encode())
            self._says(seat, ActKind.BLIND, committed)
        between()
        for seat, (n, salt, text) in given.items():
            self._says(seat, ActKind.OPENING, pack_opening(n, salt, text.encode()))
        fold.answer({seat: text for seat, (_, _, text) in given.items()}, self.forge.journal.last)

    def choice(self, seat: int) -> str:
        """Something legal."""
        game = self.public.rules
        texts = [game.format(action) for action in game.legal_actions(self._round.view(seat))]
        if "draw" in texts and self.rng.randrange(10) < self.draws:
            return "draw"
        return texts[self.rng.randrange(len(texts))]

    def end(self) -> None:
        """The round is played to its end, and disclosed."""
        while self.step():
            pass
        outcome = self._round.outcome
        assert outcome is not None
        self.match = self.match.settle(outcome)
        number = self.public.round_number
        ended = RoundEnd(number, outcome.reason, tuple(outcome.winners), self.match.points)
        self.forge.entry(EntryKind.ROUND_END, ended)
        self.forge.entry(EntryKind.DISCLOSE, Disclose(number, self.secret))
        self.fold = None
        self.read()

    def record(self) -> str:
        """The record so far."""
        (recorded,) = self.book.recorded()
        return recorded.text

    # ---- pens

    @property
    def _seats(self) -> int:
        return len(self.public.seats)

    @property
    def _round(self) -> RoundFold:
        assert self.fold is not None
        return self.fold

    def _n(self, seat: int) -> int:
        held = self.public.seats[seat]
        return self.public.said.get(held.key, 0) + 1 if self.public.plays_itself(seat) else 0

    def _salt(self, seat: int) -> bytes:
        if self.public.plays_itself(seat):
            return self.rng.randbytes(32)
        return expand(self.secret, "bot salt", u64(len(self.forge.journal)))

    def _says(self, seat: int, kind: ActKind, payload: bytes, sealed: bytes = b"") -> None:
        forge = self.forge
        said = forge.envelope(seat, self._n(seat), kind, payload)
        own = self.public.plays_itself(seat)
        forge.entry(
            EntryKind[kind.name],
            said,
            seat=seat,
            flags=EntryFlag.ACTSIG if own else EntryFlag.BOT,
            actsig=identity(NAMES[seat]).sign(said) if own else b"",
            sealed=sealed,
        )
        self.read()
