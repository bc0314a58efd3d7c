"""The deal: from the round's secret R and everybody's parts to the order of the cards (protocol 6.3).

Nobody can aim at a deck. The host commits to R before it sees a part, so it can't fit R to the parts; and the parts
are committed to before the first one is shown, so nobody can fit his own to those of others. The seed takes them all
in: it is random if a single one of them was. Because R stays secret until the round is over, the parts may be public
at once and still tell nobody anything about the cards. What is left to a host is to say that a part never came, and so
to have one other shuffle: the journal names whose part it was, and its player objects.

Every card in its place has a leaf, a salted commitment, in DEAL_START: whoever is shown a card can check at once that
it is the one dealt. The salts follow from R, so that R alone opens everything when the round is disclosed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from p2pcards.cards import DECK, Card, Stream, face
from p2pcards.wire.encode import digest, expand, mac, u8, u16, u32
from p2pcards.wire.entries import SeatKind, SeatPub

LEAF_BYTES = 32

PART_BYTES = 32
"""Of what a contributor adds to the seed."""


class Deal(Struct, frozen=True):
    """What the secret and the parts give: the order of the cards, and a number below the seats for a random starter."""

    order: tuple[Card, ...]
    lot: int


def commitment(table: bytes, epoch: int, secret: bytes) -> bytes:
    """C_R, what DEAL_OPEN says of R. epoch: the first one of the round."""
    return digest("root", table, u32(epoch), secret)


def part_commitment(table: bytes, epoch: int, seat: int, part: bytes) -> bytes:
    """C_i, what a contributor says of its part before anybody shows one."""
    return digest("contrib", table, u32(epoch) + u8(seat), part)


def deal_from(
    table: bytes, epoch: int, secret: bytes, cards: bytes, seats: int, parts: Mapping[int, bytes] | None = None
) -> Deal:
    """The deal of these faces; the k-th copy of a face in the order is copy k of that card. parts: by seat."""
    salt = digest("deal salt", table, u32(epoch), *(u8(seat) + part for seat, part in sorted((parts or {}).items())))
    stream = Stream(mac(salt, expand(secret, "deal")))
    copies: dict[int, int] = {}
    order = []
    for shuffled in stream.shuffle(cards):
        copy = copies[shuffled] = copies.get(shuffled, -1) + 1
        order.append(Card(copy * DECK + shuffled))
    return Deal(tuple(order), stream.below(seats))


def card_salt(secret: bytes, epoch: int, place: int) -> bytes:
    """What hides the card at that place of the epoch's order."""
    return expand(secret, "card salt", u32(epoch) + u16(place))


def leaf(table: bytes, epoch: int, place: int, salt: bytes, card: int) -> bytes:
    """The commitment to one card (its face) in its place."""
    return digest("card", table, u32(epoch) + u16(place), salt, u8(card))


def leaves(table: bytes, epoch: int, secret: bytes, order: Sequence[Card]) -> bytes:
    """The leaves of a whole order, as DEAL_START has them."""
    return b"".join(
        leaf(table, epoch, place, card_salt(secret, epoch, place), face(card)) for place, card in enumerate(order)
    )


def faces(decks: int) -> bytes:
    """The faces of that many decks, ascending: the `cards` of a first DEAL_OPEN."""
    return bytes(sorted(face for face in range(DECK) for _ in range(decks)))


def drawn_seats(table: bytes, seats: Sequence[SeatPub]) -> tuple[int, ...]:
    """The roster's seats in a random order for a match: members by key, then bots as they sit, shuffled."""
    members = {held.key: seat for seat, held in enumerate(seats) if held.kind is SeatKind.MEMBER}
    bots = [seat for seat, held in enumerate(seats) if held.kind is SeatKind.BOT]
    keys = sorted(members)
    return Stream(digest("seats", table, *keys)).shuffle([members[key] for key in keys] + bots)
