"""A view as bytes: msgpack, one byte for each card, so that the length tells how many cards and nothing about which."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from p2pcards.cards import DECK, Card, Cards, cards_of, each
from p2pcards.games.base import Seat
from p2pcards.games.onecard.pack import held
from p2pcards.games.onecard.state import SEATS, Drawing, Phase, Public, Reason, View, Why

_ALL = DECK * 4

_Seat = Annotated[Seat, Meta(ge=0, le=len(SEATS) - 1)]
_Count = Annotated[int, Meta(ge=0, le=_ALL)]
_Number = Annotated[int, Meta(ge=0, le=1_000_000)]
_Hand = Annotated[bytes, Meta(max_length=_ALL)]
_Face = Annotated[Card, Meta(ge=0, le=DECK - 1)]


class _Wire(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    seat: _Seat | None
    hand: _Hand
    drawn: _Face | None
    phase: Phase
    turn: _Seat
    starter: _Seat
    direction: Literal[1, -1]
    pending: _Number
    counts: Annotated[tuple[_Count, ...], Meta(min_length=2, max_length=len(SEATS))]
    stock: _Count
    discards: Annotated[bytes, Meta(min_length=1, max_length=_ALL)]
    idle: _Number
    actions: _Number
    skipped: _Seat | None
    drawing: tuple[_Seat, Why, _Count, _Count] | None
    bankrupt: Annotated[tuple[_Seat, ...], Meta(max_length=len(SEATS))]
    order: Annotated[tuple[tuple[_Seat, _Face], ...], Meta(max_length=_ALL)]
    reason: Reason | None
    winners: Annotated[tuple[_Seat, ...], Meta(max_length=1)]
    left: Annotated[tuple[_Hand, ...], Meta(max_length=len(SEATS))]


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(_Wire)


def encode(view: View) -> bytes:
    """Equal views give equal bytes."""
    public, drawing = view.public, view.public.drawing
    return _ENCODER.encode(
        _Wire(
            view.seat,
            bytes(each(view.hand)),
            view.drawn,
            public.phase,
            public.turn,
            public.starter,
            1 if public.direction > 0 else -1,
            public.pending,
            public.counts,
            public.stock,
            bytes(public.discards),
            public.idle,
            public.actions,
            public.skipped,
            (drawing.seat, drawing.why, drawing.taken, drawing.left) if drawing else None,
            public.bankrupt,
            public.order,
            public.reason,
            public.winners,
            tuple(bytes(each(hand)) for hand in public.left),
        )
    )


def decode(data: bytes) -> View:
    """The view of these bytes; raises msgspec.MsgspecError unless `encode` wrote them."""
    wire = _DECODER.decode(data)
    drawing = wire.drawing
    public = Public(
        wire.phase,
        wire.turn,
        wire.starter,
        wire.direction,
        wire.pending,
        wire.counts,
        wire.stock,
        tuple(map(Card, wire.discards)),
        wire.idle,
        wire.actions,
        wire.skipped,
        Drawing(*drawing) if drawing else None,
        wire.bankrupt,
        wire.order,
        wire.reason,
        wire.winners,
        tuple(map(_hand, wire.left)),
    )
    view = View(wire.seat, public, _hand(wire.hand), wire.drawn)
    _demand(all(card < DECK for card in wire.discards))
    _demand(max(filter(None, _seats(view)), default=0) < len(public.counts))
    _demand(len(set(public.bankrupt)) == len(public.bankrupt) < len(public.counts))
    _demand(len(public.left) in (0, len(public.counts)))
    _demand((public.phase is Phase.SHUFFLE) is (drawing is not None) and (len(public.discards) > 1 or not drawing))
    _demand((public.phase is Phase.OVER) is (public.reason is not None))
    _demand(view.drawn is None or (public.phase is Phase.DRAWN and bool(view.hand >> view.drawn & 1)))
    _demand(encode(view) == data)  # else cards out of order, or not the shortest form
    return view


def _hand(data: bytes) -> Cards:
    hand = cards_of(map(Card, data))
    _demand(hand < 1 << _ALL and held(each(hand)) == hand)
    return hand


def _seats(view: View) -> list[Seat | None]:
    public = view.public
    seats = [view.seat, public.turn, public.starter, public.skipped, *public.bankrupt, *public.winners]
    return [*seats, *(seat for seat, _ in public.order), public.drawing.seat if public.drawing else None]


def _demand(holds: bool) -> None:
    if not holds:
        raise msgspec.ValidationError("no view of One Card")
