"""A round played through: from the order of the cards and the acts of the journal to the game's state.

The host folds as it goes and everybody folds at the audit, with this one class, so both judge alike. Answers to a
question (blind choices) are collected and go into the game together, in seat order, when the last one is open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from p2pcards.cards import Card, Cards, face
from p2pcards.errors import IllegalAction, InvalidAction, InvalidCard
from p2pcards.games.base import DEALER, Game, Outcome, Seat, Secrecy, Shuffle
from p2pcards.table.deal import Deal
from p2pcards.table.leaves import Leaves


class RoundFold:
    """One round in progress: `opener` acts first; `given` says for each seat at which entry it last got the turn.

    index: of its DEAL_START; epoch: of the deal.
    """

    def __init__(
        self,
        game: Game[Any, Any, Any],
        deal: Deal,
        seats: int,
        starter: int,
        first: bool,
        index: int,
        epoch: int,
    ) -> None:
        self.game, self.order = game, deal.order
        self.dealt = game.dealt(deal.order, seats, Seat(starter), first)
        self.opener = game.opener(self.dealt, Seat(starter), first)
        self.state = game.position(self.dealt, self.opener, first)
        self.given: dict[int, int] = {}
        self.actions: list[tuple[int, str]] = []  # seat (DEALER for a shuffle), canonical text
        self.turn_at = index  # the entry with which the present turn began
        self.to_act: tuple[int, ...] = ()  # whose turn it is in the game
        self.to_shuffle = b""  # the faces that the dealer is to shuffle now, ascending; none where none is waited for
        self._acting: tuple[int, ...] = ()  # the same, but for the dealer's
        places = game.places(deal.order, seats, Seat(starter), first)
        self.leaves = Leaves(epoch, deal.order, places, self._hands(seats))
        self._turn(index)

    def view(self, seat: int | None) -> Any:
        """What that seat may know."""
        return self.game.view(self.state, None if seat is None else Seat(seat))

    @property
    def outcome(self) -> Outcome | None:
        """How the round ended."""
        return self.game.outcome(self.state)

    def secrecy(self, seat: int, text: str) -> Secrecy:
        """How this act is to be journaled; raises what `act` would raise."""
        action = self.game.parse(text)
        self.game.check(self.view(seat), action)
        return self.game.secrecy(action)

    def asks(self, seat: int) -> bool:
        """Whether what the seat is to do now is the answer to a question, to be given blind."""
        game, view = self.game, self.view(seat)
        return any(game.secrecy(action) is Secrecy.BLIND for action in game.legal_actions(view)[:1])

    def act(self, seat: int, text: str, index: int) -> None:
        """Takes a public act in; raises InvalidAction, InvalidCard or IllegalAction, and nothing changed."""
        self._step(Seat(seat), self.game.parse(text))
        self._follow(seat, index)

    def shuffle(self, order: Sequence[Card], index: int, epoch: int) -> None:
        """Takes the dealer's shuffle in; raises IllegalAction where none is due, or not of these cards."""
        self._step(DEALER, Shuffle(tuple(map(face, order))))
        self.leaves.shuffled(epoch, order)
        self._follow(DEALER, index)

    def card_at(self, epoch: int, place: int) -> Card:
        """The face of the card at that place of the epoch's order."""
        return self.leaves.card_at(epoch, place)

    def answer(self, openings: Mapping[int, str], index: int) -> None:
        """Takes the opened answers of everybody asked in; what is no legal answer counts as the game's default."""
        for seat in sorted(openings):
            try:
                self.act(seat, openings[seat], index)
            except (IllegalAction, InvalidAction, InvalidCard):
                self.act(seat, self.game.questions[0], index)

    def _step(self, seat: Seat, action: Any) -> None:
        self.state = self.game.step(self.state, seat, action)
        self.actions.append((seat, self.game.format(action)))

    def _follow(self, actor: int, index: int) -> None:
        hands = self._hands(len(self.dealt.hands))
        self.leaves.follow(actor, hands, self.game.stock(self.view(None)))
        self._turn(index)

    def _hands(self, seats: int) -> list[Cards]:
        return [self.game.hand(self.view(seat)) for seat in range(seats)]

    def _turn(self, index: int) -> None:
        seen = self.view(None)
        self.to_act = acting = tuple(self.game.to_act(seen))
        self.to_shuffle = bytes(self.game.to_shuffle(seen))
        if acting == (DEALER,):
            return  # a shuffle is part of the turn in which the stock ran out
        if acting != self._acting or not self.game.mid_turn(seen):
            self.turn_at = index
            self.given = dict.fromkeys(acting, index)
        self._acting = acting
