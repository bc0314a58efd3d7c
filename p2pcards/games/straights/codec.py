"""A view as bytes: msgpack, one byte for each card, so that the length tells how many cards and nothing about which."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from p2pcards.cards import DECK, Card, Cards, cards_of, each, rank
from p2pcards.games.base import Seat
from p2pcards.games.straights.state import SEATS, SEVEN, SUITS, Public, Reason, View, fitting

_MASK = 7  # bytes that hold a set of cards

_Seat = Annotated[Seat, Meta(ge=0, lt=SEATS)]
_Count = Annotated[int, Meta(ge=0, le=DECK)]
_Faces = Annotated[bytes, Meta(max_length=DECK)]
_Masks = Annotated[bytes, Meta(max_length=_MASK * DECK)]
_Each = Meta(min_length=SEATS, max_length=SEATS)  # one for each seat, or suit
_AtEnd = Meta(max_length=SEATS)  # the same, or none while the round is open
_Pile = tuple[Annotated[int, Meta(ge=0, le=SEVEN)], Annotated[int, Meta(ge=SEVEN, lt=DECK // 4)]]
_Number = Annotated[bytes, Meta(min_length=2, max_length=2)]  # big-endian


class _Wire(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    seat: _Seat | None
    hand: _Faces
    own: _Faces
    turn: _Seat
    starter: _Seat
    piles: Annotated[tuple[_Pile | None, ...], _Each]  # lowest and highest rank
    counts: Annotated[tuple[_Count, ...], _Each]
    lacked: Annotated[tuple[_Masks, ...], _Each]
    passed: Annotated[int, Meta(ge=0, le=SEATS)]
    discards: Annotated[tuple[_Faces, ...], _Each]
    left: Annotated[tuple[_Faces, ...], _AtEnd]
    points: Annotated[tuple[_Number, ...], _AtEnd]
    reason: Reason | None
    winners: Annotated[tuple[_Seat, ...], _AtEnd]


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(_Wire)


def encode(view: View) -> bytes:
    """Equal views give equal bytes."""
    public = view.public
    return _ENCODER.encode(
        _Wire(
            view.seat,
            bytes(each(view.hand)),
            bytes(view.discards),
            public.turn,
            public.starter,
            tuple(pile and (rank(pile[0]), rank(pile[1])) for pile in public.piles),
            public.counts,
            tuple(b"".join(cards.to_bytes(_MASK, "big") for cards in lacked) for lacked in public.lacked),
            public.passed,
            tuple(map(bytes, public.discards)),
            tuple(bytes(each(hand)) for hand in public.left),
            tuple(points.to_bytes(2, "big") for points in public.points),
            public.reason,
            public.winners,
        )
    )


def decode(data: bytes, start: Card) -> View:
    """The view of these bytes, of a game that opens with the start card.

    Raises msgspec.MsgspecError unless `encode` wrote them.
    """
    wire = _DECODER.decode(data)
    table = _table(wire.piles)
    public = Public(
        wire.turn,
        wire.starter,
        table,
        fitting(table) if table else Cards(1 << start),
        wire.counts,
        tuple(map(_sets, wire.lacked)),
        wire.passed,
        tuple(tuple(map(Card, cards)) for cards in wire.discards),
        tuple(cards_of(map(Card, hand)) for hand in wire.left),
        tuple(int.from_bytes(points, "big") for points in wire.points),
        wire.reason,
        wire.winners,
    )
    view = View(wire.seat, public, cards_of(map(Card, wire.hand)), tuple(map(Card, wire.own)))
    shown = (wire.hand, wire.own, *wire.discards, *wire.left)
    if any(card >= DECK for cards in shown for card in cards) or any(
        cards >> DECK for lacked in public.lacked for cards in lacked
    ):
        raise msgspec.ValidationError("a card that there is not")
    if encode(view) != data:
        raise msgspec.ValidationError("cards out of order, or not the shortest form")
    return view


def _table(piles: Iterable[tuple[int, int] | None]) -> Cards:
    """The cards between the ends of each pile."""
    table = 0
    for suit, pile in zip(SUITS, piles, strict=True):
        if pile:
            low, high = pile
            table |= suit & (1 << 4 * high + 4) - (1 << 4 * low)
    return Cards(table)


def _sets(masks: bytes) -> tuple[Cards, ...]:
    return tuple(Cards(int.from_bytes(masks[at : at + _MASK], "big")) for at in range(0, len(masks), _MASK))
