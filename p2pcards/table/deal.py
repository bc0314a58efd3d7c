"""The deal: from the round's secret R to the order of the cards (protocol 6.3).

Under the plain deal R is the host's alone. The host commits to it before the first card is dealt and opens it when the
round is over: nobody can say later that another deck was dealt, and everybody can repeat the shuffle.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from p2pcards.cards import DECK, Card, Stream
from p2pcards.wire.encode import digest, expand, mac, u32
from p2pcards.wire.entries import SeatKind, SeatPub


class Deal(Struct, frozen=True):
    """What a secret gives: the order of the cards, and a number below the seats for a random starter."""

    order: tuple[Card, ...]
    lot: int


def commitment(table: bytes, epoch: int, secret: bytes) -> bytes:
    """C_R, what DEAL_OPEN says of R."""
    return digest("root", table, u32(epoch), secret)


def deal_from(table: bytes, epoch: int, secret: bytes, cards: bytes, seats: int) -> Deal:
    """The deal that `secret` gives for these faces; the k-th copy of a face in the order is copy k of that card."""
    salt = digest("deal salt", table, u32(epoch))
    stream = Stream(mac(salt, expand(secret, "deal")))
    copies: dict[int, int] = {}
    order = []
    for face in stream.shuffle(cards):
        copy = copies[face] = copies.get(face, -1) + 1
        order.append(Card(copy * DECK + face))
    return Deal(tuple(order), stream.below(seats))


def faces(decks: int) -> bytes:
    """The faces of that many decks, ascending: the `cards` of a first DEAL_OPEN."""
    return bytes(sorted(face for face in range(DECK) for _ in range(decks)))


def drawn_seats(table: bytes, seats: Sequence[SeatPub]) -> tuple[int, ...]:
    """The roster's seats in a random order for a match: members by key, then bots as they sit, shuffled."""
    members = {held.key: seat for seat, held in enumerate(seats) if held.kind is SeatKind.MEMBER}
    bots = [seat for seat, held in enumerate(seats) if held.kind is SeatKind.BOT]
    keys = sorted(members)
    return Stream(digest("seats", table, *keys)).shuffle([members[key] for key in keys] + bots)
