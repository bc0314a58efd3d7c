"""Rounds of Tong-its from text: hands of any size, actions as in records."""

from __future__ import annotations

from typing import Any

from p2pcards.cards import ACE_LOW, Cards, cards_of, deck, format_cards
from p2pcards.errors import IllegalAction
from p2pcards.games.base import Dealt, Outcome, Seat
from p2pcards.games.options import convert_options
from p2pcards.games.tongits.rules import TongIts
from p2pcards.games.tongits.state import Public, State

NAMES = "ABC"


def cards(text: str) -> Cards:
    """The set of these cards."""
    return cards_of(ACE_LOW.parse_all(text))


class Round:
    """Players A, B and C; A starts. Without a stock, five cards that nobody holds are drawn from."""

    def __init__(self, a: str, b: str, c: str, stock: str = "", starter: str = "A", **options: Any) -> None:
        self.game = TongIts(convert_options(TongIts, options))
        hands = tuple(map(cards, (a, b, c)))
        held = hands[0] | hands[1] | hands[2]
        spare = tuple(card for card in deck() if not held >> card & 1)[:5]
        dealt = Dealt(hands, ACE_LOW.parse_all(stock) or spare)
        self.state = self.game.position(dealt, _seat(starter))

    def play(self, *lines: str) -> Round:
        """`A draw`, `A discard KD`, …: each must be legal."""
        for line in lines:
            self.state = self._after(line)
        return self

    def refused(self, line: str) -> str:
        """The code of the refusal and its details; fails when the action is legal."""
        before = self.state
        try:
            self._after(line)
        except IllegalAction as refusal:
            assert self.state == before
            return " ".join((refusal.code.value, *refusal.detail))
        raise AssertionError(f"{line} is legal")

    def legal(self, name: str) -> list[str]:
        """Every legal action, each of them checked."""
        view = self.game.view(self.state, _seat(name))
        actions = list(self.game.legal_actions(view))
        for action in actions:
            self.game.check(view, action)
        return list(map(self.game.format, actions))

    @property
    def public(self) -> Public:
        """What all see."""
        return self.state.public

    @property
    def to_act(self) -> str:
        """Whose turn it is."""
        return "".join(NAMES[seat] for seat in self.game.to_act(self.game.view(self.state, None)))

    @property
    def outcome(self) -> Outcome:
        """How it ended; fails while it is open."""
        outcome = self.game.outcome(self.state)
        assert outcome is not None
        return outcome

    @property
    def winner(self) -> str:
        """Reason and winners: `call B`."""
        return f"{self.outcome.reason} {''.join(NAMES[seat] for seat in self.outcome.winners)}"

    def hand(self, name: str) -> str:
        """The hand's canonical text."""
        return format_cards(ACE_LOW, self.state.hands[_seat(name)])

    def melds(self) -> list[str]:
        """Owner and cards of every exposed meld."""
        return [f"{NAMES[meld.owner]}: {format_cards(ACE_LOW, meld.cards)}" for meld in self.public.melds]

    def shown(self) -> list[str]:
        """Name and points of everybody whose hand was compared."""
        return [f"{NAMES[seat]} {points}" for seat, _, points in self.public.shown]

    def _after(self, line: str) -> State:
        name, _, text = line.partition(" ")
        return self.game.step(self.state, _seat(name), self.game.parse(text))


def _seat(name: str) -> Seat:
    return Seat(NAMES.index(name))
