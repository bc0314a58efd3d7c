"""Rounds of One Card from text: hands of any size, piles as they lie, actions as in records."""

from __future__ import annotations

from typing import Any

from p2pcards.cards import ACE_LOW, DECK, Cards, cards_of, format_cards
from p2pcards.errors import IllegalAction
from p2pcards.games.base import DEALER, Dealt, Outcome, Seat
from p2pcards.games.onecard import OneCard
from p2pcards.games.onecard.pack import held
from p2pcards.games.onecard.state import Public, State
from p2pcards.games.options import convert_options

NAMES = "ABCDEFGH"
STOCK = "4C 5C 6C 8C 9C TC KC AC 4D 5D 6D 8D"
"""Cards without an effect."""


def cards(text: str) -> Cards:
    """The hand of these cards."""
    return held(ACE_LOW.parse_all(text))


class Round:
    """Players A, B, …, as many as there are hands; A starts. `under` lies under the top card, its last card highest."""

    def __init__(
        self, *hands: str, top: str, under: str = "", stock: str = STOCK, starter: str = "A", **options: Any
    ) -> None:
        self.game = OneCard(convert_options(OneCard, options))
        shown = ACE_LOW.parse_all(f"{under} {top}")
        dealt = Dealt(tuple(map(cards, hands)), ACE_LOW.parse_all(stock), shown)
        self.state = self.game.position(dealt, _seat(starter))

    def play(self, *lines: str) -> Round:
        """`A play 2S`, `B draw`, `dealer shuffle 3H 4D`, …: each must be legal."""
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

    def legal(self, name: str) -> str:
        """Every legal action, each of them checked: `play 2H, draw`."""
        view = self.game.view(self.state, _seat(name))
        actions = list(self.game.legal_actions(view))
        for action in actions:
            self.game.check(view, action)
        return ", ".join(map(self.game.format, actions))

    def draws(self, name: str, number: int) -> Round:
        """That player draws and has so many cards more."""
        before = len(self.hand(name).split())
        self.play(f"{name} draw")
        assert len(self.hand(name).split()) == before + number
        return self

    @property
    def public(self) -> Public:
        """What all see."""
        return self.state.public

    @property
    def to_act(self) -> str:
        """Whose turn it is; `dealer` where a shuffle is waited for."""
        acting = self.game.to_act(self.game.view(self.state, None))
        return "dealer" if acting == (DEALER,) else "".join(NAMES[seat] for seat in acting)

    @property
    def attack(self) -> str:
        """Who is to act and the cards pending: `B 5`."""
        return f"{self.to_act} {self.public.pending}"

    @property
    def outcome(self) -> Outcome:
        """How it ended; fails while it is open."""
        outcome = self.game.outcome(self.state)
        assert outcome is not None
        return outcome

    @property
    def result(self) -> str:
        """Reason, winners and who starts the next round: `out B, next B`."""
        outcome = self.outcome
        assert outcome.starter is not None
        winners = "".join(NAMES[seat] for seat in outcome.winners) or "nobody"
        return f"{outcome.reason} {winners}, next {NAMES[outcome.starter]}"

    def hand(self, name: str) -> str:
        """The hand's canonical text."""
        return format_cards(ACE_LOW, self.state.hands[_seat(name)])

    def stock(self) -> str:
        """The stock as it lies."""
        return " ".join(map(ACE_LOW.format, self.state.stock))

    def discards(self) -> str:
        """The discards, the top one last."""
        return " ".join(map(ACE_LOW.format, self.public.discards))

    def _after(self, line: str) -> State:
        name, _, text = line.partition(" ")
        seat = DEALER if name == "dealer" else _seat(name)
        return self.game.step(self.state, seat, self.game.parse(text))


def everything(state: State) -> list[int]:
    """The faces of all zones, sorted."""
    faces = [card % DECK for hand in state.hands for card in range(DECK * 4) if hand >> card & 1]
    return sorted([*faces, *state.stock, *state.public.discards])


def twice(text: str) -> Cards:
    """Cards as two packs have them: each once as copy 0 and once as copy 1."""
    return cards_of(card + DECK * copy for card in ACE_LOW.parse_all(text) for copy in range(2))  # type: ignore[misc]


def _seat(name: str) -> Seat:
    return Seat(NAMES.index(name))
