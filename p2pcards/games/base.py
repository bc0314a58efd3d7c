"""What a game is: pure rules that know no clock, no network and no dice.

A `State` is the whole truth and exists on the host and in replays alone; a `View` is what one seat (or, for None, a
spectator) may know. Views are built up from what is public and the seat's own hand, never cut down from the truth, and
legality depends on the view alone: so host, guest, bot and completion share it, and a refusal can tell nobody anything.
Chance is data: `deal` takes the order of the cards, a reshuffle is an act of the DEALER with the new order in it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from enum import Enum, StrEnum
from typing import Any, ClassVar, Generic, NamedTuple, NewType, Protocol, TypeVar

import msgspec

from p2pcards.cards import Card, Cards, Ranking
from p2pcards.errors import InvalidOption

Seat = NewType("Seat", int)

DEALER = Seat(-1)
"""Whose turn it is while the state waits for a reshuffle."""


class Rng(Protocol):
    """Numbers by chance, handed in by the caller; `random.Random` fits."""

    def randrange(self, stop: int, /) -> int: ...


class Secrecy(Enum):
    """Who may know an action when it is done (protocol.md 6.4)."""

    PUBLIC = "public"
    SEALED = "sealed"  # the host knows it, the others learn it later
    BLIND = "blind"  # answers shown together when all are in


class Where(Enum):
    """What kind of place a position of the dealt order goes to."""

    HAND = "hand"
    FACE_UP = "face up"
    STOCK = "stock"
    UNUSED = "unused"


def seats_of(seats: range) -> str:
    """How many may sit, in words: `3`, `2 to 4`."""
    return str(seats[0]) if len(seats) == 1 else f"{seats[0]} to {seats[-1]}"


class Place(NamedTuple):
    """Where one position of the dealt order goes; `seat` only for a hand, or for whom a face-up card lies."""

    where: Where
    seat: Seat | None = None


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """How a round ended.

    `points` is what each seat's match score grows by, by seat, before `Game.settle`; `winners` may be empty;
    `starter` is who starts the next round as far as the rules of this round settle it, else None (by lot).
    """

    reason: str
    winners: tuple[Seat, ...]
    points: tuple[int, ...]
    starter: Seat | None


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game's house rules; each field is an option with its default. `games.options` reads and explains them."""


class Carry(msgspec.Struct, frozen=True, gc=False):
    """What the rounds of a match hand on to the next one: chips nobody took, and whose winning streak counts."""

    pot: int = 0
    hitter: Seat | None = None


class Dealt(NamedTuple):
    """The cards of a round before its first action.

    The hands by seat; the stock with the next card first; what lies face up, the top one last; and whose order cards
    those were that decided who acts first, in the order in which they were turned up (they lie among `shown` too).
    """

    hands: tuple[Cards, ...]
    stock: tuple[Card, ...]
    shown: tuple[Card, ...] = ()
    order: tuple[tuple[Seat, Card], ...] = ()


class Shuffle(msgspec.Struct, frozen=True, gc=False):
    """The DEALER's act where a game waits for one: `order` are the faces of the new stock, the next card first."""

    order: tuple[Card, ...]


S = TypeVar("S")
V = TypeVar("V")
A = TypeVar("A")
O_co = TypeVar("O_co", bound=Options, covariant=True)


class Game(ABC, Generic[S, V, A]):
    """The rules of one card game under one set of options: pure, synchronous, stateless."""

    name: ClassVar[str]  # "tongits", as in records
    title: ClassVar[str]  # "Tong-its", as people write it
    seats: ClassVar[range]  # how many may sit
    usual_seats: ClassVar[int]  # how many sit where nobody says otherwise
    rules: ClassVar[int]  # raised when the rules change (protocol.md 5)
    ranking: ClassVar[Ranking]
    options_type: ClassVar[type[Options]]
    verbs: ClassVar[Mapping[str, str]]  # first word of each action -> one line of help
    questions: ClassVar[tuple[str, ...]] = ()  # verbs of blind answers, the default for an unopened one first
    sealed_as: ClassVar[str] = ""  # what others are told of a sealed action while it is sealed; "": there is none
    reshuffles: ClassVar[bool] = False  # the DEALER may have to shuffle within a round
    largest_hand: ClassVar[int] = 208  # that a record may begin with
    opener_in_cards: ClassVar[bool] = False  # the cards dealt say who acts first, in every round

    def __init__(self, options: Options | None = None) -> None:
        self.options: Any = self.options_type() if options is None else options

    def decks(self) -> int:
        """How many decks of 52 are shuffled together."""
        return 1

    def check_seats(self, seats: int) -> None:
        """Raises InvalidOption, naming the limit, where a new game can't be set up for so many under the options."""
        if seats not in self.seats:
            raise InvalidOption(f"{self.title} is for {seats_of(self.seats)} players, not {seats}")

    def starter(self, last: Outcome | None, seats: int, lot: int) -> Seat:
        """Whom the deal begins with: settled by the last outcome, else by `lot`, a number from outside."""
        return Seat(lot) if last is None or last.starter is None else last.starter

    def opener(self, dealt: Dealt, starter: Seat, first: bool) -> Seat:
        """Who acts first: the seat that the deal began with, unless the cards say otherwise.

        Raises InvalidRecord where the cards of a record say nothing though they must (`opener_in_cards`).
        """
        return starter

    @abstractmethod
    def layout(self, seats: int, starter: Seat, first: bool = True) -> tuple[Place, ...]:
        """Where each position of the order goes, first card first; `first`: in the first round of a match.

        What is said of hands is certain. How many of the next cards are turned up may depend on what they are.
        """

    def places(self, order: Sequence[Card], seats: int, starter: Seat, first: bool = True) -> tuple[Place, ...]:
        """Where each position of this order goes: the layout, but exact where it depends on the cards."""
        return self.layout(seats, starter, first)

    def dealt(self, order: Sequence[Card], seats: int, starter: Seat, first: bool = True) -> Dealt:
        """What this order of the cards gives, before anybody acts."""
        hands, stock, shown = [0] * seats, list[Card](), list[Card]()
        for card, place in zip(order, self.places(order, seats, starter, first), strict=True):
            if place.where is Where.HAND and place.seat is not None:
                hands[place.seat] |= 1 << card
            elif place.where is Where.STOCK:
                stock.append(card)
            elif place.where is Where.FACE_UP:
                shown.append(card)
        return Dealt(tuple(map(Cards, hands)), tuple(stock), tuple(shown))

    def deal(self, order: Sequence[Card], seats: int, starter: Seat, first: bool = True) -> S:
        """The first state of a round, from a given order of the cards."""
        dealt = self.dealt(order, seats, starter, first)
        return self.position(dealt, self.opener(dealt, starter, first), first)

    @abstractmethod
    def position(self, dealt: Dealt, opener: Seat, first: bool = True) -> S:
        """The first state of a round with these cards: hands of any size that aren't empty, whoever is to act first."""

    @abstractmethod
    def view(self, state: S, seat: Seat | None) -> V:
        """What that seat (None: a spectator) may know."""

    @abstractmethod
    def encode_view(self, view: V) -> bytes:
        """The view as bytes: equal views give equal bytes, and views of equal shape equal length."""

    @abstractmethod
    def decode_view(self, data: bytes) -> V:
        """The view that `encode_view` wrote; raises msgspec.MsgspecError on anything else."""

    @abstractmethod
    def hand(self, view: V) -> Cards:
        """The viewer's own cards; none for a spectator."""

    def stock(self, view: V) -> int:
        """How many cards are left in the stock; 0 where the game has none."""
        return 0

    @abstractmethod
    def to_act(self, view: V) -> tuple[Seat, ...]:
        """Whose turn it is: one seat, the seats asked at once, (DEALER,), or () when the round is over."""

    @abstractmethod
    def legal_actions(self, view: V) -> Sequence[A]:
        """Everything the viewer may do now, in a fixed order; nothing when it isn't its turn."""

    @abstractmethod
    def check(self, view: V, action: A) -> None:
        """Raises IllegalAction with the rule's code when the viewer may not do this now."""

    @abstractmethod
    def apply(self, state: S, seat: Seat, action: A) -> S:
        """The state after an action that `check` let pass."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """How the round ended; None while it is open."""

    @abstractmethod
    def format(self, action: A) -> str:
        """The action's canonical text (records.md)."""

    @abstractmethod
    def parse(self, text: str) -> A:
        """The action that the text names, cards read with forgiveness; raises InvalidAction or InvalidCard."""

    def to_shuffle(self, view: V) -> tuple[Card, ...]:
        """The faces that the DEALER is to shuffle now, ascending; none where no shuffle is waited for."""
        return ()

    def mid_turn(self, view: V) -> bool:
        """Whether the seat to act has begun its turn and not ended it: its clock goes on, and so does its default."""
        return False

    @abstractmethod
    def default(self, view: V) -> A:
        """The least committal legal action, played when a seat's time is up (rules.md 1)."""

    @abstractmethod
    def resample(self, view: V, rng: Rng) -> S:
        """Some state that this view allows, every other thing drawn by `rng`."""

    def settle(self, carry: Carry, outcome: Outcome) -> tuple[tuple[int, ...], Carry]:
        """What each seat's match score grows by after this round, and what the match carries on."""
        return outcome.points, carry

    def pot(self, carry: Carry, seats: int) -> int:
        """Chips to be won in the round that starts with `carry`."""
        return carry.pot

    def low_wins(self) -> bool:
        """Whether the lowest score wins a match under the options, not the highest."""
        return False

    def leaders(self, scores: Sequence[int]) -> tuple[Seat, ...]:
        """Who is ahead with these scores, jointly; who wins a match that is over."""
        best = min(scores) if self.low_wins() else max(scores)
        return tuple(Seat(seat) for seat, score in enumerate(scores) if score == best)

    @abstractmethod
    def ended(self, rounds: int, wins: Sequence[int], scores: Sequence[int]) -> bool:
        """Whether a match is over by its options, after that many rounds, with these won and scored by each seat."""

    @abstractmethod
    def endless(self) -> bool:
        """Whether the options give a match no end: then it goes on until somebody stops it."""

    @abstractmethod
    def stopped(self, rounds: int) -> Game[S, V, A]:
        """The same game with options under which a match is over after that many rounds."""

    def secrecy(self, action: A) -> Secrecy:
        """Who may know the action when it is done."""
        return Secrecy.PUBLIC

    def step(self, state: S, seat: Seat, action: A) -> S:
        """Check, then apply: the only door that the host uses. Raises IllegalAction."""
        self.check(self.view(state, None if seat == DEALER else seat), action)
        return self.apply(state, seat, action)


class Refusal(StrEnum):
    """Codes that every game raises; each game adds its own enum."""

    NOT_YOUR_TURN = "not_your_turn"
    OVER = "over"
    NOT_HELD = "not_held"
