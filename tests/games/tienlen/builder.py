"""Rounds of Tiến lên from text: hands of any size, actions as in records."""

from __future__ import annotations

from typing import Any

from p2pcards.cards import THREE_LOW, Cards, cards_of, format_cards
from p2pcards.errors import IllegalAction
from p2pcards.games.base import Dealt, Outcome, Seat
from p2pcards.games.options import convert_options
from p2pcards.games.tienlen import TienLen
from p2pcards.games.tienlen.combos import Combo, combo_of
from p2pcards.games.tienlen.state import Public, State

NAMES = "ABCD"


def cards(text: str) -> Cards:
    """The set of these cards."""
    return cards_of(THREE_LOW.parse_all(text))


def combo(text: str) -> Combo:
    """The combination that these cards are; fails where they are none."""
    found = combo_of(cards(text))
    assert found is not None
    return found


class Round:
    """Players A, B and so on, one for each hand; A leads."""

    def __init__(self, *hands: str, leads: str = "A", first: bool = True, **options: Any) -> None:
        self.game = TienLen(convert_options(TienLen, options))
        self.state = self.game.position(Dealt(tuple(map(cards, hands)), ()), _seat(leads), first)

    def play(self, *lines: str) -> Round:
        """`A 3S 3C` plays, `A pass` passes: each must be legal."""
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
            return " ".join((refusal.code.value, *refusal.detail)).rstrip()
        raise AssertionError(f"{line} is legal")

    def legal(self, name: str | None = None) -> list[str]:
        """Every legal action of a seat, else of the one to act, sorted and each of them checked: `3S 3C`, `pass`."""
        view = self.game.view(self.state, _seat(name or self.to_act))
        actions = list(self.game.legal_actions(view))
        for action in actions:
            self.game.check(view, action)
        return sorted(self.game.format(action).removeprefix("play ") for action in actions)

    @property
    def public(self) -> Public:
        """What all see."""
        return self.state.public

    @property
    def to_act(self) -> str:
        """Whose turn it is."""
        return "".join(NAMES[seat] for seat in self.game.to_act(self.game.view(self.state, None)))

    @property
    def turn(self) -> str:
        """Who is to do what: `lead A`, `follow B`, `after_out C`, `over`."""
        return f"{self.public.phase.value} {self.to_act}".rstrip()

    @property
    def outcome(self) -> Outcome:
        """How it ended; fails while it is open."""
        outcome = self.game.outcome(self.state)
        assert outcome is not None
        return outcome

    @property
    def places(self) -> str:
        """Who is out, the first one first."""
        return "".join(NAMES[seat] for seat in self.public.places)

    @property
    def end(self) -> str:
        """Reason, winners, points and who leads the next round: `out A 1 0 0 D`."""
        done = self.outcome
        assert done.starter is not None
        return " ".join(
            (done.reason, "".join(NAMES[seat] for seat in done.winners), *map(str, done.points), NAMES[done.starter])
        )

    def hand(self, name: str) -> str:
        """The hand's canonical text."""
        return format_cards(THREE_LOW, self.state.hands[_seat(name)])

    def _after(self, line: str) -> State:
        name, _, text = line.partition(" ")
        action = self.game.parse(text if text == "pass" else f"play {text}")
        return self.game.step(self.state, _seat(name), action)


def _seat(name: str) -> Seat:
    return Seat(NAMES.index(name))
