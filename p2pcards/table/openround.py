"""The open round in the books: the deals of its epochs, and the answers to a question (protocol 6.3, 6.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from p2pcards.cards import DECK
from p2pcards.errors import ProtocolError
from p2pcards.table.deal import LEAF_BYTES, leaf
from p2pcards.wire.entries import DealOpen, OpenPub, RoundEnd

OPEN_CARDS = 104
"""Of a deck laid open, so many cards stand in one entry: four packs would not fit (protocol 4.5)."""


def deck_piece(epoch: int, start: int, cards: int) -> list[tuple[int, int]]:
    """The leaves of what is laid open next of a deck of so many cards, of which `start` lie open already."""
    return [(epoch, place) for place in range(start, min(start + OPEN_CARDS, cards))]


class Blind(Struct, frozen=True):
    """A committed answer: n and commitment of its BLIND, and the T that it stands under."""

    n: int
    commitment: bytes
    table: bytes


class EpochDeal(Struct):
    """One shuffle: who adds a part to it, what was committed to and revealed, and what the cards are bound by."""

    cards: bytes  # the faces shuffled, ascending
    contributors: tuple[int, ...]  # seats
    keys: tuple[bytes, ...]  # of the contributors
    asked_at: int  # index of the newest entry that asks for something: DEAL_OPEN, DEAL_COMMIT
    commits: dict[int, bytes] = {}  # C_i by seat
    parts: dict[int, bytes] = {}  # r_i by seat, as revealed
    left_out: set[int] = set()
    committed: bool = False
    revealed: bool = False
    leaves: bytes = b""  # none until DEAL_START
    table: bytes = b""  # the T that its DEAL_OPEN stands under, which its formulas keep

    def key_of(self, seat: int) -> bytes:
        """Whose part the seat adds; empty where none is asked for."""
        return dict(zip(self.contributors, self.keys, strict=True)).get(seat, b"")

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that are to say something now: first all contributors, then those that have committed."""
        if self.revealed or not self.contributors:
            return ()
        return tuple(sorted(self.commits)) if self.committed else self.contributors

    @property
    def complete(self) -> bool:
        """Whether the cards can be shuffled."""
        return self.revealed or not self.contributors

    def start(self, leaves: bytes) -> None:
        """The cards are shuffled and bound."""
        if not self.complete or self.leaves or len(leaves) != LEAF_BYTES * len(self.cards):
            raise ProtocolError("a deal that can't start")
        self.leaves = leaves

    def leaf(self, place: int) -> bytes:
        """The commitment to the card at that place of the order; empty where there is none."""
        return self.leaves[place * LEAF_BYTES : (place + 1) * LEAF_BYTES]


class OpenRound(Struct):
    """The round between its DEAL_OPEN and its DISCLOSE."""

    number: int
    first_epoch: int  # e0; reshuffles open further ones
    opened_at: int  # index of DEAL_OPEN
    seats: int
    root: bytes  # C_R
    holders: tuple[bytes, ...]  # keys; holder x is the x-th
    threshold: int
    shares: tuple[bytes, ...]  # SC_1, SC_2, …
    epochs: dict[int, EpochDeal] = {}  # by epoch, the newest last
    starter: int | None = None  # None until the first DEAL_START
    started_at: int = 0
    turns_up: bool = False  # cards of the deal lie face up that are to be opened first of all
    deck: bytes = b""  # the faces in the order of the first deal, as far as they were laid open
    blinds: dict[int, Blind] = {}
    openings: dict[int, str] = {}
    committed_at: int = 0  # index of the newest BLIND
    ended: RoundEnd | None = None
    lost: bool = False  # its dealer is gone with the secret: it can only be void
    table: bytes = b""  # the T that its DEAL_OPEN stands under
    term: int = 1  # that of its DEAL_OPEN

    @property
    def over(self) -> bool:
        """Whether nobody plays on in it."""
        return self.ended is not None or self.lost

    @property
    def dealing(self) -> EpochDeal | None:
        """The shuffle under way, for the round or within it."""
        newest = self.epochs[max(self.epochs)]
        return None if newest.leaves else newest

    @property
    def shuffling(self) -> bool:
        """Whether the discards are being shuffled anew."""
        return self.starter is not None and self.dealing is not None

    @property
    def cards(self) -> bytes:
        """The faces dealt from, ascending."""
        return self.epochs[self.first_epoch].cards

    @property
    def to_lay_open(self) -> list[tuple[int, int]]:
        """The leaves of the deck that are to be laid open next, if it is."""
        return deck_piece(self.first_epoch, len(self.deck), len(self.cards))

    @property
    def opening(self) -> bool:
        """Whether an answer that was committed to is open already: then nobody else may answer any more."""
        return not self.blinds.keys().isdisjoint(self.openings)

    def settle_answers(self) -> None:
        """Makes room for what follows a question: every answer committed to must have been opened."""
        if not self.blinds.keys() <= self.openings.keys():
            raise ProtocolError("an answer left unopened")
        self.blinds, self.openings = {}, {}

    def cut_short(self) -> None:
        """Forgets a reshuffle that its host did not finish; the next one has an epoch of its own."""
        if self.dealing:
            del self.epochs[max(self.epochs)]

    def again(self, pub: DealOpen) -> None:
        """A reshuffle must be of this round and from its secret. Which cards it is of, only the game knows."""
        opened = (self.number, self.first_epoch, tuple(range(self.seats)), self.root)
        escrow = (self.holders, self.threshold, self.shares)
        if (pub.round, pub.epoch, pub.seats, pub.root) != opened:
            raise ProtocolError("a reshuffle of another round, or from another secret")
        if (pub.holders, pub.threshold, pub.shares) != escrow:
            raise ProtocolError("a reshuffle with other shares")
        if not pub.cards or list(pub.cards) != sorted(pub.cards) or Counter(pub.cards) - Counter(self.cards):
            raise ProtocolError("a reshuffle of no cards, of others than were dealt, or not in order")

    def opens(self, pub: OpenPub) -> None:
        """Cards laid open must be those that the leaves bind, each once."""
        places: Sequence[tuple[int, int]] = [card[:2] for card in pub.cards]
        if not places or len(set(places)) < len(places):
            raise ProtocolError("no card laid open, or one twice")
        for epoch, place, salt, face in pub.cards:
            deal = self.epochs.get(epoch)
            if deal is None or face >= DECK or leaf(deal.table, epoch, place, salt, face) != deal.leaf(place):
                raise ProtocolError("a card laid open that is not the one dealt")
