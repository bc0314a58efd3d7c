"""The smallest game there is, for tests of what plays games: everybody names a number, and the highest one wins.

The stock is shuffled anew after the first number. Without match_rounds a match has no end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from p2pcards.cards import ACE_LOW, DECK, Card, Cards, Ranking
from p2pcards.games.base import DEALER, Dealt, Game, Options, Outcome, Place, Rng, Seat, Shuffle, Where

NUMBERS = range(6)


class HighestOptions(Options, frozen=True):
    """How many rounds a match has."""

    match_rounds: int = 0


class Table(Struct, frozen=True):
    """State and view in one; `seat` of the viewer."""

    hands: tuple[Cards, ...]
    opener: Seat
    stock: tuple[Card, ...]
    named: tuple[int, ...] = ()  # from the opener on
    shuffled: bool = False
    seat: Seat | None = None


class Highest(Game[Table, Table, Any]):
    """Two to four players."""

    name = "highest"
    title = "Highest"
    seats = range(2, 5)
    usual_seats = 2
    rules = 1
    ranking: ClassVar[Ranking] = ACE_LOW
    options_type = HighestOptions
    verbs: ClassVar[dict[str, str]] = {}

    def layout(self, seats: int, starter: Seat, first: bool = True) -> tuple[Place, ...]:
        return (*(Place(Where.HAND, Seat(seat)) for seat in range(seats)), *[Place(Where.STOCK)] * (DECK - seats))

    def position(self, dealt: Dealt, opener: Seat, first: bool = True) -> Table:
        return Table(dealt.hands, opener, dealt.stock)

    def view(self, state: Table, seat: Seat | None) -> Table:
        return replace(state, seat=seat)

    def hand(self, view: Table) -> Cards:
        return Cards(0) if view.seat is None else view.hands[view.seat]

    def to_act(self, view: Table) -> tuple[Seat, ...]:
        if view.named and not view.shuffled:
            return (DEALER,)
        done = len(view.named)
        return (Seat((view.opener + done) % len(view.hands)),) if done < len(view.hands) else ()

    def to_shuffle(self, view: Table) -> tuple[Card, ...]:
        return tuple(sorted(view.stock))

    def legal_actions(self, view: Table) -> Sequence[Any]:
        return NUMBERS

    def check(self, view: Table, action: Any) -> None:
        assert isinstance(action, Shuffle) == (self.to_act(view) == (DEALER,))

    def apply(self, state: Table, seat: Seat, action: Any) -> Table:
        if isinstance(action, Shuffle):
            return replace(state, stock=action.order, shuffled=True)
        return replace(state, named=(*state.named, action))

    def by_seat(self, table: Table) -> tuple[int, ...]:
        """What each seat named."""
        seats = len(table.hands)
        return tuple(table.named[(seat - table.opener) % seats] for seat in range(seats))

    def outcome(self, state: Table) -> Outcome | None:
        if len(state.named) < len(state.hands):
            return None
        named = self.by_seat(state)
        if not any(named):  # nobody wins with nothing
            return Outcome("nothing", (), named, None)
        return Outcome("highest", tuple(Seat(seat) for seat, one in enumerate(named) if one == max(named)), named, None)

    def ended(self, rounds: int, wins: Sequence[int], scores: Sequence[int]) -> bool:
        return bool(0 < self.options.match_rounds <= rounds)

    def endless(self) -> bool:
        return not self.options.match_rounds

    def stopped(self, rounds: int) -> Highest:
        return Highest(HighestOptions(rounds))

    def default(self, view: Table) -> Any:
        return 0

    def encode_view(self, view: Table) -> bytes:
        raise AssertionError("the arena sends no view anywhere")

    def decode_view(self, data: bytes) -> Table:
        raise AssertionError("the arena sends no view anywhere")

    def format(self, action: Any) -> str:
        return str(action)

    def parse(self, text: str) -> Any:
        return int(text)

    def resample(self, view: Table, rng: Rng) -> Table:
        return view


class Says:
    """Plays what a function of the view says, and keeps the views."""

    def __init__(self, what: Callable[[Table], int]) -> None:
        self.what = what
        self.views: list[Table] = []

    def choose(self, game: Game[Any, Any, Any], view: Table, rng: Rng) -> int:
        """What it says."""
        self.views.append(view)
        return self.what(view)


def always(number: int) -> Says:
    """A bot that names this number."""
    return Says(lambda view: number)
