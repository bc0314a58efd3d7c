"""A guest's check, at once, that the cards it is shown are those dealt to it (protocol 6.3, step 6).

During a round a guest has no game state, but it has the leaves, and knows which of them are dealt to it and which the
stock has given out. Every card that comes into its hand must be opened to it as one of these. So the host can tell
nobody a wrong card, be it only until the audit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from p2pcards.cards import DECK, Card, Cards, each, face, size
from p2pcards.errors import ProtocolError
from p2pcards.games.base import Game, Seat, Where
from p2pcards.table.deal import leaf
from p2pcards.table.leaves import Leaf, Opening
from p2pcards.table.openround import OpenRound
from p2pcards.wire.entries import OpenPub


class Openings:
    """What was opened to one guest in one round; it may come again after a reconnect."""

    def __init__(self) -> None:
        self._known: set[Leaf] = set()
        self._up: set[Leaf] = set()
        self._hand: Counter[Card] = Counter()  # the hand last shown
        self._cards: Cards | None = None  # the same, as the view had it
        self._next: Leaf = (0, 0)  # what the stock had given out by then came before it
        self._views: list[tuple[int, set[Leaf], Counter[Card], Leaf]] = []  # index, new to us, hand and next of each

    def laid_open(self, pub: OpenPub) -> None:
        """Cards that everybody saw: none of them is drawn."""
        self._up.update(card[:2] for card in pub.cards)

    def rewind(self, length: int, journal: Openings) -> None:
        """Forgets what views of entry `length` and later ones showed. journal: laid open by what is left of it."""
        while self._views and self._views[-1][0] >= length:
            self._known -= self._views.pop()[1]
        _, _, self._hand, self._next = self._views[-1] if self._views else (0, set[Leaf](), Counter[Card](), (0, 0))
        self._cards = None
        self._up = journal._up

    def take(
        self,
        game: Game[Any, Any, Any],
        current: OpenRound,
        view: Any,
        openings: Iterable[Opening],
        index: int = 0,
    ) -> None:
        """Checks a view's hand and the openings that came with it; raises ProtocolError, and nothing changed.

        index: of the entry that the view is of.
        """
        cards = game.hand(view)
        dealt = {number: deal for number, deal in current.epochs.items() if deal.leaves}
        newest = max(dealt)
        left = newest, len(dealt[newest].cards) - game.stock(view)
        fresh, shown = list[Card](), list[Card]()
        opened = set[Leaf]()
        for epoch, place, salt, card in openings:
            deal = dealt.get(epoch)
            if deal is None or card >= DECK or leaf(deal.table, epoch, place, salt, card) != deal.leaf(place):
                raise ProtocolError("a card that is not the one dealt")
            if (epoch, place) in opened:
                raise ProtocolError("a card opened twice")
            opened.add((epoch, place))
            shown.append(Card(card))
            if (epoch, place) not in self._known:
                self._may_be_ours(game, current, view.seat, (epoch, place), left)
                fresh.append(Card(card))
        hand = self._hand if cards == self._cards else Counter(map(face, each(cards)))
        if shown and any(count > hand[card] for card, count in Counter(shown).items()):
            raise ProtocolError("a card opened that is not in our hand")
        if view.seat is None:
            return
        known = self._hand + Counter(fresh) if fresh else self._hand
        if hand is not known and any(count > known[card] for card, count in hand.items()):
            raise ProtocolError("a card in our hand that was not shown to be dealt to us")
        if size(cards) != view.public.counts[view.seat]:
            raise ProtocolError("a hand that is not of the size that everybody is told")
        self._views.append((index, opened - self._known, hand, left))
        self._known |= opened
        self._hand, self._cards, self._next = hand, cards, left

    def _may_be_ours(
        self, game: Game[Any, Any, Any], current: OpenRound, seat: Seat | None, opened: Leaf, left: Leaf
    ) -> None:
        """A leaf new to us must be dealt to us, or have left the stock since our last view. left: the stock's first."""
        epoch, place = opened
        if epoch == current.first_epoch and current.starter is not None:
            goes = game.layout(current.seats, Seat(current.starter))[place]
            if goes.where is Where.HAND:
                if goes.seat != seat:
                    raise ProtocolError("a card that was dealt to somebody else")
                return
            if goes.where is Where.UNUSED or (opened in self._up and not current.deck):
                raise ProtocolError("a card that nobody can draw")
        if not self._next <= opened < left:
            raise ProtocolError("a card that was not drawn now")
