"""Rounds of Tiến lên from text: hands of any size, actions as in records."""

from __future__ import annotations

from typing import Any

from p2pcards.cards import THREE_LOW, Cards, cards_of
from p2pcards.games.base import Dealt
from p2pcards.games.options import convert_options
from p2pcards.games.tienlen import TienLen
from p2pcards.games.tienlen.combos import Combo, combo_of
from p2pcards.games.tienlen.state import Public, State
from tests.games.played import NAMES, Played, seat_of


def cards(text: str) -> Cards:
    """The set of these cards."""
    return cards_of(THREE_LOW.parse_all(text))


def combo(text: str) -> Combo:
    """The combination that these cards are; fails where they are none."""
    found = combo_of(cards(text))
    assert found is not None
    return found


class Round(Played[State]):
    """Players A, B and so on, one for each hand; A leads."""

    game: TienLen

    def __init__(self, *hands: str, leads: str = "A", first: bool = True, **options: Any) -> None:
        game = TienLen(convert_options(TienLen, options))
        super().__init__(game, game.position(Dealt(tuple(map(cards, hands)), ()), seat_of(leads), first))

    def legal(self, name: str | None = None) -> list[str]:
        """Every legal action of a seat, else of the one to act, sorted and each of them checked: `3S 3C`, `pass`."""
        return sorted(text.removeprefix("play ") for text in self.checked(name or self.to_act))

    @property
    def public(self) -> Public:
        """What all see."""
        return self.state.public

    @property
    def turn(self) -> str:
        """Who is to do what: `lead A`, `follow B`, `after_out C`, `over`."""
        return f"{self.public.phase.value} {self.to_act}".rstrip()

    @property
    def places(self) -> str:
        """Who is out, the first one first."""
        return "".join(NAMES[seat] for seat in self.public.places)

    @property
    def end(self) -> str:
        """Reason, winners, points and who leads the next round: `out A 1 0 0 D`."""
        done = self.outcome
        assert done.starter is not None
        return " ".join((done.reason, self.winners, *map(str, done.points), NAMES[done.starter]))

    def _after(self, line: str) -> State:
        name, _, text = line.partition(" ")
        action = self.game.parse(text if text == "pass" else f"play {text}")
        return self.game.step(self.state, seat_of(name), action)
