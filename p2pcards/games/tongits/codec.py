"""A view as bytes: msgpack, one byte for each card, so that the length tells how many cards and nothing about which."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from p2pcards.cards import DECK, Card, cards_of, each
from p2pcards.games.base import Seat
from p2pcards.games.tongits.melds import is_meld
from p2pcards.games.tongits.state import Block, Meld, Phase, Public, Reason, View

_Seat = Annotated[Seat, Meta(ge=0, le=2)]
_Count = Annotated[int, Meta(ge=0, le=DECK)]
_Faces = Annotated[bytes, Meta(max_length=DECK)]
_Each = Meta(min_length=3, max_length=3)  # one for each seat
_Number = Annotated[bytes, Meta(min_length=2, max_length=2)]  # big-endian


class _Wire(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    seat: _Seat | None
    hand: _Faces
    phase: Phase
    turn: _Seat
    starter: _Seat
    counts: Annotated[tuple[_Count, ...], _Each]
    stock: _Count
    discards: _Faces
    melds: Annotated[tuple[tuple[_Seat, _Faces], ...], Meta(max_length=DECK // 3)]
    call_blocked: Annotated[tuple[Block | None, ...], _Each]
    self_laid: Annotated[tuple[bool, ...], _Each]
    last_drawer: _Seat | None
    asked: tuple[_Seat, ...]
    answers: tuple[tuple[_Seat, bool], ...]
    reason: Reason | None
    winners: tuple[_Seat, ...]
    shown: tuple[tuple[_Seat, _Faces, _Number], ...]


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(_Wire)


def encode(view: View) -> bytes:
    """Equal views give equal bytes."""
    public = view.public
    return _ENCODER.encode(
        _Wire(
            view.seat,
            bytes(each(view.hand)),
            public.phase,
            public.turn,
            public.starter,
            public.counts,
            public.stock,
            bytes(public.discards),
            tuple((meld.owner, bytes(each(meld.cards))) for meld in public.melds),
            public.call_blocked,
            public.self_laid,
            public.last_drawer,
            public.asked,
            public.answers,
            public.reason,
            public.winners,
            tuple((seat, bytes(each(hand)), points.to_bytes(2, "big")) for seat, hand, points in public.shown),
        )
    )


def decode(data: bytes) -> View:
    """The view of these bytes; raises msgspec.MsgspecError unless `encode` wrote them."""
    wire = _DECODER.decode(data)
    public = Public(
        wire.phase,
        wire.turn,
        wire.starter,
        wire.counts,
        wire.stock,
        tuple(map(Card, wire.discards)),
        tuple(Meld(owner, cards_of(map(Card, cards))) for owner, cards in wire.melds),
        wire.call_blocked,
        wire.self_laid,
        wire.last_drawer,
        wire.asked,
        wire.answers,
        wire.reason,
        wire.winners,
        tuple((seat, cards_of(map(Card, hand)), int.from_bytes(points, "big")) for seat, hand, points in wire.shown),
    )
    view = View(wire.seat, public, cards_of(map(Card, wire.hand)))
    shown = (wire.hand, wire.discards, *(hand for _, hand, _ in wire.shown))
    if any(face >= DECK for faces in shown for face in faces) or not all(is_meld(meld.cards) for meld in public.melds):
        raise msgspec.ValidationError("a card or a meld that there is not")
    if encode(view) != data:
        raise msgspec.ValidationError("cards out of order, or not the shortest form")
    return view
