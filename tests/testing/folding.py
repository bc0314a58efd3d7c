"""A round played at random through the host's fold, with the leaves that the journal would bind its cards by."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from p2pcards.cards import Card, each, face
from p2pcards.games.base import DEALER, Game, Seat
from p2pcards.table.deal import deal_from, faces, leaves
from p2pcards.table.fold import RoundFold
from p2pcards.table.leaves import Leaf, Opening, opened
from p2pcards.table.openround import EpochDeal, OpenRound
from tests.testing.dice import dice

TABLE = bytes(range(16))
EPOCH = 300  # e0
STARTED = 5  # index of DEAL_START


class Folding:
    """One round under way; `step` plays on. draws: how gladly everybody draws, of 10."""

    def __init__(
        self, game: Game[Any, Any, Any], seats: int, seed: int | str, *, first: bool = True, draws: int = 3
    ) -> None:
        self.game, self.seats, self._draws = game, seats, draws
        self.rng: random.Random = dice(seed)
        self.secret = self.rng.randbytes(32)
        cards = faces(game.decks())
        deal = deal_from(TABLE, EPOCH, self.secret, cards, seats)
        self.starter = game.starter(None, seats, deal.lot)
        self.orders: dict[int, tuple[Card, ...]] = {}
        self.books = OpenRound(1, EPOCH, 1, seats, b"", (), 0, (), starter=self.starter, started_at=STARTED)
        self._bind(EPOCH, cards, deal.order)
        self.index = STARTED
        self.fold = RoundFold(game, deal, seats, self.starter, first, self.index, EPOCH)

    def _bind(self, epoch: int, cards: bytes, order: tuple[Card, ...]) -> None:
        self.orders[epoch] = order
        bound = leaves(TABLE, epoch, self.secret, order)
        self.books.epochs[epoch] = EpochDeal(cards, (), (), 0, leaves=bound, table=TABLE)

    @property
    def newest(self) -> int:
        """The epoch of the last shuffle."""
        return max(self.orders)

    def step(self) -> bool:
        """Plays one act at random, all answers to a question, or the shuffle; False where the round is over."""
        fold, self.index = self.fold, self.index + 1
        acting = fold.to_act
        if acting == (DEALER,):
            self._shuffle()
        elif len(acting) > 1 or (acting and fold.asks(acting[0])):
            fold.answer({seat: self._choice(seat) for seat in acting}, self.index)
        elif acting:
            fold.act(acting[0], self._choice(acting[0]), self.index)
        if fold.to_shuffle:
            self.books.epochs[self.newest + 1] = EpochDeal(fold.to_shuffle, (), (), 0, table=TABLE)
        return bool(acting)

    def _shuffle(self) -> None:
        epoch, cards = self.newest + 1, self.fold.to_shuffle
        deal = deal_from(TABLE, epoch, self.secret, cards, self.seats)
        self._bind(epoch, cards, deal.order)
        self.fold.shuffle(deal.order, self.index, epoch)

    def _choice(self, seat: int) -> str:
        texts = [self.game.format(action) for action in self.game.legal_actions(self.fold.view(seat))]
        if "draw" in texts and self.rng.randrange(10) < self._draws:
            return "draw"
        return texts[self.rng.randrange(len(texts))]

    def hand(self, seat: int) -> Counter[Card]:
        """The faces in a hand."""
        return Counter(map(face, each(self.game.hand(self.fold.view(seat)))))

    def openings(self, seat: int, start: int = 0) -> tuple[Opening, ...]:
        """What the host would show the seat, leaving out so many of the first leaves it got."""
        return opened(self.fold, self.secret, self.fold.leaves.held(seat, start))

    def got(self) -> list[list[Leaf]]:
        """The leaves that each seat was dealt or drew."""
        return [list(self.fold.leaves.of(Seat(seat))) for seat in range(self.seats)]
